/** wallet_getPermissions: what the site may do, EIP-2255. As eth_accounts, nothing is told while the wallet is locked. */
import type { Answering } from '../method.ts'
import { permissionsOf } from '../permissions.ts'

export const getPermissions: Answering = {
  answer: async ({ origin, sites, vault }) => {
    const site = await sites.get(origin)
    return site && (await vault.phase()) === 'unlocked' ? permissionsOf(site) : []
  },
}
