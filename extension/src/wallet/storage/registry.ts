/**
 * All names in the wallet's storage, and the format of the data on disk. Other names cannot be used, so removing the
 * wallet clears all of its data. A wallet version that does not know the stored format does not read or write any data,
 * so downgrading loses nothing.
 */
import { rpcError } from '../text/errors.ts'
import type { Store, Stores } from './store.ts'

/**
 * The format that this version writes. Increase it with a change that an older version would misread, and convert the
 * older format where it is read. Format 1, first written by version 0.1.0, has no format record. In format 2, sealed
 * values have a revision.
 */
export const FORMAT = 2

/** Name of the format record. */
export const FORMAT_RECORD = 'format'

/** Format of the stored data, and the first wallet version that wrote it in this format. */
type Written = { format: number; version: string }

export type FormattedStore = Store & {
  /** True if the data was written in a newer format. Every access then throws 4100 `dataNewer`. */
  isNewer(): Promise<boolean>
}

/** Wraps the store on disk: records the format before the first write. `version` is the wallet's version. */
export const inFormat = (local: Store, version: string): FormattedStore => {
  /** Format of the data. Undefined until it is read, and after the data was removed. */
  let known: number | undefined

  const read = async () => (await local.get(FORMAT_RECORD)) as Written | undefined

  const formatOf = async (): Promise<number> => {
    if (known !== undefined) return known
    const written = await read()
    const format = written?.format ?? 1
    if (written && format > FORMAT) throw rpcError('unauthorized', 'dataNewer', { version: written.version })
    known = format
    return format
  }

  return {
    isNewer: async () => ((await read())?.format ?? 1) > FORMAT,
    get: async name => {
      await formatOf()
      return local.get(name)
    },
    set: async (name, value) => {
      if ((await formatOf()) < FORMAT) {
        await local.set(FORMAT_RECORD, { format: FORMAT, version } satisfies Written)
        known = FORMAT
      }
      await local.set(name, value)
    },
    remove: async name => {
      await formatOf()
      await local.remove(name)
      if (name === FORMAT_RECORD) known = undefined
    },
  }
}

/** Name of the session value that is set while the wallet is being removed. */
export const REMOVING = 'removing'

/** Small values that are sealed together in the record `settings`, so none of them can be removed unnoticed. */
export const SETTINGS = [
  'account',
  'auto-lock',
  'chain-id',
  'currency',
  'gateways',
  'looks-by-itself',
  'network-list',
  'networks',
  'node-uses',
  'notifies',
  'reset',
  'rpc-urls',
  'safety',
  'site-choices',
  'site-networks',
  'sites',
] as const

/** Values that are sealed separately. A missing value counts as empty, as in a new wallet. */
export const SEALED_FILES = [
  'activity',
  'assets',
  'bundles',
  'chains',
  'descriptors',
  'interfaces',
  'last-asked',
  'seen-prices',
] as const

/**
 * Sealed values that decide whether a transaction is sent again, and what sites are told about it. If such a value
 * cannot be read, its readers get an error. Other unreadable values count as empty, and are not overwritten.
 */
export const STRICT_FILES = ['activity', 'bundles'] as const satisfies readonly (typeof SEALED_FILES)[number][]

/**
 * Allowed names in each storage area. For `settings` and `unverified`, see trusted-store.ts, for `early-settings`
 * adoption.ts, for `revisions` sealing.ts.
 */
export const REGISTRY = {
  local: [
    // Readable only while the wallet is unlocked: see sealed-cell.ts.
    'contacts',
    'found-tokens',
    'incoming-transfers',
    'last-holdings',
    'sessions',
    'token-looks',
    ...SEALED_FILES,
    'revisions',
    'settings',
    'unverified',
    'vault-previous',
    'vault-damaged',
    'vault',
    // Removed last, so that an interrupted removal does not leave data without its format.
    FORMAT_RECORD,
  ],
  session: [
    'drafts',
    'early-settings',
    'filters',
    'focus-taken',
    'lock-at',
    'published',
    'rejections',
    REMOVING,
    'requests',
    'revisions',
    'settings-key',
    'shown-proposals',
    'subscriptions',
    'vault-key',
  ],
} as const

/** Values without observers: they are not part of the pages' state, and no other value depends on them. */
export const UNOBSERVED: ReadonlySet<string> = new Set([
  'drafts',
  'filters',
  'focus-taken',
  'found-tokens',
  'incoming-transfers',
  'lock-at',
  'revisions',
  'seen-prices',
  'shown-proposals',
])

/** Session values about open tabs and windows, and about an update of the extension. They are kept when the wallet is removed. */
export const BROWSER_VALUES = ['approval-window', 'pages', 'update-waits'] as const

const guard = (store: Store, names: readonly string[]): Store => {
  const known = new Set(names)
  const checked = (name: string): string => {
    if (known.has(name)) return name
    throw new Error(`The store ${name} is not in the registry`)
  }
  return {
    get: async name => store.get(checked(name)),
    set: async (name, value) => store.set(checked(name), value),
    remove: async name => store.remove(checked(name)),
  }
}

/** Restricts stores to registered names; other names throw. Names of earlier versions' settings can be read. */
export const registered = ({ local, session }: Stores): Stores => ({
  local: guard(local, [...REGISTRY.local, ...SETTINGS]),
  session: guard(session, [...REGISTRY.session, ...BROWSER_VALUES]),
})

/** Erases the wallet. The removal mark is deleted last, so an interrupted removal is repeated. */
export const eraseAll = async ({ local, session }: Stores): Promise<void> => {
  for (const name of [...SETTINGS, ...REGISTRY.local]) await local.remove(name)
  for (const name of REGISTRY.session) if (name !== REMOVING) await session.remove(name)
  await session.remove(REMOVING)
}
