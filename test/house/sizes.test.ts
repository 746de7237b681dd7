/** Size limits of the extension. A page's size includes its HTML and all its scripts and style sheets. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { releasedExtension } from '../support/build.ts'

const KB = 1000

let folder: string

beforeAll(async () => {
  folder = await releasedExtension()
  // A build takes as long as the machine is busy.
}, 0)

const gzipped = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length
const built = (path: string): Buffer => readFileSync(join(folder, path))
const text = (path: string): string => built(path).toString()

test.each([
  ['inpage.js', 12 * KB],
  ['content.js', 4 * KB],
  ['as-metamask.js', 1 * KB],
  ['as-ethereum.js', 1 * KB],
])('%s, which pages of the web load, is at most %d bytes', (path, most) => {
  expect(built(path).length).toBeLessThanOrEqual(most)
})

// Nobody downloads the worker at each start; how long that takes is measured by itself (test/e2e/budgets.test.ts). The tables of
// ENSIP-15 are 20 kB of it, and the functions and typed data that the review reads 25 kB: a service worker cannot import them later,
// and they are parsed when they are first needed. Odd forms of what nodes, files and people write take 6 kB.
test('background.js is at most 215 kB gzipped', () => {
  expect(gzipped(built('background.js'))).toBeLessThanOrEqual(215 * KB)
})

test.each([
  ['popup.html', 107],
  ['approval.html', 106],
  ['onboarding.html', 100],
  // A tab, which nobody waits for with a request in hand.
  ['settings.html', 117],
])('%s is at most %i kB gzipped', (page, most) => {
  const files = [page, ...loadedBy(page)]
  expect(files.length).toBeGreaterThan(2)
  const sizes = files.map(path => gzipped(built(path)))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most * KB)
})

/** Scripts and style sheets named by a page, and the scripts that those import. */
const loadedBy = (page: string): string[] => {
  const named = [...text(page).matchAll(/(?:src|href)="\/([\w./-]+\.(?:js|css))"/g)].map(([, path = '']) => path)
  const found = new Set(named)
  for (const path of found) {
    const imports = text(path).matchAll(/(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g)
    for (const [, target = ''] of imports) found.add(join(dirname(path), target))
  }
  return [...found]
}

// The catalogue of contracts is 0.36 MB of it.
test('the unpacked extension is at most 3.5 MB', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(3_500 * KB)
})
