/**
 * The price of gas as the wallet last saw it on each network. A node's price is held against it, so that a node cannot
 * make an excessive fee look ordinary by naming an excessive price first.
 */
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from '../store.ts'

/** Wei per gas. `believed` is as much of the named price as the last one makes plausible. */
export type CheckedPrice = {
  believed: bigint
  /** The last price and its time, ms since 1970, if the named price is implausible beside it. */
  jumpedFrom: { price: bigint; at: number } | null
}

export type SeenPrices = {
  /** Compares the price that a node names with the last one seen on the network, and records it. */
  check(chainId: number, price: bigint): Promise<CheckedPrice>
}

/** Wei per gas up to which every price is plausible: 1 gwei. */
export const CHEAP = 1_000_000_000n
/** Wei per gas that is believed of a network that was never seen before: 10,000 gwei. */
export const MOST_UNSEEN = 10_000_000_000_000n
/** The shortest time between blocks that is assumed, in ms. */
const BLOCK_TIME = 2_000
/** A base fee rises by an eighth per block at most, EIP-1559: 9/8. */
const RISE = [9n, 8n] as const
/** Blocks in which the base fee rises tenfold, which is the most that is believed at once. */
export const MOST_BLOCKS = 20
/** How many times the last price is believed at any time: nodes behind one URL differ, and tips have no rule. */
const ALWAYS_BELIEVED = 2n

type Seen = { price: Hex; at: number }

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** How far a price can have risen in so many blocks. */
const risen = (price: bigint, blocks: number): bigint => (price * RISE[0] ** BigInt(blocks)) / RISE[1] ** BigInt(blocks)

export const createSeenPrices = (store: Store, now: () => number): SeenPrices => {
  const cell = createCell<Readonly<Record<number, Seen>>>(store, 'seen-prices', {})

  /** What to record. It grows no faster than blocks allow, however often a node is asked. */
  const recordOf = (last: Seen | undefined, price: bigint): Seen => {
    const at = now()
    if (!last) return { price: fromQuantity(smaller(price, MOST_UNSEEN)), at }
    const blocks = Math.min(Math.floor((at - last.at) / BLOCK_TIME), MOST_BLOCKS)
    const known = toQuantity(last.price)
    if (price > known && blocks < 1) return last
    return { price: fromQuantity(smaller(price, larger(risen(known, Math.max(blocks, 0)), CHEAP))), at }
  }

  const judge = (last: Seen | undefined, price: bigint): CheckedPrice => {
    if (!last) return { believed: smaller(price, MOST_UNSEEN), jumpedFrom: null }
    const known = toQuantity(last.price)
    const blocks = Math.min(Math.max(Math.floor((now() - last.at) / BLOCK_TIME), 0), MOST_BLOCKS)
    const most = larger(larger(risen(known, blocks), known * ALWAYS_BELIEVED), CHEAP)
    return { believed: smaller(price, most), jumpedFrom: price > most ? { price: known, at: last.at } : null }
  }

  return {
    check: async (chainId, price) => {
      let checked: CheckedPrice = { believed: price, jumpedFrom: null }
      await cell.update(seen => {
        const last = seen[chainId]
        checked = judge(last, price)
        return { ...seen, [chainId]: recordOf(last, price) }
      })
      return checked
    },
  }
}
