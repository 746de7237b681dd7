/** Checks the extension's size limits. A page's size includes its HTML and all its scripts and style sheets. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { releasedExtension } from '../support/build.ts'

const KB = 1000

let folder: string

beforeAll(async () => {
  folder = await releasedExtension()
  // No timeout: the duration of a build depends on the machine's load.
}, 0)

const gzipped = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length
const built = (path: string): Buffer => readFileSync(join(folder, path))
const text = (path: string): string => built(path).toString()

test.each([
  ['inpage.js', 12 * KB],
  ['content.js', 4 * KB],
  ['as-metamask.js', 1 * KB],
  ['as-ethereum.js', 1 * KB],
])('%s, which websites load, is at most %d bytes', (path, most) => {
  expect(built(path).length).toBeLessThanOrEqual(most)
})

// The worker is not downloaded at each start; test/e2e/budgets.test.ts measures its start. The ENSIP-15 tables take 20
// kB, the functions and typed data that the review reads 25 kB, unusual formats of nodes, files and user input 6 kB, the
// wallet's own looks for tokens 4 kB, comparisons of nodes with proofs 5 kB, batches in one transaction 2 kB, passkeys 1
// kB, panels, notifications and the menu 2 kB, and the sections of backups 8 kB. All of this is included because a
// service worker cannot import it later; the tables are parsed on first use.
test('background.js is at most 241 kB gzipped', () => {
  expect(gzipped(built('background.js'))).toBeLessThanOrEqual(241 * KB)
})

test.each([
  // Values of amounts take 2 kB, the order and the balances of accounts 1 kB, the pages of tokens 3 kB, found tokens 2 kB,
  // passkeys 1 kB, and checks of nodes half a kB. All is in one script, because a chunk that shares modules would run
  // before the hardening.
  // test/e2e/budgets.test.ts measures how fast the popup opens.
  // The shared style sheet has half a kB for the panel.
  ['popup.html', 121],
  ['approval.html', 106],
  // The popup's screens and the approval's. No site waits for it: it is open already when a request arrives.
  ['panel.html', 148],
  ['onboarding.html', 100],
  // The settings open in a tab, so no pending request has to wait until they load. Values take 1 kB, marks
  // and suggestions another. The names of the used interfaces take half a kB of each script, passkeys 2 kB of this one,
  // the section about this browser another, backups 3 kB, and the uses of nodes 1 kB.
  ['settings.html', 136],
])('%s is at most %i kB gzipped', (page, most) => {
  const files = [page, ...loadedBy(page)]
  expect(files.length).toBeGreaterThan(2)
  const sizes = files.map(path => gzipped(built(path)))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most * KB)
})

/** Returns the scripts and style sheets that a page names, and the scripts that those import. */
const loadedBy = (page: string): string[] => {
  const named = [...text(page).matchAll(/(?:src|href)="\/([\w./-]+\.(?:js|css))"/g)].map(([, path = '']) => path)
  const found = new Set(named)
  for (const path of found) {
    const imports = text(path).matchAll(/(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g)
    for (const [, target = ''] of imports) found.add(join(dirname(path), target))
  }
  return [...found]
}

// The catalogues of contracts and tokens take 0.42 MB, the panel's script with the panel's texts 0.48 MB, received
// transfers with theirs 0.01 MB, passkeys and batches in one transaction with theirs 0.02 MB each, and
// backups with theirs 0.07 MB.
test('the unpacked extension is at most 4.37 MB', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(4_370 * KB)
})
