/** The wallet's records with which reviews compare a request. */
import type { Act } from '../../messages.ts'
import type { Activity, ActivityStore } from '../activity/activity.ts'
import type { Vault } from '../keys/vault.ts'
import type { KnownContracts } from '../networks/known-contracts.ts'
import type { Networks } from '../networks/networks.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import type { Sites } from '../sites/sites.ts'
import { type Cell, ifUnreadable } from '../storage/store.ts'
import type { Assets } from '../tokens/assets.ts'
import { readCall } from './call.ts'
import type { Contacts } from './contacts.ts'
import type { Known } from './known.ts'

/** False for a revocation. */
const mayTake = (act: Act): act is Act & { kind: 'allow' | 'allowAll' } =>
  (act.kind === 'allow' && act.amount !== '0') || (act.kind === 'allowAll' && act.allowed)

const namedBy = ({ account, to, data }: Activity): string[] => {
  if (to === null) return []
  const { acts } = readCall({ from: account, to, data })
  const named = acts.flatMap(act => {
    if (act.kind === 'transfer') return act.amount === '0' ? [] : [act.to]
    return mayTake(act) ? [act.spender] : []
  })
  return [...new Set([to, ...named].map(address => address.toLowerCase()))]
}

/** True for confirmed transactions, except those that speed up or cancel another. */
const counts = ({ status, purpose }: Activity) => purpose === 'transaction' && status === 'confirmed'

/** Counts how often confirmed transactions on a network have paid, called or allowed each address to spend. */
export const usedAddresses = (activity: readonly Activity[], chainId: number): NonNullable<Known['used']> => {
  const times = new Map<string, number>()
  for (const record of activity.filter(record => record.chainId === chainId && counts(record)))
    for (const address of namedBy(record)) times.set(address, (times.get(address) ?? 0) + 1)
  return [...times].map(([address, count]) => ({ address, times: count }))
}

/** Reads the records. While the wallet is locked, accounts and contacts are empty. */
export const readKnown = async (
  parts: {
    vault: Vault
    contacts: Contacts
    sites: Sites
    activity: ActivityStore
    assets: Assets
    networks: Networks
    knownContracts: KnownContracts
    registrableDomain(): Promise<RegistrableDomain>
    /** Names of refused stored values whose notice the user has not dismissed yet. */
    reset: Cell<readonly string[]>
    /** Returns the names of stored values that cannot be read. */
    unreadable(): readonly string[]
  },
  chainId: number,
): Promise<Known> => ({
  accounts: ((await parts.vault.peek())?.accounts ?? []).map(({ address, name, source }) => ({
    address,
    name,
    hasKey: source.kind !== 'watchOnly',
  })),
  contacts: await parts.contacts.list(),
  sites: await parts.sites.list(),
  registrableDomain: await parts.registrableDomain(),
  assets: (await parts.assets.list()).filter(asset => asset.chainId === chainId),
  currencies: (await parts.networks.list()).map(({ currency }) => currency.symbol),
  contracts: await parts.knownContracts(chainId),
  used: await parts.activity.list().then(records => usedAddresses(records, chainId), ifUnreadable(undefined)),
  // `missing` is read last, because reading the other records can change it.
  missing: [...(await parts.reset.read()), ...parts.unreadable()],
})
