/**
 * Every name under which the wallet keeps something. A store that is not listed here cannot be used, so that removing the
 * wallet clears all of them.
 */
import type { Store, Stores } from './store.ts'

/** Set in the session while the wallet is being removed. */
export const REMOVING = 'removing'

/** Sealed together, in the one record `settings`: small values, of which none may go missing unnoticed. */
export const SETTINGS = [
  'account',
  'auto-lock',
  'chain-id',
  'networks',
  'reset',
  'rpc-urls',
  'safety',
  'site-choices',
  'site-networks',
  'sites',
] as const

/** Sealed each by itself. Without one the wallet knows no more than a new one. */
export const SEALED_FILES = ['activity', 'assets', 'bundles', 'chains', 'interfaces', 'seen-prices'] as const

/** What each area of the browser's storage may hold. `settings`, `unverified` and `early-settings`: see trusted-store.ts. */
export const REGISTRY = {
  local: [
    // Readable only while the wallet is unlocked, see sealed-cell.ts.
    'contacts',
    'found-tokens',
    'last-holdings',
    'sessions',
    ...SEALED_FILES,
    'settings',
    'unverified',
    'vault-previous',
    'vault-damaged',
    'vault',
  ],
  session: [
    'drafts',
    'early-settings',
    'filters',
    'focus-taken',
    'lock-at',
    'rejections',
    REMOVING,
    'requests',
    'settings-key',
    'shown-proposals',
    'subscriptions',
    'vault-key',
  ],
} as const

/** Session values that are about open tabs and windows, not about the wallet. They stay when it is removed. */
export const BROWSER_VALUES = ['approval-window', 'pages'] as const

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

/** The same stores for the names of the registry alone. Any other name throws. Settings of earlier versions can be read. */
export const registered = ({ local, session }: Stores): Stores => ({
  local: guard(local, [...REGISTRY.local, ...SETTINGS]),
  session: guard(session, [...REGISTRY.session, ...BROWSER_VALUES]),
})

/** Removes everything that the wallet keeps. The mark of a removal goes last, so that one that was interrupted is repeated. */
export const eraseAll = async ({ local, session }: Stores): Promise<void> => {
  for (const name of [...SETTINGS, ...REGISTRY.local]) await local.remove(name)
  for (const name of REGISTRY.session) if (name !== REMOVING) await session.remove(name)
  await session.remove(REMOVING)
}
