/**
 * eth_accounts: returns the site's accounts, even while the wallet is locked. Libraries treat an empty list as a
 * disconnect, so locking must not produce one.
 */
import type { Answering } from '../method.ts'
import { siteAccounts } from '../sites.ts'

export const accounts: Answering = {
  answer: async ({ origin, sites }) => {
    const site = await sites.get(origin)
    return site ? siteAccounts(site) : []
  },
}
