/**
 * Whether a transaction offers more for gas than it has to. What is offered is compared with what the wallet itself would
 * offer for the fast speed; the share of the balance counts only beyond that, since a fee at market price is shown anyway
 * and would warn about every transaction of a small account.
 */
import type { Finding, FindingName } from '../../messages.ts'
import { type Fees, highestPrice, type Offer, offerFor, paidOf } from '../transactions/fees.ts'
import { CHEAP, type CheckedPrice } from '../transactions/seen-prices.ts'

/** What gas costs by the node's word, and how much of that is believed. */
export type Market = { fees: Fees; price: CheckedPrice }

/** Percent of the fast estimate above which a price is a caution, and a danger. */
const HIGH = 300n
const EXCESSIVE = 1_000n
/** Percent of the balance above which the highest possible fee is a danger. */
const MOST_OF_BALANCE = 10n
/** Percent of the wallet's own offer that still counts as market price: the base fee may fall by an eighth per block. */
const DRIFT = 125n
const HUNDRED = 100n
/** Times above which a finding says no more than this. */
const MOST_TIMES = 1_000_000n

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

const finding = (level: Finding['level'], name: FindingName, ...values: readonly unknown[]): Finding => ({
  level,
  name,
  values: values.map(String),
})

/** The most that is offered per gas, in wei. */
export const mostOf = (offer: Offer): bigint => ('gasPrice' in offer ? offer.gasPrice : offer.maxFeePerGas)

/** What is believed of the price at which a transaction is fast now, in wei per gas. */
const fastNow = ({ fees, price }: Market): bigint => smaller(offerFor(fees, 'fast').expected, price.believed)

/** The most that the wallet would offer per gas for the fast speed. The node's base fee stands: no more than it is paid. */
export const fastOffer = (market: Market): bigint => {
  const { baseFee, tips } = market.fees
  return highestPrice(baseFee ?? 0n, smaller(tips.fast, fastNow(market)), 'fast')
}

/** Judges the price per gas: what would be paid now, and the most that could be. */
export const reviewPrice = (offer: Offer, market: Market): Finding[] => {
  const fast = larger(fastNow(market), CHEAP)
  const { baseFee } = market.fees
  const paid = paidOf(offer, { baseFee: baseFee === null ? null : smaller(baseFee, fast) })
  const percent = larger((paid * HUNDRED) / fast, (mostOf(offer) * HUNDRED) / larger(fastOffer(market), CHEAP))
  const times = smaller(percent / HUNDRED, MOST_TIMES)
  if (percent > EXCESSIVE) return [finding('danger', 'excessiveFee', times, mostOf(offer), fastNow(market))]
  return percent > HIGH ? [finding('caution', 'highFee', times, mostOf(offer), fastNow(market))] : []
}

/** `atMost` and `own` are the highest possible fee and the wallet's own at the fast speed, `balance` the account's; in wei. */
export const reviewShare = (atMost: bigint, own: bigint, balance: bigint): Finding[] =>
  atMost * HUNDRED > balance * MOST_OF_BALANCE && atMost * HUNDRED > own * DRIFT
    ? [finding('danger', 'feeOfBalance', atMost, balance)]
    : []

/** The node names a price that the one before makes implausible. */
export const reviewMarket = ({ fees, price: { jumpedFrom } }: Market): Finding[] =>
  jumpedFrom === null
    ? []
    : [finding('caution', 'gasPriceJumped', offerFor(fees, 'fast').expected, jumpedFrom.price, jumpedFrom.at)]
