/**
 * wallet_getPermissions: returns the site's permissions (EIP-2255). Like eth_accounts, it also works while the wallet
 * is locked.
 */
import type { Answering } from '../requests/context.ts'
import { permissionsOf } from '../sites/permissions.ts'

export const getPermissions: Answering = {
  answer: async ({ requester, grants }) => {
    const site = await grants.siteOf(requester)
    return site ? permissionsOf(site) : []
  },
}
