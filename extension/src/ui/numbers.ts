/** Numbers as a person reads them, in the browser's locale: balances are cut, fees rounded up, requests shown in full. */
import { DIGITS, plural } from './text.ts'

export const NO_BREAK_SPACE = '\u00a0'
export const MINUS = '\u2212'
export const PLUS = '+'

const BALANCE_DIGITS = 4
/** Tokens with up to this many decimals are money-like and get two digits. */
const FEW_DECIMALS = 6
const FEW_DIGITS = 2
const FEE_DIGITS = 6
const MOST_WHOLE = 10n ** 15n
/** The most fraction digits Intl.NumberFormat takes. */
const MOST_DIGITS = 100

/** `value` units of 10^-decimals as decimal text, every digit. */
const toDecimal = (value: bigint, decimals: number): `${number}` => {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`) as `${number}`
}

const format = (value: bigint, decimals: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(undefined, { ...DIGITS, ...options }).format(toDecimal(value, decimals))

/** "<0.0001": not zero, but less than the last digit shown. */
const tooSmall = (digits: number): string => `<${format(1n, digits, { minimumFractionDigits: digits })}`

/** A balance, cut to four decimals (two for tokens with up to six): it never shows more than there is. */
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
 * A fee, rounded up to six decimals: it never costs more than it says. An amount that no account holds is only said to be
 * above `MOST_WHOLE`, so that it pushes nothing out of sight.
 */
export const formatFee = (value: bigint, decimals: number): string => {
  if (value > MOST_WHOLE * 10n ** BigInt(decimals)) return `>${format(MOST_WHOLE, 0, {})}`
  const digits = Math.min(decimals, FEE_DIGITS)
  if (value > 0n && value < 10n ** BigInt(decimals - digits)) return tooSmall(digits)
  return format(value, decimals, { maximumFractionDigits: digits, roundingMode: 'ceil' })
}

/** An amount with every significant digit: what is asked for. */
export const formatExact = (value: bigint, decimals: number): string =>
  format(value, decimals, { maximumFractionDigits: Math.min(decimals, MOST_DIGITS) })

/** The digits of Arabic and Persian keyboards, and the wide ones of Chinese and Japanese ones. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g

/** The same with the digits 0 to 9: the last four bits of each of the others are its value. */
const withPlainDigits = (text: string): string => text.replace(OTHER_DIGITS, digit => String(digit.charCodeAt(0) & 0xf))

/**
 * The units of 10^-decimals in a decimal text as a person types it, with a point or a comma of any of these keyboards;
 * null for what is no such number or has more decimals than there are.
 */
export const parseAmount = (text: string, decimals: number): bigint | null => {
  const typed = withPlainDigits(text.trim())
  const [, whole = '', fraction = ''] = /^(\d*)(?:[.,\u066b\uff0e](\d*))?$/.exec(typed) ?? []
  if (whole + fraction === '' || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** The sign before the fraction, as it stands in every number of the page. */
export const decimalSign = (): string =>
  new Intl.NumberFormat(undefined, DIGITS).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** A number and its unit, which never part at the end of a line. */
export const withUnit = (amount: string, unit: string): string => `${amount}${NO_BREAK_SPACE}${unit}`

/** A count of things, grouped. */
export const formatCount = (count: number): string => new Intl.NumberFormat(undefined, DIGITS).format(count)

/** "62%": a part of a whole, from 0 to 1. */
export const formatPercent = (part: number): string =>
  new Intl.NumberFormat(undefined, { ...DIGITS, style: 'percent' }).format(part)

/** "6,214 bytes". */
export const formatBytes = (count: number): string => plural('bytes', count)

/** The number of bytes in 0x hex. */
export const byteLength = (hex: string): number => (hex.length - 2) / 2
