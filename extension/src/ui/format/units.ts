/** Converts between typed amounts and smallest units. */
import { decimalSign, parseAmount } from './numbers.ts'

/**
 * Returns the typed amount in smallest units, as decimal digits; undefined if it is not a number or has too many
 * decimals.
 */
export const parseUnits = (typed: string, decimals: number): string | undefined =>
  parseAmount(typed, decimals)?.toString()

/** Formats an amount as a user would type it: no grouping, no trailing zeros. */
export const printUnits = (units: string, decimals: number): string => {
  const digits = units.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}${decimalSign()}${fraction}`
}

/**
 * Returns the initial limit of an allowance in smallest units: the requested amount or the balance, whichever is less.
 */
export const firstLimit = (asked: string, held: string | null): string | undefined => {
  if (held === null || held === '0') return undefined
  return BigInt(asked) < BigInt(held) ? asked : held
}
