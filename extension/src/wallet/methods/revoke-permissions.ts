/**
 * wallet_revokePermissions: removes the site's permissions at its own request. https://eips.ethereum.org/EIPS/eip-2255
 */
import { parseParams } from '@heliograph/shared/wire/params'
import type { Answering } from '../requests/context.ts'
import { assertKnown, permissionsParams } from './request-permissions.ts'

export const revokePermissions: Answering = {
  answer: async ({ requester, disconnect }, params) => {
    const [permissions] = parseParams(params, permissionsParams)
    assertKnown(permissions)
    await disconnect(requester)
    return null
  },
}
