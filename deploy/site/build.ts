/** Builds all files of the site from the repository's documents. The same sources give the same bytes. */
import { escapeHtml } from './html.ts'
import { createResolve, isImage, pageOf, type Source } from './links.ts'
import { readMarkdown } from './markdown.ts'
import { groupsOf, HOME, STARTS } from './navigation.ts'
import { cardsHtml, entriesOf, type Frame, pageHtml } from './page.ts'
import { render } from './render.ts'
import { indexOf, indexScript } from './search-index.ts'

/** Files that are copied: path in the site, and path in the repository. */
const COPIED = {
  'logo.svg': 'extension/public/logo.svg',
  'fonts/jetbrains-mono-latin.woff2': 'extension/public/fonts/jetbrains-mono-latin.woff2',
  'fonts/OFL.txt': 'extension/OFL.txt',
  'search.js': 'deploy/site/search.js',
}
/** Style sheets, in their order. The first has the wallet's colours for Day and Night. */
const STYLES = ['extension/src/ui/theme.css', 'deploy/site/site.css']

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const required = (source: Source, path: string): Uint8Array => {
  const bytes = source(path)
  if (!bytes) throw new Error(`${path} is missing`)
  return bytes
}
const textOf = (source: Source, path: string): string => decoder.decode(required(source, path))

/** Makes a page with the content of a file that a document links to, which a browser would otherwise download. */
const fileHtml = (source: Source, path: string, frame: Frame): string => {
  const name = escapeHtml(path)
  const html = `<h1>${name}</h1>\n<pre tabindex="0"><code>${escapeHtml(textOf(source, path))}</code></pre>\n`
  return pageHtml({ path, title: path, html, headings: [] }, frame)
}

/**
 * Returns the content of all files of the site by path. `paths` are the documents. Throws an error that names the file
 * and the link if the target of a link, an anchor or a picture is missing, or if a document contains raw HTML.
 */
export const buildSite = (paths: readonly string[], source: Source): Map<string, Uint8Array> => {
  const documents = new Map(paths.map(path => [path, readMarkdown(path, textOf(source, path))]))
  const documentOf = (path: string) => {
    const document = documents.get(path)
    if (!document) throw new Error(`the navigation names ${path}, which does not exist`)
    return document
  }
  const groups = groupsOf(paths)
  const order = groups.flatMap(({ pages }) => pages).map(documentOf)
  const { version } = JSON.parse(textOf(source, 'package.json'))
  const frame: Frame = { groups: entriesOf(groups, documents), version }
  const resolve = createResolve(documents, source)

  const site = new Map<string, Uint8Array>()
  const linked = new Set<string>()
  for (const document of order) {
    const { path, title, headings } = document
    const { lead, rest, files } = render(document, resolve, source)
    for (const file of files) linked.add(file)
    const cards = path === HOME ? cardsHtml(path, STARTS.pages.map(documentOf)) : ''
    const content = { path, title, html: `${lead}${cards}${rest}`, headings: [...headings.values()] }
    site.set(pageOf(path), encoder.encode(pageHtml(content, frame)))
  }
  for (const file of linked)
    site.set(pageOf(file), isImage(file) ? required(source, file) : encoder.encode(fileHtml(source, file, frame)))
  for (const [path, file] of Object.entries(COPIED)) site.set(path, required(source, file))
  const styles = STYLES.map(path => textOf(source, path)).join('\n')
  // The wallet serves its fonts from its root; the site may be in any folder.
  site.set('site.css', encoder.encode(styles.replaceAll('url("/fonts/', 'url("fonts/')))
  site.set('search-index.js', encoder.encode(indexScript(indexOf(order))))
  return site
}
