/** The wallet's stored data except keys: settings, activity, and pending work. */
import type { Network } from '@heliograph/shared/network'
import { createActivity } from './activity/activity.ts'
import { createBundles } from './activity/bundles.ts'
import { createChainResets } from './activity/chain-resets.ts'
import { createGateways } from './collectibles/gateways.ts'
import { createDescriptors } from './descriptors/descriptors.ts'
import { createSeenPrices } from './fees/seen-prices.ts'
import { createSafety } from './keys/safety.ts'
import type { Sealing } from './keys/sealed-cell.ts'
import type { TrustedStore } from './keys/trusted-store.ts'
import type { Vault } from './keys/vault.ts'
import { createNetworks } from './networks/networks.ts'
import type { Chain } from './networks/node.ts'
import { createRequests } from './requests/store.ts'
import { createContacts } from './review/contacts.ts'
import { createInterfaces } from './review/interfaces.ts'
import { createFilters } from './sites/filters.ts'
import { createLastAsked, createSiteChoices, createSites } from './sites/sites.ts'
import { createCell, type Store } from './storage/store.ts'
import { createAssets } from './tokens/assets.ts'
import { createFound } from './tokens/found.ts'
import { createIncoming } from './tokens/incoming.ts'
import { createKept } from './tokens/kept.ts'
import { createLooks } from './tokens/looks.ts'

export type RecordsParts = {
  trusted: TrustedStore
  sealing: Sealing
  session: Store
  vault: Vault
  chain: Chain
  /** A new wallet's networks. The first one is selected. */
  networks: readonly Network[]
  now(): number
}

export type Records = ReturnType<typeof createRecords>

export const createRecords = (parts: RecordsParts) => {
  const { trusted, sealing, session, vault, chain, now } = parts
  const activity = createActivity(trusted)
  return {
    sites: createSites(trusted),
    networks: createNetworks(trusted, parts.networks),
    choices: createSiteChoices(trusted),
    lastAsked: createLastAsked(trusted),
    selectedAccount: createCell<string | null>(trusted, 'account', null),
    safety: createSafety(trusted, vault),
    assets: createAssets(trusted),
    contacts: createContacts(sealing),
    interfaces: createInterfaces(trusted),
    descriptors: createDescriptors(trusted, now),
    found: createFound(sealing),
    incoming: createIncoming(sealing),
    kept: createKept(sealing),
    looks: createLooks(sealing),
    looksByItself: createCell<boolean>(trusted, 'looks-by-itself', true),
    gateways: createGateways(trusted),
    /** True if the user switched on notices outside the wallet's pages. */
    notifies: createCell<boolean>(trusted, 'notifies', false),
    /** Code of the currency in which values are shown; null if they are off. */
    currency: createCell<string | null>(trusted, 'currency', null),
    bundles: createBundles(trusted),
    activity,
    chainResets: createChainResets({ store: trusted, chain, activity }),
    seenPrices: createSeenPrices(trusted, now),
    requests: createRequests(session),
    filters: createFilters(session),
  }
}
