/**
 * Formats numbers in the browser's locale. Balances are truncated, fees rounded up, and requested amounts shown in
 * full.
 */
import { DIGITS, plural } from './text.ts'

export const NO_BREAK_SPACE = '\u00a0'
export const MINUS = '\u2212'
export const PLUS = '+'

const BALANCE_DIGITS = 4
/** Tokens with at most this many decimals are shown like money, with two digits. */
const FEW_DECIMALS = 6
const FEW_DIGITS = 2
const FEE_DIGITS = 6
const MOST_WHOLE = 10n ** 15n
/** Maximum fraction digits of Intl.NumberFormat. */
const MOST_DIGITS = 100

/** Writes `value` units of 10^-decimals as exact decimal text. */
export const toDecimal = (value: bigint, decimals: number): `${number}` => {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`) as `${number}`
}

const format = (value: bigint, decimals: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(undefined, { ...DIGITS, ...options }).format(toDecimal(value, decimals))

/** Formats a value above zero but below the last shown digit, as "<0.0001". */
const tooSmall = (digits: number): string => `<${format(1n, digits, { minimumFractionDigits: digits })}`

/** Formats a balance, truncated to four decimals (two for tokens with at most six), so that it never shows too much. */
export const formatBalance = (value: bigint, decimals: number): string => {
  const digits = Math.min(decimals, decimals <= FEW_DECIMALS ? FEW_DIGITS : BALANCE_DIGITS)
  if (value > 0n && value < 10n ** BigInt(decimals - digits)) return tooSmall(digits)
  return format(value, decimals, {
    minimumFractionDigits: value === 0n ? 0 : digits,
    maximumFractionDigits: digits,
    roundingMode: 'trunc',
  })
}

/**
 * Formats a fee, rounded up to six decimals, so that it never shows too little. A fee above `MOST_WHOLE`, which no
 * account can hold, is shown as ">" and that number, so that it fits its place.
 */
export const formatFee = (value: bigint, decimals: number): string => {
  if (value > MOST_WHOLE * 10n ** BigInt(decimals)) return `>${format(MOST_WHOLE, 0, {})}`
  const digits = Math.min(decimals, FEE_DIGITS)
  if (value > 0n && value < 10n ** BigInt(decimals - digits)) return tooSmall(digits)
  return format(value, decimals, { maximumFractionDigits: digits, roundingMode: 'ceil' })
}

/** Formats an amount with every significant digit, for requests. */
export const formatExact = (value: bigint, decimals: number): string =>
  format(value, decimals, { maximumFractionDigits: Math.min(decimals, MOST_DIGITS) })

/** Arabic and Persian digits, and the full-width digits of Chinese and Japanese keyboards. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g

/** Replaces other digits with 0 to 9. The low four bits of each code point are the digit's value. */
const withPlainDigits = (text: string): string => text.replace(OTHER_DIGITS, digit => String(digit.charCodeAt(0) & 0xf))

/**
 * Parses a typed decimal into units of 10^-decimals. Also accepts the digits and decimal separators of Arabic, Persian,
 * Chinese and Japanese keyboards. Returns null if the text is not a number or has too many decimals.
 */
export const parseAmount = (text: string, decimals: number): bigint | null => {
  const typed = withPlainDigits(text.trim())
  const [, whole = '', fraction = ''] = /^(\d*)(?:[.,\u066b\uff0e](\d*))?$/.exec(typed) ?? []
  if (whole + fraction === '' || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Returns the decimal separator of the page's numbers. */
export const decimalSign = (): string =>
  new Intl.NumberFormat(undefined, DIGITS).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

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

/** Joins a number and its unit by a no-break space. */
export const withUnit = (amount: string, unit: string): string => `${amount}${NO_BREAK_SPACE}${unit}`

/** Formats a count with digit grouping. */
export const formatCount = (count: number): string => new Intl.NumberFormat(undefined, DIGITS).format(count)

/** Formats a fraction from 0 to 1 as a percentage, such as "62%". */
export const formatPercent = (part: number): string =>
  new Intl.NumberFormat(undefined, { ...DIGITS, style: 'percent' }).format(part)

/** Formats a number of bytes as "6,214 bytes". */
export const formatBytes = (count: number): string => plural('bytes', count)

/** Returns the number of bytes in 0x hex. */
export const byteLength = (hex: string): number => (hex.length - 2) / 2
