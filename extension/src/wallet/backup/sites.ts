/** Sections of sites: their accounts, the user's settings for them, and their networks. */
import type { Address } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import * as v from 'valibot'
import { siteAccounts } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'
import { lower, plain, type Section } from './section.ts'
import { address, chainId, flag, listOf, origin, time } from './values.ts'

const MAX_SITE_ACCOUNTS = 1_000

const ofOrigin = ({ origin: own }: { origin: string }): string => own

export const sites: Section<'sites'> = {
  name: 'sites',
  schema: v.object({
    origin,
    accounts: listOf(address, MAX_SITE_ACCOUNTS, 1),
    since: v.nullish(time, 0),
  }),
  idOf: ofOrigin,
  read: async parts => parts.sites.list(),
  compare: ({ accounts }, known) => (accounts.join() === known.accounts.join() ? 'same' : 'differs'),
  fitting:
    ({ held }) =>
    site => {
      const accounts = site.accounts.filter(one => held.accounts.get(lower(one))?.hidden === false)
      const [first = ''] = site.accounts
      if (accounts.length === 0) throw rpcError('invalidParams', 'unknownAccount', { address: first })
      return plain({ ...site, accounts })
    },
  write: async ({ parts }, items) => {
    for (const { origin: own, accounts, since } of items) {
      const site = await parts.sites.connect(own, accounts as readonly Address[], since)
      parts.announce({ origin: own, event: 'accountsChanged', data: siteAccounts(site) })
    }
  },
}

export const siteSettings: Section<'siteSettings'> = {
  name: 'siteSettings',
  schema: v.object({ origin, asMetaMask: flag, asEthereum: flag, readsLocalNode: flag, isBlocked: flag }),
  idOf: ofOrigin,
  read: async parts => parts.choices.list(),
  isLaxer: (value, known) =>
    (value.readsLocalNode && known?.readsLocalNode !== true) || (known?.isBlocked === true && !value.isBlocked),
  write: async ({ parts }, items) => {
    for (const { origin: own, ...change } of items) await parts.onChoices(await parts.choices.change(own, change))
  },
}

export const siteNetworks: Section<'siteNetworks'> = {
  name: 'siteNetworks',
  schema: v.object({ origin, chainId }),
  idOf: ofOrigin,
  read: async ({ networks }) =>
    Promise.all(
      (await networks.sitesApart()).map(async own => ({ origin: own, chainId: (await networks.of(own)).chainId })),
    ),
  fitting:
    ({ parts, held }) =>
    item => {
      if (parts.networks.isAdded(item.chainId) && !held.networks.has(String(item.chainId)))
        throw rpcError('invalidParams', 'unknownNetwork', { chainId: item.chainId })
      return plain(item)
    },
  write: async ({ parts }, items) => {
    for (const { origin: own, chainId: chosen } of items) {
      const before = await parts.networks.of(own)
      await parts.networks.choose(own, chosen)
      if (before.chainId !== chosen)
        parts.announce({ event: 'chainChanged', origin: own, data: encodeQuantity(chosen) })
    }
  },
}
