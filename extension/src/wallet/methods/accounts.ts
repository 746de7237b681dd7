/** eth_accounts: the accounts the site was connected to, and none while the wallet is locked. */
import type { Answering } from '../method.ts'
import { siteAccounts } from '../sites.ts'

export const accounts: Answering = {
  answer: async ({ origin, sites, vault }) => {
    const site = await sites.get(origin)
    return site && (await vault.phase()) === 'unlocked' ? siteAccounts(site) : []
  },
}
