/**
 * eth_accounts: returns the site's accounts, even while the wallet is locked. Libraries treat an empty list as a
 * disconnect, so locking must not produce one.
 */
import type { Answering } from '../requests/context.ts'
import { siteAccounts } from '../sites/sites.ts'

export const accounts: Answering = {
  answer: async ({ requester, grants }) => {
    const site = await grants.siteOf(requester)
    return site ? siteAccounts(site) : []
  },
}
