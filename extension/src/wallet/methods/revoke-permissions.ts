/**
 * wallet_revokePermissions: removes the site's permissions at its own request. https://eips.ethereum.org/EIPS/eip-2255
 */
import { parseParams } from '@heliograph/shared/wire/params'
import type { Answering } from '../requests/context.ts'
import { NETWORKS_PERMISSION } from '../sites/permissions.ts'
import { assertKnown, permissionsParams } from './request-permissions.ts'

export const revokePermissions: Answering = {
  answer: async ({ requester, disconnect }, params) => {
    const [permissions] = parseParams(params, permissionsParams)
    // As in MetaMask, revoking a site's networks revokes its accounts too.
    if (!Object.hasOwn(permissions, NETWORKS_PERMISSION)) assertKnown(permissions)
    await disconnect(requester)
    return null
  },
}
