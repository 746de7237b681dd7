/**
 * Nonces of an account on a network, against what the node knows of, which is also what was sent from elsewhere, and
 * against what this wallet has signed.
 */
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import type { NoncesView } from '../../messages.ts'
import { askQuantity } from '../chain.ts'
import type { Context } from '../method.ts'
import { type Activity, type ActivityStore, isOf } from './activity.ts'
import type { Restarts } from './restarts.ts'

type Parts = Pick<Context, 'chain' | 'network'> & {
  activity: Pick<ActivityStore, 'list'>
  restarts: Pick<Restarts, 'list'>
}

const noncesOf = async (
  { activity, restarts, network }: Parts,
  account: Hex,
  status: Activity['status'],
): Promise<bigint[]> => {
  // What was signed for a chain that has begun anew since holds nothing on this one.
  if ((await restarts.list()).includes(network.chainId)) return []
  return (await activity.list())
    .filter(isOf({ chainId: network.chainId, account }))
    .filter(record => record.status === status)
    .map(({ nonce }) => toQuantity(nonce))
}

/** What the account has sent from here and from elsewhere, as far as the node's pool tells. */
const readNext = ({ chain, network }: Parts, account: Hex) =>
  askQuantity(chain, network, 'eth_getTransactionCount', [account, 'pending'])

/** How many nonces are used on the chain: the first that is not. */
export const readUsed = ({ chain, network }: Pick<Context, 'chain' | 'network'>, account: Hex): Promise<bigint> =>
  askQuantity(chain, network, 'eth_getTransactionCount', [account, 'latest'])

/** The lowest nonce from `next` on that is not taken. */
const free = (next: bigint, taken: readonly bigint[]): bigint => {
  const all = new Set(taken)
  let nonce = next
  while (all.has(nonce)) nonce++
  return nonce
}

/**
 * The nonce to send with: behind all that is on its way, also what the node has forgotten and will be sent again. One that
 * is only signed does not hold it up: a site that never sends what it had signed cannot stop the account.
 */
export const nonceToSend = async (parts: Parts, account: Hex): Promise<bigint> =>
  free(await readNext(parts, account), await noncesOf(parts, account, 'pending'))

/** The nonce to sign with for later: one that no other signed transaction has either, so that all of them can be sent. */
export const nonceToSign = async (parts: Parts, account: Hex): Promise<bigint> => {
  const taken = await Promise.all([noncesOf(parts, account, 'pending'), noncesOf(parts, account, 'signed')])
  return free(await readNext(parts, account), taken.flat())
}

/**
 * The nonces of transactions that follow each other, in order: none that is on its way. `displaced` are those among them
 * that are signed for and not sent, which may never be: to wait for them could be for ever.
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

/**
 * The nonces of an account as a page shows them, the next one for sending or for signing. The next one is never below those
 * that are used: these are read first, and a node behind a balancer may know less at the second question.
 */
export const readNonces = async (parts: Parts, account: Hex, purpose: 'sign' | 'send'): Promise<NoncesView> => {
  const used = await readUsed(parts, account)
  const next = await (purpose === 'send' ? nonceToSend : nonceToSign)(parts, account)
  return {
    next: fromQuantity(next > used ? next : used),
    used: fromQuantity(used),
    unsent: (await noncesOf(parts, account, 'signed')).map(fromQuantity),
    pending: (await noncesOf(parts, account, 'pending')).map(fromQuantity),
  }
}
