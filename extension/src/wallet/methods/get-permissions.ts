/** wallet_getPermissions: what the site may do, EIP-2255. As eth_accounts, it answers while the wallet is locked as well. */
import type { Answering } from '../method.ts'
import { permissionsOf } from '../permissions.ts'

export const getPermissions: Answering = {
  answer: async ({ origin, sites }) => {
    const site = await sites.get(origin)
    return site ? permissionsOf(site) : []
  },
}
