/**
 * Finds fees that are higher than necessary, compared with the wallet's own offer for the fast speed. A fee that is a
 * large share of the balance is a finding only if it also exceeds that offer: otherwise every transaction of a small
 * account would get a warning.
 */
import type { Finding } from '../../messages.ts'
import { highestPrice, type Offer, offerFor, paidOf } from '../fees/fees.ts'
import type { Market } from '../fees/filled.ts'
import { CHEAP } from '../fees/seen-prices.ts'
import { finding } from './findings.ts'

/** Percentages of the fast estimate above which a price is a caution, or a danger. */
const HIGH = 300n
const EXCESSIVE = 1_000n
/** Percentage of the balance above which the maximum fee is a danger. */
const MOST_OF_BALANCE = 10n
/**
 * Percentage of the wallet's own offer up to which a fee counts as the market price. The base fee can fall by an eighth
 * per block, so an earlier fee may exceed the current offer.
 */
const DRIFT = 125n
const HUNDRED = 100n
/** Maximum factor that a finding states. */
const MOST_TIMES = 1_000_000n

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** Returns an offer's maximum price per gas, in wei. */
export const mostOf = (offer: Offer): bigint => ('gasPrice' in offer ? offer.gasPrice : offer.maxFeePerGas)

/** Returns the plausible current price for the fast speed, in wei per gas. */
const fastNow = ({ fees, price }: Market): bigint => smaller(offerFor(fees, 'fast').expected, price.believed)

/**
 * Returns the wallet's own maximum price per gas for the fast speed. The node's base fee is not capped at the plausible
 * price, because the block's real base fee decides what is paid.
 */
export const fastOffer = (market: Market): bigint => {
  const { baseFee, tips } = market.fees
  return highestPrice(baseFee ?? 0n, smaller(tips.fast, fastNow(market)), 'fast')
}

/** Compares an offer's current and maximum price per gas with the fast speed. */
export const reviewPrice = (offer: Offer, market: Market): Finding[] => {
  const fast = larger(fastNow(market), CHEAP)
  const { baseFee } = market.fees
  const paid = paidOf(offer, { baseFee: baseFee === null ? null : smaller(baseFee, fast) })
  const percent = larger((paid * HUNDRED) / fast, (mostOf(offer) * HUNDRED) / larger(fastOffer(market), CHEAP))
  const times = smaller(percent / HUNDRED, MOST_TIMES)
  if (percent > EXCESSIVE) return [finding('danger', 'excessiveFee', times, mostOf(offer), fastNow(market))]
  return percent > HIGH ? [finding('caution', 'highFee', times, mostOf(offer), fastNow(market))] : []
}

/**
 * Compares the maximum fee with the balance. All values are in wei: `atMost` is the maximum fee, `own` the wallet's own
 * fee for the fast speed.
 */
export const reviewShare = (atMost: bigint, own: bigint, balance: bigint): Finding[] =>
  atMost * HUNDRED > balance * MOST_OF_BALANCE && atMost * HUNDRED > own * DRIFT
    ? [finding('danger', 'feeOfBalance', atMost, balance)]
    : []

/** Reports a gas price that is implausible after the last one seen. */
export const reviewMarket = ({ fees, price: { jumpedFrom } }: Market): Finding[] =>
  jumpedFrom === null
    ? []
    : [finding('caution', 'gasPriceJumped', offerFor(fees, 'fast').expected, jumpedFrom.price, jumpedFrom.at)]
