/** Stores signed transactions, broadcasts them, and records the outcome. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { type ActivityStore, activityOf, type Occasion } from '../activity/activity.ts'
import { isRateLimit, isUnreachable } from '../networks/node.ts'
import { LONGEST_REASON } from '../networks/reverts.ts'
import { accountOf, type Context } from '../requests/context.ts'
import type { WalletRequest } from '../requests/store.ts'
import { rpcError } from '../text/errors.ts'
import { broadcast } from './broadcast.ts'

export type DeliveryParts = Pick<Context, 'chain' | 'network' | 'now'> & { activity: ActivityStore }

/**
 * Broadcasts the stored transaction with this hash. If the node rejects it, it is dropped and its nonce is free again.
 * If the outcome is unknown, it stays pending and is sent again later; a rate limit has the same effect on a
 * transaction that was sent before. Returns the hash. Throws like `broadcast`, and 4001 if the record was deleted
 * meanwhile.
 */
export const deliver = async (parts: DeliveryParts, hash: Hex): Promise<Hex> => {
  const { activity, now } = parts
  const stored = await activity.find(hash)
  if (!stored) throw rpcError('userRejected', 'activityCleared')
  // A worker that stopped at this point may have sent it, and it may have been settled since.
  if (stored.raw === null) return hash
  await activity.change(hash, { status: 'pending', sentAt: now(), failure: null, settledAt: null })
  try {
    await broadcast(parts, stored.raw)
  } catch (error) {
    const mayBeInPool = isUnreachable(error) || (isRateLimit(error) && stored.sentAt !== null)
    if (error instanceof RpcError && !mayBeInPool) {
      const reason = error.message.slice(0, LONGEST_REASON)
      await activity.change(hash, { status: 'dropped', settledAt: now(), failure: { name: 'refused', reason } })
    }
    throw error
  }
  // The node's response is not trusted, so the hash is the computed one.
  return hash
}

/** Returns the context of a site's transaction for its record. */
const occasionOf = ({ now }: Pick<Context, 'now'>, request: WalletRequest, status: Occasion['status']): Occasion => {
  const { key, origin, chainId } = request
  return { key, origin, chainId, account: accountOf(request), createdAt: now(), status }
}

/** Returns the hashes of the request's transactions if an earlier worker signed and stored them, or null. */
const storedBefore = async ({ activity }: Context, { signed }: WalletRequest): Promise<readonly Hex[] | null> => {
  if (!signed) return null
  const found = await Promise.all(signed.map(activity.find))
  // If the worker stopped before it stored all of them, it has sent none.
  return found.includes(undefined) ? null : signed
}

/**
 * Signs the transactions of a site's request, unless an earlier worker already has. All are stored before any is sent,
 * so a restarted worker sends the same bytes. Returns their hashes in order.
 */
export const signOnce = async (
  context: Context,
  request: WalletRequest,
  status: Occasion['status'],
  sign: () => Promise<readonly Hex[]>,
): Promise<readonly Hex[]> => {
  const before = await storedBefore(context, request)
  if (before) return before
  const occasion = occasionOf(context, request, status)
  const records = (await sign()).map(raw => activityOf(raw, occasion))
  const hashes = records.map(({ hash }) => hash)
  // The hashes are stored first. If the worker stopped, transactions that the request does not know would be signed and
  // sent again.
  await context.requests.keepSigned(request.key, hashes)
  await context.activity.add(records)
  return hashes
}
