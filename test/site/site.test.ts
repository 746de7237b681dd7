/** The site of this checkout: complete, small, and reproducible. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildSite } from '../../deploy/site/build.ts'
import { GROUPS } from '../../deploy/site/navigation.ts'
import { documentPaths, readSource } from '../../deploy/site/sources.ts'

/** Maximum sizes in bytes. */
const MAX_INDEX_GZIP = 150_000
const MAX_SCRIPT = 12_000
const MAX_STYLE = 24_000
const MAX_PAGE = 200_000
/** Maximum bytes of the site, without pictures. */
const MAX_SITE = 3_000_000

const site = buildSite(documentPaths(), readSource)
const bytesOf = (path: string): Uint8Array => {
  const bytes = site.get(path)
  if (!bytes) throw new Error(`the site has no ${path}`)
  return bytes
}
const pages = [...site].filter(([path]) => path.endsWith('.html'))
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('every document is in one group of the navigation (deploy/site/navigation.ts)', () => {
  expect(GROUPS.flatMap(({ pages }) => pages).toSorted()).toEqual(documentPaths())
})

test('the index of the search, the script, the style and each page are small', () => {
  expect(gzipSync(bytesOf('search-index.js')).length).toBeLessThan(MAX_INDEX_GZIP)
  expect(bytesOf('search.js').length).toBeLessThan(MAX_SCRIPT)
  expect(bytesOf('site.css').length).toBeLessThan(MAX_STYLE)
  for (const [path, bytes] of pages) expect(bytes.length, path).toBeLessThan(MAX_PAGE)
  const sizes = [...site].filter(([path]) => !path.endsWith('.png')).map(([, bytes]) => bytes.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SITE)
})

test('the same sources give the same bytes, whatever the order of the files', () => {
  const again = buildSite(documentPaths().toReversed(), readSource)
  expect([...again.keys()]).toEqual([...site.keys()])
  for (const [path, bytes] of again) expect(Buffer.compare(bytes, bytesOf(path)), path).toBe(0)
})

test('pages load only files of the site, by relative links, and have no inline scripts or styles', () => {
  expect(pages.length).toBeGreaterThan(20)
  for (const [path, bytes] of pages) {
    const html = textOf(bytes)
    const loaded = [...html.matchAll(/<(?:script|img|link)\b[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, link = '']) => link,
    )
    expect(loaded.length, path).toBeGreaterThan(4)
    for (const link of loaded)
      expect(site.has(new URL(link, `https://site/${path}`).pathname.slice(1)), link).toBe(true)
    expect(html).toContain(
      `content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';`,
    )
    expect(html).not.toMatch(/<style|style="|<script(?! defer src)|\son\w+="/)
  }
})
