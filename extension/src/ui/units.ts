/** Amounts as a person types them. */
import { decimalSign, parseAmount } from './numbers.ts'

/** The smallest units of what was typed, in decimal digits; undefined for what is no amount with that many decimals. */
export const parseUnits = (typed: string, decimals: number): string | undefined =>
  parseAmount(typed, decimals)?.toString()

/** What a person would have typed for an amount: no groups, no zeros at the end. */
export const printUnits = (units: string, decimals: number): string => {
  const digits = units.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}${decimalSign()}${fraction}`
}

/** The limit that an allowance starts from: what was asked, or all that is held where that is less. In smallest units. */
export const firstLimit = (asked: string, held: string | null): string | undefined => {
  if (held === null || held === '0') return undefined
  return BigInt(asked) < BigInt(held) ? asked : held
}
