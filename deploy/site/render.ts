/** Renders a document as HTML, without the document's own raw HTML. */
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './html.ts'
import type { Resolve, Source } from './links.ts'
import { type Document, plainText } from './markdown.ts'

export type Rendered = {
  /** The title and the first paragraph. */
  lead: string
  rest: string
  /** Files of the repository that the document links to or shows. */
  files: readonly string[]
}

/** Returns the width and height of a PNG, from its first chunk: https://www.w3.org/TR/png-3/#11IHDR */
const sizeOf = (png: Uint8Array): string => {
  const view = new DataView(png.buffer, png.byteOffset)
  return `width="${view.getUint32(16)}" height="${view.getUint32(20)}"`
}

const isEmpty = ({ tokens }: Tokens.TableCell): boolean => plainText(tokens) === ''

/** Renders a document. Throws what `resolve` throws. */
export const render = (document: Document, resolve: Resolve, source: Source): Rendered => {
  const files = new Set<string>()
  const follow = (href: string) => {
    const target = resolve(document, href)
    if (target.file !== undefined) files.add(target.file)
    return target
  }

  const marked = new Marked({
    renderer: {
      heading(token) {
        const heading = document.headings.get(token)
        const inner = this.parser.parseInline(token.tokens)
        if (!heading) return `<p><strong>${inner}</strong></p>\n`
        const { id, depth } = heading
        const anchor =
          depth === 1 ? '' : ` <a class="anchor" href="#${escapeHtml(id)}" aria-hidden="true" tabindex="-1">#</a>`
        return `<h${depth} id="${escapeHtml(id)}">${inner}${anchor}</h${depth}>\n`
      },
      // Only comments get here, because readMarkdown refuses other HTML.
      html: () => '',
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ')
        const kind = language === '' ? '' : ` class="language-${escapeHtml(language)}"`
        return `<pre tabindex="0"><code${kind}>${escapeHtml(text)}\n</code></pre>\n`
      },
      table({ header, rows }) {
        // If the first column has no name, its cells are the headers of the rows.
        const isNamed = header[0] !== undefined && isEmpty(header[0])
        const cell = (tag: string, { tokens }: Tokens.TableCell, scope = '') =>
          `<${tag}${scope && ` scope="${scope}"`}>${this.parser.parseInline(tokens)}</${tag}>`
        const head = header.map(name => (isEmpty(name) ? '<td></td>' : cell('th', name, 'col'))).join('')
        const body = rows.map(
          cells =>
            `<tr>${cells.map((each, column) => (isNamed && column === 0 ? cell('th', each, 'row') : cell('td', each))).join('')}</tr>\n`,
        )
        const names = header.map(({ tokens }) => plainText(tokens)).filter(Boolean)
        const label = escapeHtml(`Table: ${names.join(', ')}`)
        return `<div class="table" role="group" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>\n${body.join('')}</tbody>
</table></div>\n`
      },
      link({ href, tokens }) {
        const target = follow(href)
        const relation = target.isExternal ? ' rel="external noreferrer"' : ''
        return `<a href="${escapeHtml(target.href)}"${relation}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        const { href: place, file } = follow(href)
        const bytes = file?.endsWith('.png') && source(file)
        if (!bytes) throw new Error(`${document.path} shows ${href}, which is not a PNG of the repository`)
        const from = escapeHtml(place)
        return `<a class="picture" href="${from}"><img src="${from}" alt="${escapeHtml(text)}" ${sizeOf(bytes)} loading="lazy"></a>`
      },
    },
  })

  const first = document.tokens.findIndex(({ type }) => type === 'paragraph') + 1
  const html = (tokens: readonly Token[]) => marked.parser([...tokens])
  return {
    lead: html(document.tokens.slice(0, first)),
    rest: html(document.tokens.slice(first)),
    files: [...files].toSorted(),
  }
}
