/** Sends what was signed, after it was kept, and keeps what came of it. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { isUnreachable } from '../chain.ts'
import { accountOf, type Context } from '../method.ts'
import type { WalletRequest } from '../requests.ts'
import { type ActivityStore, activityOf, type Occasion } from './activity.ts'
import { broadcast } from './broadcast.ts'
import { LONGEST_REASON } from './reverts.ts'

export type DeliveryParts = Pick<Context, 'chain' | 'network' | 'now'> & { activity: ActivityStore }

/**
 * Sends signed bytes that are kept already. What the node refuses is dropped, and its nonce is free again; where it does
 * not tell, the bytes stay on their way and are sent again. Throws as `broadcast` does.
 */
export const deliver = async (parts: DeliveryParts, raw: Hex): Promise<Hex> => {
  const { activity, now } = parts
  const hash = hashTransaction(raw)
  // Where a stopped worker had come this far, it may be settled by now.
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
  // Known from the bytes: what the node calls it does not matter.
  return hash
}

/** What a site's request is the occasion of. */
export const occasionOf = (
  { now }: Pick<Context, 'now'>,
  request: WalletRequest,
  status: Occasion['status'],
): Occasion => {
  const { key, origin, chainId } = request
  return { key, origin, chainId, account: accountOf(request), createdAt: now(), status }
}

/** Keeps what was signed for a site's request, all of it at once, before any of it is sent. */
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
