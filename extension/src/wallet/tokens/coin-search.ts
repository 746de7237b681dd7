/** Reads the accounts' coin balances through the network's node, and finds the transactions that made them grow. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { momentOf, readBlockTimes } from '../networks/blocks.ts'
import { askAll, askQuantity, type Chain, isRefusal, type Question } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { type Members, plausibleQuantityIn, quantityOf } from '../networks/quantities.ts'
import { type CoinArrival, type CoinReading, isGain, NO_COINS, withReading } from './coins.ts'
import type { IncomingStore } from './incoming.ts'

export type CoinParts = { chain: Chain; network: Network; accounts: readonly Address[]; incoming: IncomingStore }

/** Maximum number of blocks per look in which an account's received amounts are found. The rest is one amount. */
export const MOST_BLOCKS = 3

const HASH = /^0x[\da-f]{64}$/i

const balanceQuestion = (account: Address, block: number): Question => ({
  method: 'eth_getBalance',
  params: [account, encodeQuantity(block)],
})

/** Reads each account's balance and nonce at a block. Null for what the node does not tell. Throws 4901. */
const readAccounts = async (
  { chain, network, accounts }: CoinParts,
  block: number,
): Promise<readonly (CoinReading | null)[]> => {
  const outcomes = await askAll(
    chain,
    network,
    accounts.flatMap(account => [
      balanceQuestion(account, block),
      { method: 'eth_getTransactionCount', params: [account, encodeQuantity(block)] },
    ]),
  )
  return accounts.map((_, at) => {
    const [balance, nonce] = [quantityOf(outcomes[2 * at]), quantityOf(outcomes[2 * at + 1])]
    return balance === null || nonce === null ? null : { block, nonce: String(nonce), balance: String(balance) }
  })
}

type Transfer = { from: Address | null; hash: Hex | null; amount: bigint }

/** Reads a transaction of a block if it sends coins to the account. */
const transferTo = (account: Address, stated: Members): Transfer[] => {
  const { from, to, hash } = stated
  const amount = plausibleQuantityIn(stated, 'value') ?? 0n
  if (typeof to !== 'string' || !sameAddress(to, account) || amount === 0n) return []
  if (typeof hash !== 'string' || !HASH.test(hash)) return []
  try {
    return [{ from: toAddress(from), hash: hash as Hex, amount }]
  } catch {
    return []
  }
}

/** Reads how an amount arrived in a block: by transactions that sent it directly, or else in an unknown way. */
const readBlockTransfers = async ({ chain, network }: CoinParts, account: Address, block: number, amount: bigint) => {
  const question = { method: 'eth_getBlockByNumber', params: [encodeQuantity(block), true] }
  const [outcome] = await askAll(chain, network, [question])
  const stated = outcome && 'result' in outcome && isObject(outcome.result) ? outcome.result : {}
  const seconds = plausibleQuantityIn(stated, 'timestamp')
  const all: readonly unknown[] = Array.isArray(stated.transactions) ? stated.transactions : []
  const direct = all.filter(isObject).flatMap(one => transferTo(account, one))
  const isAll = direct.reduce((sum, one) => sum + one.amount, 0n) === amount
  const transfers: readonly Transfer[] = isAll ? direct : [{ from: null, hash: null, amount }]
  return transfers.map(one => ({ ...one, block, time: seconds === null ? null : momentOf(seconds) }))
}

/** Finds what an account received between two readings, newest first. Throws 4901. */
const findArrivals = async (
  parts: CoinParts,
  account: Address,
  before: CoinReading,
  now: CoinReading,
): Promise<readonly CoinArrival[]> => {
  const { chain, network } = parts
  const balanceAt = async (block: number) =>
    quantityOf((await askAll(chain, network, [balanceQuestion(account, block)]))[0])
  /** Returns the first block with this balance, or null if the node does not know an earlier balance. */
  const firstWith = async (balance: bigint, until: number): Promise<number | null> => {
    let [low, high] = [before.block, until]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      const held = await balanceAt(middle)
      if (held === null) return null
      if (held >= balance) high = middle
      else low = middle
    }
    return high
  }

  const base = BigInt(before.balance)
  const found: Awaited<ReturnType<typeof readBlockTransfers>>[number][] = []
  let [balance, until] = [BigInt(now.balance), now.block]
  // A node without earlier states may tell the latest balance for every block.
  const hasHistory = (await balanceAt(before.block)) === base
  for (let blocks = 0; hasHistory && balance > base && blocks < MOST_BLOCKS; blocks++) {
    const block = await firstWith(balance, until)
    const held = block === null ? null : await balanceAt(block - 1)
    if (block === null || held === null || held < base || held >= balance) break
    found.push(...(await readBlockTransfers(parts, account, block, balance - held)))
    ;[balance, until] = [held, block - 1]
  }
  const unplaced = { from: null, hash: null, amount: balance - base, block: null }
  const times = balance > base ? await readBlockTimes(parts, [BigInt(until)]) : null
  return [...found, ...(times ? [{ ...unplaced, time: times.get(BigInt(until)) ?? null }] : [])].map((one, at) => ({
    ...one,
    id: `${now.block} ${account.toLowerCase()} ${at}`,
    account,
    amount: String(one.amount),
    isSeen: false,
  }))
}

/** Returns the number of the newest block, or null if the node does not tell it. Throws 4901. */
const readHead = async ({ chain, network }: CoinParts): Promise<number | null> => {
  try {
    return Number(await askQuantity(chain, network, 'eth_blockNumber'))
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/**
 * Reads the accounts' balances and records what they received. Returns the accounts that did. An account's gain is
 * recorded together with its reading; all other readings are recorded at once. Throws 4901.
 */
export const lookAtCoins = async (parts: CoinParts): Promise<readonly Address[]> => {
  const { network, accounts, incoming } = parts
  const record = (readings: readonly [account: Address, reading: CoinReading, found: readonly CoinArrival[]][]) =>
    incoming.update(network.chainId, arrivals => ({
      ...arrivals,
      coins: readings.reduce((coins, reading) => withReading(coins, ...reading), arrivals.coins ?? NO_COINS),
    }))

  const head = await readHead(parts)
  const now = head === null ? [] : await readAccounts(parts, head)
  const { readings } = (await incoming.of(network.chainId)).coins ?? NO_COINS
  const read = accounts.flatMap((account, at) => {
    const [before, reading] = [readings[account.toLowerCase()], now[at]]
    return reading ? [{ account, reading, gainFrom: before && isGain(before, reading) ? before : null }] : []
  })
  const others = read.filter(({ gainFrom }) => gainFrom === null)
  if (others.length > 0) await record(others.map(({ account, reading }) => [account, reading, []]))
  const gained: Address[] = []
  for (const { account, reading, gainFrom } of read) {
    if (gainFrom === null) continue
    const own = { ...parts, network: onBehalfOf(network, account) }
    const found = await findArrivals(own, account, gainFrom, reading)
    if (found.length > 0) gained.push(account)
    await record([[account, reading, found]])
  }
  return gained
}
