/**
 * An account's nonces on a network, from the node's pool, which includes other wallets' transactions, and from this
 * wallet's own records.
 */
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { NoncesView } from '../../messages.ts'
import { type Activity, type ActivityStore, isOf } from '../activity/activity.ts'
import type { ChainResets } from '../activity/chain-resets.ts'
import { askAs, isRefusal } from '../networks/node.ts'
import { toCount } from '../networks/quantities.ts'
import type { Context } from '../requests/context.ts'
import { ifUnreadable } from '../storage/store.ts'

type Parts = Pick<Context, 'chain' | 'network'> & {
  activity: Pick<ActivityStore, 'list'>
  chainResets: Pick<ChainResets, 'list'>
}

const noncesOf = async (
  { activity, chainResets, network }: Parts,
  account: Hex,
  status: Activity['status'],
): Promise<bigint[]> => {
  // Records from before a reset do not occupy nonces on the new chain.
  if ((await chainResets.list()).includes(network.chainId)) return []
  // If the records cannot be read, only the node's nonces are used. A finding tells the user.
  return (await activity.list().catch(ifUnreadable<readonly Activity[]>([])))
    .filter(isOf({ chainId: network.chainId, account }))
    .filter(record => record.status === status)
    .map(({ nonce }) => decodeQuantity(nonce))
}

type Place = Pick<Context, 'chain' | 'network'>

const countAt = ({ chain, network }: Place, account: Hex, tag: 'latest' | 'pending'): Promise<bigint> =>
  askAs(chain, network, { method: 'eth_getTransactionCount', params: [account, tag] }, toCount)

/** Returns the number of used nonces on the chain, which is also the next nonce. */
export const readUsed = (place: Place, account: Hex): Promise<bigint> => countAt(place, account, 'latest')

/**
 * Reads the number of used nonces, and the next nonce according to the node's pool. A node without a pool refuses the
 * query or counts no pending transactions, and nodes behind a load balancer may lag.
 */
const readCounts = async (place: Place, account: Hex): Promise<{ used: bigint; next: bigint }> => {
  const [used, pooled] = await Promise.all([
    readUsed(place, account),
    countAt(place, account, 'pending').catch(error => {
      if (isRefusal(error)) return 0n
      throw error
    }),
  ])
  return { used, next: pooled > used ? pooled : used }
}

/** Returns the next nonce after the transactions in the node's pool. Throws 4901. */
export const readNext = async (place: Place, account: Hex): Promise<bigint> => (await readCounts(place, account)).next

/** Returns the lowest nonce from `next` up that is not taken. */
const free = (next: bigint, taken: readonly bigint[]): bigint => {
  const all = new Set(taken)
  let nonce = next
  while (all.has(nonce)) nonce++
  return nonce
}

/**
 * Returns the nonce for sending: the lowest one after pending transactions, including those that the node has forgotten
 * and will receive again. Signed, unsent transactions are ignored, because a site that never sends them must not block
 * the account. `next` comes from the node's pool.
 */
export const nonceToSend = async (
  parts: Parts,
  account: Hex,
  next: bigint | Promise<bigint> = readNext(parts, account),
): Promise<bigint> => free(await next, await noncesOf(parts, account, 'pending'))

/**
 * Returns the nonce for signing only: the lowest nonce that no other signed transaction has, so all of them can be sent.
 * `next` comes from the node's pool.
 */
export const nonceToSign = async (
  parts: Parts,
  account: Hex,
  next: bigint | Promise<bigint> = readNext(parts, account),
): Promise<bigint> => {
  const taken = await Promise.all([noncesOf(parts, account, 'pending'), noncesOf(parts, account, 'signed')])
  return free(await next, taken.flat())
}

/**
 * Returns consecutive free nonces, skipping pending transactions. `displaced` are the nonces that signed, unsent
 * transactions also have. They may never be sent, so the account does not wait for them.
 */
export const noncesInOrder = async (
  parts: Parts,
  account: Hex,
  count: number,
): Promise<{ nonces: readonly bigint[]; displaced: readonly bigint[] }> => {
  const [next, pending, signed] = await Promise.all([
    readNext(parts, account),
    noncesOf(parts, account, 'pending'),
    noncesOf(parts, account, 'signed'),
  ])
  const nonces: bigint[] = []
  for (let nonce = next; nonces.length < count; nonce++) if (!pending.includes(nonce)) nonces.push(nonce)
  return { nonces, displaced: nonces.filter(nonce => signed.includes(nonce)) }
}

/** Returns an account's nonces for a page, including the next one for sending or signing. Throws 4901. */
export const readNonces = async (parts: Parts, account: Hex, purpose: 'sign' | 'send'): Promise<NoncesView> => {
  const { used, next } = await readCounts(parts, account)
  return {
    next: encodeQuantity(await (purpose === 'send' ? nonceToSend : nonceToSign)(parts, account, next)),
    used: encodeQuantity(used),
    unsent: (await noncesOf(parts, account, 'signed')).map(encodeQuantity),
    pending: (await noncesOf(parts, account, 'pending')).map(encodeQuantity),
  }
}
