/** Builds the site from documents that a test writes. */
import { expect, test } from 'vitest'
import { buildSite } from './build.ts'
import type { Source } from './links.ts'
import { GROUPS } from './navigation.ts'
import { readSource } from './sources.ts'

const paths = GROUPS.flatMap(({ pages }) => pages)
const documents = Object.fromEntries(paths.map(path => [path, `# Title of ${path}\n\nText.\n`]))
const encoder = new TextEncoder()

/** Builds the site from this checkout, with the texts in `changed` in place of some documents. */
const site = (changed: Readonly<Record<string, string>>, others: readonly string[] = []) => {
  const texts: Record<string, string> = { ...documents, ...changed }
  const source: Source = path => {
    const text = texts[path]
    return text === undefined ? readSource(path) : encoder.encode(text)
  }
  return buildSite([...paths, ...others], source)
}
const pageOf = (text: string, path = 'docs/metrics.md'): string =>
  new TextDecoder().decode(site({ [path]: text }).get(path.replace('.md', '.html')))

const metrics = (text: string) => pageOf(`# Metrics\n\n${text}\n\n## Two words\n`)

test.each([
  ['[a](scaling.md)', 'href="scaling.html"'],
  ['[a](scaling.md#title-of-docsscalingmd)', 'href="scaling.html#title-of-docsscalingmd"'],
  ['[a](../README.md)', 'href="../index.html"'],
  ['[a](../CONTRIBUTING.md)', 'href="../CONTRIBUTING.html"'],
  ['[a](#two-words)', 'href="#two-words"'],
  ['[a](../deploy/nginx.conf)', 'href="../deploy/nginx.conf.html"'],
  ['[a](https://example.org/?a=1&b)', 'href="https://example.org/?a=1&amp;b" rel="external noreferrer"'],
  ['![a "b"](home.png)', 'src="home.png" alt="a &quot;b&quot;" width="'],
])('%s is a link that works without a server', (markdown, html) => {
  expect(metrics(markdown)).toContain(html)
})

test.each([
  ['[a](gone.md)', 'docs/metrics.md links to gone.md, which does not exist'],
  ['[a](scaling.md#gone)', 'docs/metrics.md links to scaling.md#gone, which has no such heading'],
  ['[a](#gone)', 'docs/metrics.md links to #gone, which has no such heading'],
  ['[a](../deploy)', 'docs/metrics.md links to ../deploy, which does not exist'],
  ['![a](gone.png)', 'docs/metrics.md links to gone.png, which does not exist'],
  ['![a](scaling.md)', 'docs/metrics.md shows scaling.md, which is not a PNG of the repository'],
  ['[a](../../../outside.md)', 'docs/metrics.md links to ../../../outside.md, which does not exist'],
  ['[a](javascript:alert)', 'docs/metrics.md links to javascript:alert, which is neither relative nor https'],
  ['[a](http://example.org)', 'docs/metrics.md links to http://example.org, which is neither relative nor https'],
  ['[a](//example.org)', 'docs/metrics.md links to //example.org, which is neither relative nor https'],
  ['<b>a</b>', 'docs/metrics.md contains raw HTML, which the site does not show: <b>'],
  ['- a\n  <script src="x"></script>', 'docs/metrics.md contains raw HTML'],
  ['# Second title', 'docs/metrics.md must start with its title'],
])('%s fails the build with one clear error', (markdown, message) => {
  expect(() => metrics(markdown)).toThrow(message)
})

test('text and code are escaped, and comments are left out', () => {
  const html = metrics('`<i>` & "a"\n\n<!-- a comment -->\n\n```sh\n<script>\n```')
  expect(html).toContain('<code>&lt;i&gt;</code> &amp; &quot;a&quot;')
  expect(html).toContain('<code class="language-sh">&lt;script&gt;')
  expect(html).not.toContain('comment')
})

test('headings have the anchors that GitHub gives them, also if their text repeats', () => {
  const html = pageOf('# A\n\n## uWebSockets.js: the `repack`\n\n## Same\n\n## Same\n')
  for (const id of ['uwebsocketsjs-the-repack', 'same', 'same-1']) expect(html).toContain(`<h2 id="${id}">`)
})

test('if the first column of a table has no name, its cells are row headers', () => {
  const html = metrics('| | Chromium |\n| --- | --- |\n| background | worker |')
  expect(html).toContain('<thead><tr><td></td><th scope="col">Chromium</th></tr></thead>')
  expect(html).toContain('<tr><th scope="row">background</th><td>worker</td></tr>')
})

test('a document that is in no group is under "More", at the end', () => {
  const files = site({ 'docs/new.md': '# A new one\n' }, ['docs/new.md'])
  const html = new TextDecoder().decode(files.get('docs/new.html'))
  expect(html).toMatch(/More<\/p>\s*<ul>\s*<li><a href="new\.html" aria-current="page">A new one/)
})

test('a document that the navigation names but that does not exist fails the build', () => {
  expect(() => buildSite(paths.slice(0, -1), path => encoder.encode(documents[path] ?? '{}'))).toThrow(
    `the navigation names ${paths.at(-1)}, which does not exist`,
  )
})
