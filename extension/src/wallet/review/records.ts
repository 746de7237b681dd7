/** The wallet's records with which reviews compare a request. */

import type { ActivityStore } from '../activity/activity.ts'
import { ifUnreadable } from '../keys/unreadable.ts'
import type { Vault } from '../keys/vault.ts'
import type { KnownContracts } from '../networks/known-contracts.ts'
import type { Networks } from '../networks/networks.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import type { Sites } from '../sites/sites.ts'
import type { Cell } from '../storage/store.ts'
import type { Assets } from '../tokens/assets.ts'
import type { Contacts } from './contacts.ts'
import type { Known } from './known.ts'
import { usedAddresses } from './used.ts'

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
