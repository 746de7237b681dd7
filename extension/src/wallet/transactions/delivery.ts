/** Broadcasts stored transactions and records the outcome. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { type ActivityStore, activityOf, type Occasion } from '../activity/activity.ts'
import { isUnreachable } from '../networks/node.ts'
import { LONGEST_REASON } from '../networks/reverts.ts'
import { accountOf, type Context } from '../requests/context.ts'
import type { WalletRequest } from '../requests/requests.ts'
import { broadcast } from './broadcast.ts'

export type DeliveryParts = Pick<Context, 'chain' | 'network' | 'now'> & { activity: ActivityStore }

/**
 * Broadcasts a stored transaction. If the node rejects it, it is dropped and its nonce is free again. If the outcome is
 * unknown, it stays pending and is sent again later. Throws like `broadcast`.
 */
export const deliver = async (parts: DeliveryParts, raw: Hex): Promise<Hex> => {
  const { activity, now } = parts
  const hash = hashTransaction(raw)
  // A worker that stopped at this point may have sent it, and it may be settled by now.
  if ((await activity.find(hash))?.raw === null) return hash
  await activity.change(hash, { status: 'pending', sentAt: now() })
  try {
    await broadcast(parts, raw)
  } catch (error) {
    if (error instanceof RpcError && !isUnreachable(error)) {
      const reason = error.message.slice(0, LONGEST_REASON)
      await activity.change(hash, { status: 'dropped', settledAt: now(), failure: { name: 'refused', reason } })
    }
    throw error
  }
  // Computed from the bytes. The hash in the node's response is not trusted.
  return hash
}

/** The origin and purpose of a site's transaction. */
const occasionOf = ({ now }: Pick<Context, 'now'>, request: WalletRequest, status: Occasion['status']): Occasion => {
  const { key, origin, chainId } = request
  return { key, origin, chainId, account: accountOf(request), createdAt: now(), status }
}

/** Stores all transactions signed for a site's request, before the first is sent. */
export const keepSigned = async (
  context: Context,
  request: WalletRequest,
  signed: readonly Hex[],
  status: Occasion['status'],
): Promise<void> => {
  if (!request.signed) await context.requests.keepSigned(request.key, signed)
  const occasion = occasionOf(context, request, status)
  await context.activity.add(signed.map(raw => activityOf(raw, occasion)))
}
