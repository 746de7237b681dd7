/** Computes an asset's price from the answers of feeds, in exact fractions. */
import type { PriceView } from '../../messages.ts'
import type { Feed, PricedAsset } from './feeds.ts'
import type { Rounds } from './rounds.ts'

/** An answer of a feed: one unit of the pair's first asset costs `answer / 10^decimals` of the second. */
export type Quote = { pair: string; answer: bigint; decimals: number; updatedAt: number; isStale: boolean }

const SECOND = 1_000
/**
 * Time in ms after the heartbeat in which an answer still counts as fresh. A feed's transaction can be late in a busy
 * network, and the clock of this device can differ from the network's.
 */
export const MARGIN = 3_600_000

/** Returns the quotes of all feeds that have an answer, by pair. `now` is in Unix ms. */
export const quotesIn = (
  { answers, isDown }: Rounds,
  feeds: ReadonlyMap<string, Feed>,
  now: number,
): ReadonlyMap<string, Quote> => {
  const quotes = [...answers].flatMap(([pair, { answer, updatedAt }]) => {
    const feed = feeds.get(pair)
    if (!feed) return []
    const age = now - updatedAt
    const isStale = isDown || age > feed.heartbeat * SECOND + MARGIN || age < -MARGIN
    return [[pair, { pair, answer, decimals: feed.decimals, updatedAt, isStale }] as const]
  })
  return new Map(quotes)
}

const scale = (decimals: number): bigint => 10n ** BigInt(decimals)

/**
 * Returns the asset's price. `rate` is the currency's price in US dollars, null for US dollars themselves. Undefined if
 * a feed has no answer.
 */
export const priceOf = (
  { token, decimals, pairs }: PricedAsset,
  quotes: ReadonlyMap<string, Quote>,
  rate: Quote | null,
): PriceView | undefined => {
  const path = pairs.flatMap(pair => quotes.get(pair) ?? [])
  if (path.length < pairs.length) return undefined
  const used = rate ? [...path, rate] : path
  const numerator = path.reduce((product, { answer }) => product * answer, scale(rate?.decimals ?? 0))
  const denominator = path.reduce((product, quote) => product * scale(quote.decimals), scale(decimals))
  return {
    token,
    numerator: numerator.toString(),
    denominator: (denominator * (rate?.answer ?? 1n)).toString(),
    pairs: used.map(({ pair }) => pair),
    updatedAt: Math.min(...used.map(({ updatedAt }) => updatedAt)),
    isStale: used.some(({ isStale }) => isStale),
  }
}
