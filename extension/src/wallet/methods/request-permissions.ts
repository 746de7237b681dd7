/**
 * wallet_requestPermissions: lets the person select the site's accounts, even if it is already connected.
 * https://eips.ethereum.org/EIPS/eip-2255
 */

import { isObject } from '@heliograph/shared/evm/json'
import { nodeValues } from '@heliograph/shared/wire/node-values'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Asking } from '../requests/context.ts'
import { ACCOUNTS_CAVEAT, ACCOUNTS_PERMISSION, permissionsOf } from '../sites/permissions.ts'
import { rpcError } from '../text/errors.ts'
import { connectDraft, connectPicked } from './connect-site.ts'

const MAX_ACCOUNTS = 100

/** Permission names with their caveats. At least one is required. */
export const permissionsParams = v.strictTuple([
  v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'must be an object of permissions'),
    v.check(permissions => Object.keys(permissions).length > 0, 'must name a permission'),
  ),
])

/** Throws 4200 for an unknown permission. */
export const assertKnown = (permissions: Record<string, unknown>): void => {
  const unknown = Object.keys(permissions).find(name => name !== ACCOUNTS_PERMISSION)
  if (unknown !== undefined) throw rpcError('unsupportedMethod', 'otherPermission', { permission: ACCOUNTS_PERMISSION })
}

/** An unknown caveat cannot be enforced, so it is rejected. */
const Asked = v.strictTuple([
  v.strictObject({
    [ACCOUNTS_PERMISSION]: v.strictObject({
      [ACCOUNTS_CAVEAT]: v.exactOptional(
        v.pipe(
          v.array(nodeValues.address),
          v.minLength(1, 'must have an account'),
          v.maxLength(MAX_ACCOUNTS, `must have at most ${MAX_ACCOUNTS} accounts`),
        ),
      ),
    }),
  }),
])

export const requestPermissions: Asking = {
  prepare: async (_, params) => {
    const [permissions] = parseParams(params, permissionsParams)
    assertKnown(permissions)
    const [asked] = parseParams(params, Asked)
    return connectDraft(asked[ACCOUNTS_PERMISSION][ACCOUNTS_CAVEAT] ?? null)
  },
  act: async (context, request) => permissionsOf(await connectPicked(context, request)),
}
