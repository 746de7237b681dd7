/**
 * The test files of the gate, `npm test`: everything essential. `npm run test:all` runs all others, and again the files
 * of which the gate runs only a part. A new file of `test/` belongs to `test:all` until it is listed here. Tests beside
 * the sources all belong to the gate, and `test:all` repeats those with generated cases.
 */

const inFolder = (folder: string, names: readonly string[]) => names.map(name => `test/${folder}/${name}.test.ts`)

/** The extension in Chromium. These files do not repeat tests that need no browser. */
export const GATE_BROWSER: readonly string[] = inFolder('e2e', [
  'compromised-renderer',
  'egress',
  'foundation',
  'hostile',
  'keyboard',
  'kill',
  'libraries',
  'provider',
  'requests',
  'sessions',
])

/** Rules of the repository. Checks of documents and of files for operators, forges and stores belong to `test:all`. */
export const GATE_HOUSE: readonly string[] = inFolder('house', [
  'architecture',
  'checks',
  'contracts',
  'errors',
  'feeds',
  'languages',
  'licences',
  'lock',
  'networks',
  'package',
  'setup',
  'sizes',
  'stores',
  'text',
  'tokens',
])

/**
 * Screens: the approval window, and the safeguards of secrets and funds on other pages. In the gate, `screens` draws
 * one fixture for each component, and `reading` reads one request of each kind. In `test:all`, `screens` draws all
 * fixtures in every mode, with axe, and `reading` reads the other requests.
 */
export const GATE_SCREENS: readonly string[] = inFolder('screens', ['behaviour', 'guards', 'reading', 'screens'])

/** Comparisons with other implementations, of other cases in each complete run, and keystores that take long to open. */
const VECTORS_WITH_GENERATED_CASES = [
  'anvil',
  'calldata',
  'keystores',
  'typed-data',
  'typed-data-anvil',
  'typed-data-domains',
  'typed-data-properties',
]

/** Wallet, servers and clients in Node, with the local store. */
export const GATE_NODE: readonly string[] = [
  ...inFolder('compat', ['bridge', 'relay']),
  ...inFolder('conformance', [
    'bridge',
    'bridge-v1',
    'health-checks',
    'node-methods',
    'relay',
    'relay-together',
    'relay-v2',
    'relay-watch',
    'tokens',
    'transactions',
    'webhooks',
  ]),
  ...inFolder('faults', [
    'bridge-kill',
    'bridge-malformed',
    'json-rpc-fuzz',
    'relay-kill',
    'relay-malformed',
    'stopping',
    'wallet-kill',
    'wallet-kill-lifecycle',
    'webhook-targets',
  ]),
  ...inFolder('fuzz', ['monotone']),
  ...inFolder('judgement', ['judgement']),
  ...inFolder('session', ['client']),
  ...inFolder('updates', ['backups', 'fixtures']),
  'test/libraries/*.test.ts',
  ...inFolder('vectors', [
    ...['batch-delegate', 'derivation', 'ethers', 'phrases', 'proofs', 'rlp', 'signatures', 'transactions', 'wire'],
    ...VECTORS_WITH_GENERATED_CASES,
  ]),
  'test/names/*.test.ts',
  'test/support/*.test.ts',
]

/** Files of the gate that `test:all` runs as well, with more cases, other seeds or the other half of the tests. */
export const IN_BOTH_COMMANDS: readonly string[] = [
  ...inFolder('compat', ['bridge']),
  ...inFolder('conformance', ['bridge-v1']),
  ...inFolder('e2e', ['compromised-renderer']),
  ...inFolder('faults', ['json-rpc-fuzz', 'wallet-kill', 'wallet-kill-lifecycle']),
  ...inFolder('fuzz', ['monotone']),
  ...inFolder('screens', ['reading', 'screens']),
  ...inFolder('vectors', VECTORS_WITH_GENERATED_CASES),
]

/**
 * The files that take longest, the longest first. `test/support/longest-first.ts` starts them before the other files of
 * their part.
 */
export const LONGEST: readonly string[] = [
  ...inFolder('screens', ['screens']),
  ...inFolder('site', ['commands']),
  ...inFolder('packages', ['reproducible', 'bare', 'image']),
  ...inFolder('faults', ['relay-floods', 'bridge-floods']),
  ...inFolder('redis', ['operations', 'mailbox', 'storm']),
  ...inFolder('bench', ['libraries']),
  ...inFolder('site', ['browser']),
  ...inFolder('e2e', ['planted', 'attention', 'sessions-away', 'update']),
]

/** Measurements of time. `test:all` runs them last, one at a time. */
export const ALONE: readonly string[] = [
  ...inFolder('abuse', ['*']),
  ...inFolder('bench', ['bench']),
  ...inFolder('e2e', ['budgets']),
  ...inFolder('faults', ['soak']),
]
