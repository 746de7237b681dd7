/**
 * eth_accounts: the accounts the site was connected to, also while the wallet is locked. Libraries take an empty list for
 * the end of the connection, so locking must not produce one.
 */
import type { Answering } from '../method.ts'
import { siteAccounts } from '../sites.ts'

export const accounts: Answering = {
  answer: async ({ origin, sites }) => {
    const site = await sites.get(origin)
    return site ? siteAccounts(site) : []
  },
}
