/** Computes values of amounts in exact fractions, and formats them. Only `formatMoney` rounds. */
import type { PriceView } from '../../messages.ts'
import { NO_BREAK_SPACE, toDecimal } from './numbers.ts'
import { text, wordLocale } from './text.ts'
import { formatAgo } from './times.ts'

/** An exact amount of a currency. The denominator is above zero. */
export type Money = { numerator: bigint; denominator: bigint }

const NOTHING: Money = { numerator: 0n, denominator: 1n }

/** Returns the value of an amount in the asset's smallest unit. */
export const worthOf = (units: bigint, { numerator, denominator }: PriceView): Money => ({
  numerator: units * BigInt(numerator),
  denominator: BigInt(denominator),
})

export const sumOf = (values: readonly Money[]): Money =>
  values.reduce(
    (sum, { numerator, denominator }) => ({
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    }),
    NOTHING,
  )

/** An amount of an asset in its smallest unit. `token` is null for the native coin. */
export type Held = { token: string | null; units: bigint }

/**
 * A total of values, null if no asset has a current price. `left` counts the assets that are held but not part of it.
 * `prices` has the prices of all held assets.
 */
export type Total = { money: Money | null; left: number; prices: readonly PriceView[] }

/** Adds up the values of holdings. Stale prices do not count. */
export const totalOf = (held: readonly Held[], priceOf: (token: string | null) => PriceView | undefined): Total => {
  const priced = held
    .filter(({ units }) => units > 0n)
    .map(({ token, units }) => ({ token, units, price: priceOf(token) }))
  const counted = priced.flatMap(({ units, price }) => (price && !price.isStale ? [worthOf(units, price)] : []))
  return {
    money: counted.length > 0 ? sumOf(counted) : null,
    left: new Set(priced.flatMap(({ token, price }) => (price && !price.isStale ? [] : [token]))).size,
    prices: priced.flatMap(({ price }) => price ?? []),
  }
}

/** Amounts from this one on are abbreviated, so that they fit their place. */
const LONG = 10n ** 12n

/** Keeps the "$" of "US$" behind its letters in a right-to-left text. */
const LEFT_TO_RIGHT_MARK = '\u200e'

/** Formats money in the language, rounded to the currency's smallest unit: "≈ $0.14", "<$0.01", or "$0.00" for nothing. */
export const formatMoney = ({ numerator, denominator }: Money, currency: string): string => {
  const style = { style: 'currency', currency } as const
  const { maximumFractionDigits: digits = 0 } = new Intl.NumberFormat('en', style).resolvedOptions()
  const units = (2n * numerator * 10n ** BigInt(digits) + denominator) / (2n * denominator)
  const isLong = numerator >= LONG * denominator
  const formats = new Intl.NumberFormat(wordLocale(), { ...style, ...(isLong && { notation: 'compact' }) })
  const mark = text('direction') === 'rtl' ? LEFT_TO_RIGHT_MARK : ''
  const format = (amount: Parameters<typeof formats.formatToParts>[0]) =>
    formats
      .formatToParts(amount)
      .map(({ type, value }) => (type === 'currency' ? `${value}${mark}` : value))
      .join('')
  if (numerator === 0n) return format(0)
  return units === 0n ? `<${format(toDecimal(1n, digits))}` : `≈${NO_BREAK_SPACE}${format(toDecimal(units, digits))}`
}

/** Returns a value, with the time of its price if that is stale: "≈ $0.14, price from 18 Nov 2025, 14:05". */
export const valueText = (units: bigint, price: PriceView, currency: string, now: number): string => {
  const money = formatMoney(worthOf(units, price), currency)
  return price.isStale ? text('valueOld', money, formatAgo(price.updatedAt, now)) : money
}

/** Names the feeds of a price, and the time of their oldest answer. */
export const sourceText = ({ pairs, updatedAt, isStale }: PriceView, now: number): string =>
  text(isStale ? 'valueStale' : 'valueSource', pairs.join(', '), formatAgo(updatedAt, now))
