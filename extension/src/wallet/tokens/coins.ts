/**
 * Received amounts of a network's coin. They leave no logs, so they are told from an account's balance: if it grew and
 * the account sent no transaction, the difference was received.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'

/** An account's balance in wei (decimal) and its number of sent transactions at a block. */
export type CoinReading = { block: number; nonce: string; balance: string }

/**
 * A received amount in wei (decimal). `block` is null if the node could not tell it; `time` (Unix ms) is then the time
 * of the block at which the amount was noticed. `from` and `hash` are null unless a transaction sent it directly.
 */
export type CoinArrival = {
  id: string
  account: Address
  amount: string
  block: number | null
  time: number | null
  from: Address | null
  hash: Hex | null
  isSeen: boolean
}

/** Readings by account in lower case, and what was received, newest first. */
export type Coins = { readings: Readonly<Record<string, CoinReading>>; received: readonly CoinArrival[] }

export const NO_COINS: Coins = { readings: {}, received: [] }

/** Maximum number of received amounts kept per network. */
export const MAX_COIN_ARRIVALS = 200

/** True if the account received coins between two readings, and sent nothing. */
export const isGain = (before: CoinReading, now: CoinReading): boolean =>
  now.block > before.block && now.nonce === before.nonce && BigInt(now.balance) > BigInt(before.balance)

/**
 * Returns the reading to compare the next one with. A lower balance with the same nonce is a block that was replaced,
 * so the higher one stays: the same amount in another block is then no gain.
 */
const laterReading = (before: CoinReading | undefined, now: CoinReading): CoinReading => {
  if (before === undefined || now.nonce !== before.nonce) return now
  return now.block <= before.block || BigInt(now.balance) < BigInt(before.balance) ? before : now
}

/** Adds an account's reading and what it received since the one before. A transaction is added only once. */
export const withReading = (
  { readings, received }: Coins,
  account: Address,
  now: CoinReading,
  found: readonly CoinArrival[],
): Coins => {
  const key = account.toLowerCase()
  const isKnown = ({ hash }: CoinArrival) =>
    hash !== null && received.some(one => one.hash === hash && sameAddress(one.account, account))
  return {
    readings: { ...readings, [key]: laterReading(readings[key], now) },
    received: [...found.filter(one => !isKnown(one)), ...received].slice(0, MAX_COIN_ARRIVALS),
  }
}

/** Records that the user has seen what an account received. */
export const withCoinsSeen = (coins: Coins, account: Address): Coins => ({
  ...coins,
  received: coins.received.map(one => (sameAddress(one.account, account) ? { ...one, isSeen: true } : one)),
})
