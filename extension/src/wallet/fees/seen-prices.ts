/**
 * The last gas price seen on each network. The wallet compares a new price with it, so that a node cannot make an
 * excessive fee look ordinary.
 */
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from '../storage/store.ts'
import { report } from '../text/errors.ts'

/** Prices in wei per gas. `believed` is the node's price, capped at a plausible increase over the last one. */
export type CheckedPrice = {
  believed: bigint
  /** The last price and its Unix time in ms, if the node's price is implausibly higher. Otherwise null. */
  jumpedFrom: { price: bigint; at: number } | null
}

export type SeenPrices = {
  /** Compares a node's price with the network's last one, and stores it. */
  check(chainId: number, price: bigint): Promise<CheckedPrice>
}

/** Every price up to this one is plausible: 1 gwei, in wei per gas. */
export const CHEAP = 1_000_000_000n
/** Highest price believed on a network without an earlier price: 10,000 gwei, in wei per gas. */
export const MOST_UNSEEN = 10_000_000_000_000n
/** Minimum assumed time between blocks in ms. */
const BLOCK_TIME = 2_000
/** Maximum base fee increase per block (EIP-1559): 9/8. */
const RISE = [9n, 8n] as const
/** Number of blocks in which the base fee can rise tenfold, the largest increase that is believed at once. */
const MOST_BLOCKS = 20
/** Increase over the last price that is always believed: the nodes behind one URL differ, and tips have no limit. */
const ALWAYS_BELIEVED = 2n

type Seen = { price: Hex; at: number }

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** Returns the maximum price after the given number of blocks. */
const risen = (price: bigint, blocks: number): bigint => (price * RISE[0] ** BigInt(blocks)) / RISE[1] ** BigInt(blocks)

export const createSeenPrices = (store: Store, now: () => number): SeenPrices => {
  const cell = createCell<Readonly<Record<number, Seen>>>(store, 'seen-prices', {})

  /** Returns the price to store. It rises no faster than base fees can, however often a node is queried. */
  const recordOf = (last: Seen | undefined, price: bigint): Seen => {
    const at = now()
    if (!last) return { price: encodeQuantity(smaller(price, MOST_UNSEEN)), at }
    const blocks = Math.min(Math.floor((at - last.at) / BLOCK_TIME), MOST_BLOCKS)
    const known = decodeQuantity(last.price)
    if (price > known && blocks < 1) return last
    return { price: encodeQuantity(smaller(price, larger(risen(known, Math.max(blocks, 0)), CHEAP))), at }
  }

  const judge = (last: Seen | undefined, price: bigint): CheckedPrice => {
    if (!last) return { believed: smaller(price, MOST_UNSEEN), jumpedFrom: null }
    const known = decodeQuantity(last.price)
    const blocks = Math.min(Math.max(Math.floor((now() - last.at) / BLOCK_TIME), 0), MOST_BLOCKS)
    const most = larger(larger(risen(known, blocks), known * ALWAYS_BELIEVED), CHEAP)
    return { believed: smaller(price, most), jumpedFrom: price > most ? { price: known, at: last.at } : null }
  }

  return {
    check: async (chainId, price) => {
      let checked = judge(undefined, price)
      const noting = cell.update(seen => {
        const last = seen[chainId]
        checked = judge(last, price)
        return { ...seen, [chainId]: recordOf(last, price) }
      })
      // If the last prices cannot be read, the price is judged like the first price of a new network. A price that
      // cannot be stored does not stop a transaction.
      await noting.catch(report)
      return checked
    },
  }
}
