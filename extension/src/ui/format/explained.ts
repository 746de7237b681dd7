/** Texts of explained values. They are claims of a descriptor, formatted like the wallet's own values. */
import type { ExplainedValue } from '../../messages.ts'
import { shortNumber } from './items.ts'
import { formatExact, withUnit } from './numbers.ts'
import { text, wordLocale } from './text.ts'
import { formatMoment } from './times.ts'
import { inSmallestUnits, tokenAmount, tokenName } from './tokens.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration as "2 days, 3 hours", with every unit that is not zero. */
export const formatDuration = (seconds: number): string => {
  let left = seconds
  const counts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return [unit, count] as const
  })
  const shown = counts.filter(([unit, count]) => count > 0 || (unit === 'second' && seconds === 0))
  const parts = shown.map(([unit, count]) =>
    new Intl.NumberFormat(wordLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return new Intl.ListFormat(wordLocale(), { type: 'unit', style: 'narrow' }).format(parts)
}

const amountText = ({ amount, token }: Extract<ExplainedValue, { kind: 'tokenAmount' }>): string =>
  amount === null
    ? withUnit(text('unlimited'), tokenName(token)).trim()
    : (tokenAmount(amount, token) ?? inSmallestUnits(amount))

/**
 * Returns the address that identifies the value: the value itself, an item's collection, or a token that the user has
 * not listed.
 */
export const addressOf = (value: ExplainedValue): string | null => {
  if (value.kind === 'address') return value.address
  if (value.kind === 'item') return value.collection
  return value.kind === 'tokenAmount' && !value.token.listed ? value.token.address : null
}

/** Returns a value's text; empty for an address. */
export const explainedText = (value: ExplainedValue): string => {
  switch (value.kind) {
    case 'text':
      return value.text
    case 'address':
      return ''
    case 'amount':
      return withUnit(formatExact(BigInt(value.amount), value.decimals), value.unit).trim()
    case 'tokenAmount':
      return amountText(value)
    case 'item':
      return shortNumber(value.id)
    case 'date':
      return formatMoment(1000 * Number(value.at))
    case 'duration':
      return formatDuration(Number(value.seconds))
  }
}
