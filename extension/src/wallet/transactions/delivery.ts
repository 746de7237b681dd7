/** Stores signed transactions, broadcasts them, and records the outcome. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { type Activity, type ActivityStore, activityOf, type Occasion } from '../activity/activity.ts'
import { isRateLimit } from '../networks/answers.ts'
import { isUnreachable } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { LONGEST_REASON } from '../networks/reverts.ts'
import { accountOf, type Context } from '../requests/context.ts'
import type { WalletRequest } from '../requests/store.ts'
import { rpcError } from '../text/errors.ts'
import { broadcast } from './broadcast.ts'

export type DeliveryParts = Pick<Context, 'chain' | 'network' | 'now'> & { activity: ActivityStore }

const findStored = async ({ activity }: DeliveryParts, hash: Hex): Promise<Activity> => {
  const stored = await activity.find(hash)
  if (!stored) throw rpcError('userRejected', 'activityCleared')
  return stored
}

/**
 * Broadcasts a stored transaction. If the node rejects it, it is dropped, unless `mayBeInPool` is true for the error.
 * Returns the hash.
 */
const send = async (
  parts: DeliveryParts,
  { hash, raw, account }: Activity,
  mayBeInPool: (error: unknown) => boolean,
): Promise<Hex> => {
  // A transaction without its bytes is settled: an earlier worker sent it, but stopped before the request was answered.
  if (raw === null) return hash
  const { activity, now } = parts
  try {
    await broadcast({ ...parts, network: onBehalfOf(parts.network, account) }, raw)
  } catch (error) {
    if (error instanceof RpcError && !mayBeInPool(error)) {
      const reason = error.message.slice(0, LONGEST_REASON)
      await activity.change(hash, { status: 'dropped', settledAt: now(), failure: { name: 'refused', reason } })
    }
    throw error
  }
  // The node's response is not trusted, so the hash is the computed one.
  return hash
}

/**
 * Broadcasts the transaction with this hash, which this worker has just stored as pending. If the node rejects it, it is
 * dropped and its nonce is free again. If the outcome is unknown, it stays pending and is sent again later. Returns the
 * hash. Throws like `broadcast`, and 4001 if the record was deleted meanwhile.
 */
export const deliver = async (parts: DeliveryParts, hash: Hex): Promise<Hex> =>
  send(parts, await findStored(parts, hash), isUnreachable)

/**
 * Like `deliver`, for a stored transaction that may have been sent before. If it was, it stays pending after a rate
 * limit as well.
 */
export const deliverAgain = async (parts: DeliveryParts, hash: Hex): Promise<Hex> => {
  const { activity, now } = parts
  const stored = await findStored(parts, hash)
  if (stored.raw !== null)
    await activity.change(hash, { status: 'pending', sentAt: now(), failure: null, settledAt: null })
  const wasSent = stored.sentAt !== null
  return send(parts, stored, error => isUnreachable(error) || (isRateLimit(error) && wasSent))
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
  // A worker that stopped before it stored all transactions has sent none, so they are signed again.
  return found.includes(undefined) ? null : signed
}

/**
 * Signs the transactions of a site's request, unless an earlier worker already has. All are stored before any is sent,
 * so a restarted worker sends the same bytes. Returns their hashes in order, and the function that sends one.
 */
export const signOnce = async (
  context: Context,
  request: WalletRequest,
  status: Occasion['status'],
  sign: () => Promise<readonly Hex[]>,
): Promise<{ hashes: readonly Hex[]; deliver: typeof deliver }> => {
  const before = await storedBefore(context, request)
  if (before) return { hashes: before, deliver: deliverAgain }
  const occasion = occasionOf(context, request, status)
  const records = (await sign()).map(raw => activityOf(raw, occasion))
  const hashes = records.map(({ hash }) => hash)
  // The request's hashes are stored first. In the other order, a worker could stop after storing transactions that the
  // request does not know, so that they would be signed and sent again.
  await context.requests.keepSigned(request.key, hashes)
  await context.activity.add(records)
  return { hashes, deliver }
}
