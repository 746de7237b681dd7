/**
 * Watches signed transactions until they are mined or replaced, and resends transactions that the node has forgotten.
 */
import { RpcError } from '@heliograph/shared/errors'
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { type Activity, type ActivityStore, isOf } from '../activity/activity.ts'
import type { ChainResets } from '../activity/chain-resets.ts'
import { paidL1Fee } from '../fees/l1-fee.ts'
import type { Networks } from '../networks/networks.ts'
import { askQuantity, type Chain, isRefusal } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { type Receipt, readReceipt } from '../networks/receipts.ts'
import { ifUnreadable } from '../storage/store.ts'
import { report } from '../text/errors.ts'
import type { SerialQueue } from '../work/turns.ts'
import { isKnown } from './broadcast.ts'
import { deliverAgain } from './delivery.ts'
import { explainFailure } from './explain.ts'
import { readNext } from './nonces.ts'

export type Watching = {
  /**
   * Checks accounts with pending transactions. Resolves with the delay in ms until the next check, or null if none is
   * needed.
   */
  poll(): Promise<number | null>
  /** Hashes of the pending transactions. */
  pending(): Promise<readonly Hex[]>
  /** Checks an account on a network, including signed, unsent transactions. Throws the node's errors, and 4901. */
  look(network: Network, account: Hex): Promise<void>
}

export type WatchingParts = {
  activity: ActivityStore
  chainResets: Pick<ChainResets, 'look' | 'list'>
  networks: Pick<Networks, 'get'>
  chain: Chain
  sendInTurn: SerialQueue
  /** Called when the outcome of a transaction was recorded. */
  onSettled(record: Activity, hasFailed: boolean): Promise<void>
  now(): number
}

/**
 * Delays in ms between checks for recent and for older transactions, and how long a transaction counts as recent after
 * sending.
 */
export const FRESH_PAUSE = 3_000
export const OLD_PAUSE = 30_000
export const FRESH_TIME = 2 * 60_000
/** Delay in ms before resending a transaction that the node does not know. */
export const RESEND_PAUSE = 30_000
/**
 * A transaction counts as replaced when two checks, at least this time in ms apart, find that another one used its
 * nonce. Nodes behind one URL may lag.
 */
export const SECOND_LOOK = 15_000

export const createWatching = (parts: WatchingParts): Watching => {
  const { activity, chainResets, networks, chain, sendInTurn, onSettled, now } = parts

  /** Records the receipt of a mined transaction. */
  const settle = async (
    network: Network,
    record: Activity,
    { hasFailed, block, gasUsed, price: paid, l1Fee }: Receipt,
  ) => {
    const { hash, raw, account, price } = record
    const failure = hasFailed && raw ? await explainFailure({ chain, network }, raw, account, { gasUsed, block }) : null
    await activity.change(hash, {
      status: hasFailed ? 'failed' : 'confirmed',
      raw: null,
      failure,
      settledAt: now(),
      block: encodeQuantity(block),
      fee:
        gasUsed === null ? null : encodeQuantity(gasUsed * (paid ?? decodeQuantity(price)) + paidL1Fee(network, l1Fee)),
    })
    await onSettled(record, hasFailed)
  }

  /** Marks a transaction as replaced, because another one used its nonce. A dropped transaction stays dropped. */
  const giveUp = async ({ hash, status, settledAt }: Activity) => {
    const replaced = status === 'dropped' ? { status, settledAt } : { status: 'replaced' as const, settledAt: now() }
    await activity.change(hash, { ...replaced, raw: null })
  }

  const isTakenByOwn = async (record: Activity): Promise<boolean> =>
    (await activity.list()).some(
      other =>
        isOf(record)(other) &&
        other.nonce === record.nonce &&
        (other.status === 'confirmed' || other.status === 'failed'),
    )

  /**
   * Handles a used nonce without a receipt. If another transaction of the wallet used the nonce, the transaction is
   * replaced at once; otherwise after a second check.
   */
  const miss = async (record: Activity) => {
    const { hash, missedAt = null } = record
    if (await isTakenByOwn(record)) return giveUp(record)
    if (missedAt === null) return activity.change(hash, { missedAt: now() })
    if (now() - missedAt >= SECOND_LOOK) await giveUp(record)
  }

  const unmiss = async ({ hash, missedAt = null }: Activity) => {
    if (missedAt !== null) await activity.change(hash, { missedAt: null })
  }

  /** True if an earlier transaction of the same request was dropped. The later ones in the batch are then not sent. */
  const isBehindRefusal = async ({ key, nonce }: Activity): Promise<boolean> =>
    (await activity.ofKey(key)).some(
      other => other.status === 'dropped' && decodeQuantity(other.nonce) < decodeQuantity(nonce),
    )

  /** Resends the stored bytes, without signing. Records the node's error. */
  const resend = (network: Network, { hash }: Activity) =>
    sendInTurn(async () => {
      const current = await activity.find(hash)
      if (!current?.raw || current.status !== 'pending') return
      if (now() - (current.sentAt ?? current.createdAt) < RESEND_PAUSE) return
      if (await isBehindRefusal(current)) {
        await activity.change(hash, {
          status: 'dropped',
          settledAt: now(),
          failure: { name: 'notSent', reason: null },
        })
        return
      }
      // If the pool has a transaction with this nonce from another wallet, this one is not resent. The chain decides
      // which one is mined.
      if ((await readNext({ chain, network }, current.account)) > decodeQuantity(current.nonce)) return
      await deliverAgain({ activity, chain, network, now }, hash).catch(error => {
        if (!(error instanceof RpcError)) throw error
      })
    })

  /** Handles a transaction whose nonce is still unused. */
  const lookAtWaiting = async (network: Network, record: Activity, mayResend: boolean) => {
    const known = await isKnown({ chain, network }, record.hash)
    if (known && record.status !== 'pending')
      return activity.change(record.hash, { status: 'pending', sentAt: now(), failure: null, settledAt: null })
    if (!known && record.status === 'pending' && mayResend) await resend(network, record)
  }

  /** Checks a transaction. Returns true if another transaction seems to have used its nonce. */
  const lookAt = async (network: Network, record: Activity, used: bigint, mayResend: boolean): Promise<boolean> => {
    const receipt = await readReceipt(chain, network, record.hash)
    if (receipt !== null && receipt !== 'pending') {
      await settle(network, record, receipt)
      return false
    }
    const isPassed = decodeQuantity(record.nonce) < used
    // A node that knows the transaction but has no receipt for it is lagging. The transaction does not count as
    // replaced then.
    if (isPassed && mayResend && receipt === null && !(await isKnown({ chain, network }, record.hash))) return true
    await unmiss(record)
    if (!isPassed) await lookAtWaiting(network, record, mayResend)
    return false
  }

  const look: Watching['look'] = async (anyNetwork, account) => {
    const network = onBehalfOf(anyNetwork, account)
    const { chainId } = network
    await chainResets.look(network)
    // Transactions from before a reset must not be sent to the new chain.
    const mayResend = !(await chainResets.list()).includes(chainId)
    const records = (await activity.list()).filter(isOf({ chainId, account })).filter(({ raw }) => raw !== null)
    if (records.length === 0) return
    // Read before the receipts. A transaction whose nonce was already used then, but which has no receipt, will never
    // be mined.
    const used = await askQuantity(chain, network, 'eth_getTransactionCount', [account, 'latest'])
    const inOrder = records.toSorted((a, b) => Number(decodeQuantity(a.nonce) - decodeQuantity(b.nonce)))
    const missed: Activity[] = []
    let refused: RpcError | undefined
    for (const record of inOrder) {
      try {
        if (await lookAt(network, record, used, mayResend)) missed.push(record)
      } catch (error) {
        // An unreadable receipt does not affect other transactions.
        if (!isRefusal(error)) throw error
        refused ??= error
      }
    }
    for (const record of missed) await miss(record)
    if (refused) throw refused
  }

  const lookQuietly = async ({ chainId, account }: Activity) => {
    // The network may have been removed, or the node may be unreachable. The next check tries again.
    await Promise.resolve(networks.get(chainId))
      .then(network => look(network, account))
      .catch(error => {
        if (!(error instanceof RpcError)) report(error)
      })
  }

  // If the records cannot be read, there is nothing to watch, but other periodic work continues.
  const pending = async () =>
    (await activity.list().catch(ifUnreadable<readonly Activity[]>([]))).filter(({ status }) => status === 'pending')
  const isFresh = ({ sentAt, createdAt }: Activity) => now() - (sentAt ?? createdAt) < FRESH_TIME

  return {
    poll: async () => {
      const onTheirWay = await pending()
      const firsts = onTheirWay.filter((record, at) => onTheirWay.findIndex(isOf(record)) === at)
      await Promise.all(firsts.map(lookQuietly))
      const left = await pending()
      if (left.length === 0) return null
      return left.some(isFresh) ? FRESH_PAUSE : OLD_PAUSE
    },
    pending: async () => (await pending()).map(({ hash }) => hash),
    look,
  }
}
