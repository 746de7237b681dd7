/** Size limits of the extension. A page's size includes its HTML and all its scripts and style sheets. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { releasedExtension } from '../support/build.ts'
import { root } from '../support/root.ts'
import { filesBelow } from './sources.ts'

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
// ENSIP-15 are 20 kB of it: a service worker cannot import them later, and they are read with the first name.
test('background.js is at most 180 kB gzipped', () => {
  expect(gzipped(built('background.js'))).toBeLessThanOrEqual(180 * KB)
})

test.each([
  ['popup.html', 100],
  ['approval.html', 100],
  ['onboarding.html', 100],
  // A tab, which nobody waits for with a request in hand.
  ['settings.html', 110],
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

test('the unpacked extension is at most 2.85 MB', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(2_850 * KB)
})

/** Gzipped size of a script with these exports and the packages behind them. */
const bundled = async (exports: readonly string[]): Promise<number> => {
  const entry = 'virtual:all'
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'all',
        resolveId: id => (id === entry ? id : null),
        load: id => (id === entry ? exports.join('\n') : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  expect(output).toHaveLength(1)
  return gzipped(output[0].code)
}

/** Everything that the files of these folders export. */
const allOf = (...folders: string[]): string[] =>
  folders
    .flatMap(folder => filesBelow(folder))
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path, index) => `export * as _${index} from '${join(root, path)}'`)

const IMPORT = /^import \{([^}]+)\} from '@heliograph\/shared\/((?:evm|wire)\/[\w-]+)'/gm

/** Imports of evm and wire in the extension. */
const usedByExtension = (): string[] =>
  filesBelow('extension/src')
    .filter(path => !/\.(?:test|fixture)\.ts$/.test(path))
    .flatMap(path => [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)])
    .flatMap(([, names = '', module]) =>
      names
        .split(',')
        .map(name => name.trim().replace(/ as .*/, ''))
        .filter(name => name !== '' && !name.startsWith('type '))
        .map(name => ({ name, module })),
    )
    .map(({ name, module }, index) => `export { ${name} as _${index} } from '${join(root, `shared/src/${module}.ts`)}'`)

test('evm with noble is at most 34 kB gzipped', async () => {
  expect(await bundled(allOf('shared/src/evm'))).toBeLessThanOrEqual(34 * KB)
})

test('the part of evm and wire used by the extension, with noble, is at most 52 kB gzipped', async () => {
  const used = usedByExtension()
  expect(used.length).toBeGreaterThan(20)
  expect(await bundled(used)).toBeLessThanOrEqual(52 * KB)
})

// The curves, hashes and ciphers of both, which no bundle carries together, take 30 kB of this by themselves.
test('all of evm and wire, with their packages, is at most 56 kB gzipped', async () => {
  expect(await bundled(allOf('shared/src/evm', 'shared/src/wire'))).toBeLessThanOrEqual(56 * KB)
})
