/**
 * Selects the tests that a change can break, by a table of folders. Imports alone are not enough, because browser tests
 * load the built extension, and server tests start bundles.
 */

/** Parts of test file paths, as vitest takes them, or `everything` if no row of the table covers a changed file. */
export type Choice = readonly string[] | 'everything'

const HOUSE = 'test/house/'
/** Tests that run the wallet's core in Node. */
const HEADLESS = [
  ...['fuzz/', 'judgement/', 'libraries/', 'names/', 'session/', 'updates/', 'vectors/'],
  ...['conformance/node-methods', 'faults/wallet-kill'],
].map(name => `test/${name}`)
const SERVERS = ['relay-server/', 'bridge-server/', 'shared/src/server/']
const DOCUMENTS = [HOUSE, 'test/site/', 'test/packages/']

const UI = ['extension/src/ui/', 'test/screens/', 'test/e2e/', HOUSE]
const CORE = ['extension/src/', ...HEADLESS, 'test/e2e/', HOUSE]
const SERVER = [
  ...SERVERS,
  ...['conformance/', 'compat/', 'faults/', 'redis/', 'session/'].map(name => `test/${name}`),
  HOUSE,
]

/** The start of a changed path, and the tests that it selects. The first match applies. */
const ROWS: readonly (readonly [start: string, tests: readonly string[]])[] = [
  ['extension/src/ui/', UI],
  ['extension/public/_locales/', UI],
  ...['wallet/', 'browser/', 'provider/'].map(name => [`extension/src/${name}`, CORE] as const),
  // The rest of `extension/src` is messages between the extension's parts, and scripts that run in pages.
  ['extension/src/', [...CORE, 'test/screens/']],
  ...SERVERS.map(name => [name, SERVER] as const),
  ['deploy/', ['deploy/', ...DOCUMENTS]],
  ...['docs/', '.github/', 'Dockerfile', 'compose.yaml'].map(name => [name, DOCUMENTS] as const),
  // The helpers in these folders are rarely used by other folders.
  ...['e2e', 'house', 'packages', 'redis', 'screens', 'site'].map(
    name => [`test/${name}/`, [`test/${name}/`]] as const,
  ),
]

const testsOf = (path: string): Choice => {
  if (path.endsWith('.test.ts')) return [path]
  if (path.endsWith('.md')) return DOCUMENTS
  return ROWS.find(([start]) => path.startsWith(start))?.[1] ?? 'everything'
}

/** Returns the tests that these changed files select; none if nothing changed. Paths are relative to the repository. */
export const testsFor = (changed: readonly string[]): Choice => {
  const chosen = changed.map(testsOf)
  return chosen.includes('everything') ? 'everything' : [...new Set(chosen.flat())].toSorted()
}

/**
 * Splits off `--changed [BASE]`. `base` is the commit that it names, HEAD without a name, undefined without the flag.
 */
export const splitArguments = (args: readonly string[]): { base: string | undefined; rest: readonly string[] } => {
  const at = args.findIndex(arg => arg === '--changed' || arg.startsWith('--changed='))
  const [flag, next = '-'] = at < 0 ? [] : args.slice(at)
  if (flag === undefined) return { base: undefined, rest: args }
  const isNamed = flag === '--changed' && !next.startsWith('-')
  const base = isNamed ? next : flag.slice('--changed='.length) || 'HEAD'
  return { base, rest: args.toSpliced(at, isNamed ? 2 : 1) }
}
