/** Makes the HTML around a page's content: head, navigation, table of contents, and links to the neighbouring pages. */
import { escapeHtml } from './html.ts'
import { pageOf, relative } from './links.ts'
import type { Document, Heading } from './markdown.ts'
import { type Group, HOME } from './navigation.ts'

/** A page of the navigation. */
export type Entry = { path: string; title: string }

export type Frame = {
  groups: readonly { title: string; pages: readonly Entry[] }[]
  version: string
}

export type Content = {
  /** Path of the document or file in the repository. */
  path: string
  title: string
  html: string
  headings: readonly Heading[]
}

/**
 * Content Security Policy: scripts, styles, images and fonts only from the site itself; no forms, frames or
 * connections.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'"

/** Minimum number of headings on a page that has a table of contents. */
const MIN_CONTENTS = 3
const DEEPEST_IN_CONTENTS = 3

const navigationOf = (from: string, { groups }: Frame): string =>
  groups
    .map(({ title, pages }) => {
      const items = pages.map(({ path, title }) => {
        const current = path === from ? ' aria-current="page"' : ''
        return `<li><a href="${escapeHtml(relative(pageOf(from), pageOf(path)))}"${current}>${escapeHtml(title)}</a></li>`
      })
      return `<p class="group">${escapeHtml(title)}</p>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')

const contentsOf = (headings: readonly Heading[]): string => {
  const listed = headings.filter(({ depth }) => depth > 1 && depth <= DEEPEST_IN_CONTENTS)
  if (listed.length < MIN_CONTENTS) return ''
  const items = listed.map(
    ({ id, depth, text }) => `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  )
  return `<ul>\n${items.join('\n')}\n</ul>`
}

const neighboursOf = (from: string, { groups }: Frame): string => {
  const pages = groups.flatMap(({ pages }) => pages)
  const place = pages.findIndex(({ path }) => path === from)
  const link = (entry: Entry | undefined, rel: 'prev' | 'next', label: string) =>
    entry
      ? `<a rel="${rel}" href="${escapeHtml(relative(pageOf(from), pageOf(entry.path)))}"><span>${label}</span> ${escapeHtml(entry.title)}</a>`
      : ''
  if (place === -1) return ''
  const links = `${link(pages[place - 1], 'prev', 'Previous')}${link(pages[place + 1], 'next', 'Next')}`
  return `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>`
}

/** Makes a complete page. */
export const pageHtml = (content: Content, frame: Frame): string => {
  const { path, title, html, headings } = content
  const to = (file: string) => escapeHtml(relative(pageOf(path), file))
  const contents = contentsOf(headings)
  const name = path === HOME ? `${title}: documentation` : `${title} · Heliograph`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(name)}</title>
<link rel="icon" type="image/svg+xml" href="${to('logo.svg')}">
<link rel="stylesheet" href="${to('site.css')}">
<script defer src="${to('search-index.js')}"></script>
<script defer src="${to('search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${to(pageOf(HOME))}"><img src="${to('logo.svg')}" alt="" width="28" height="28"> Heliograph</a>
<div class="search" role="search" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false"
role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="results">
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p class="status" role="status"></p>
</div>
</header>
<div class="columns${contents === '' ? '' : ' with-contents'}">
<nav class="side" aria-label="All pages">
${navigationOf(path, frame)}
</nav>
<div class="narrow">
<details><summary>All pages</summary>
<nav aria-label="All pages">
${navigationOf(path, frame)}
</nav></details>
${contents && `<details><summary>On this page</summary>\n<nav aria-label="On this page">\n${contents}\n</nav></details>`}
</div>
<main id="content" tabindex="-1">
<article>
${html}</article>
${neighboursOf(path, frame)}
</main>
${contents && `<nav class="contents" aria-label="On this page">\n<p class="group">On this page</p>\n${contents}\n</nav>`}
</div>
<footer><p>Heliograph ${escapeHtml(frame.version)} · Apache-2.0</p></footer>
</body>
</html>
`
}

/** Makes the cards that link to the quick starts, with the first paragraph of each. */
export const cardsHtml = (from: string, documents: readonly Document[]): string => {
  const cards = documents.map(({ path, title, sections }) => {
    const [text = ''] = sections[0]?.texts ?? []
    const href = escapeHtml(relative(pageOf(from), pageOf(path)))
    return `<li><a href="${href}"><strong>${escapeHtml(title)}</strong> <span>${escapeHtml(text)}</span></a></li>`
  })
  return `<ul class="cards">\n${cards.join('\n')}\n</ul>\n`
}

/** Adds the titles of the pages to groups. The home page is called "Overview". */
export const entriesOf = (groups: readonly Group[], documents: ReadonlyMap<string, Document>): Frame['groups'] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(path => ({ path, title: path === HOME ? 'Overview' : (documents.get(path)?.title ?? path) })),
  }))
