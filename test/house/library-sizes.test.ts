/** Size limits of the shared code, bundled with its packages. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'
import { filesBelow, read } from './sources.ts'

const KB = 1000

/** Returns the gzipped size, in bytes, of a script with these exports and the packages that they need. */
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
  return gzipSync(output[0].code, { level: 9 }).length
}

/** Returns exports of everything that the files of these folders export. */
const allOf = (...folders: string[]): string[] =>
  folders
    .flatMap(folder => filesBelow(folder))
    .filter(path => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path))
    .map((path, index) => `export * as _${index} from '${join(root, path)}'`)

const IMPORT = /^import \{([^}]+)\} from '@heliograph\/shared\/((?:evm|wire)\/[\w-]+)'/gm

/** Returns exports of everything that the extension imports from evm and wire. */
const usedByExtension = (): string[] =>
  filesBelow('extension/src')
    .filter(path => !/\.(?:test|fixture)\.ts$/.test(path))
    .flatMap(path => [...read(path).matchAll(IMPORT)])
    .flatMap(([, names = '', module]) =>
      names
        .split(',')
        .map(name => name.trim().replace(/ as .*/, ''))
        .filter(name => name !== '' && !name.startsWith('type '))
        .map(name => ({ name, module })),
    )
    .map(({ name, module }, index) => `export { ${name} as _${index} } from '${join(root, `shared/src/${module}.ts`)}'`)

test('evm with noble is at most 38 kB gzipped', async () => {
  expect(await bundled(allOf('shared/src/evm'))).toBeLessThanOrEqual(38 * KB)
})

test('the part of evm and wire used by the extension, with noble, is at most 59 kB gzipped', async () => {
  const used = usedByExtension()
  expect(used.length).toBeGreaterThan(20)
  expect(await bundled(used)).toBeLessThanOrEqual(59 * KB)
})

// The curves, hashes and ciphers of both libraries account for 30 kB. No real bundle contains all modules.
test('all of evm and wire, with their packages, is at most 63 kB gzipped', async () => {
  expect(await bundled(allOf('shared/src/evm', 'shared/src/wire'))).toBeLessThanOrEqual(63 * KB)
})
