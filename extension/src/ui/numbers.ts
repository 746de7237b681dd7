/** Numbers as a person reads them, in the browser's locale: balances are cut, fees rounded up, requests shown in full. */
import { plural } from './text.ts'

export const NO_BREAK_SPACE = '\u00a0'
export const MINUS = '\u2212'

const BALANCE_DIGITS = 4
/** Tokens with up to this many decimals are money-like and get two digits. */
const FEW_DECIMALS = 6
const FEW_DIGITS = 2
const FEE_DIGITS = 6
/** The most fraction digits Intl.NumberFormat takes. */
const MOST_DIGITS = 100

/** `value` units of 10^-decimals as decimal text, every digit. */
const toDecimal = (value: bigint, decimals: number): `${number}` => {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`) as `${number}`
}

const format = (value: bigint, decimals: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(undefined, options).format(toDecimal(value, decimals))

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

/** A fee, rounded up to six decimals: it never costs more than it says. */
export const formatFee = (value: bigint, decimals: number): string => {
  const digits = Math.min(decimals, FEE_DIGITS)
  if (value > 0n && value < 10n ** BigInt(decimals - digits)) return tooSmall(digits)
  return format(value, decimals, { maximumFractionDigits: digits, roundingMode: 'ceil' })
}

/** An amount with every significant digit: what is asked for. */
export const formatExact = (value: bigint, decimals: number): string =>
  format(value, decimals, { maximumFractionDigits: Math.min(decimals, MOST_DIGITS) })

/** A number and its unit, which never part at the end of a line. */
export const withUnit = (amount: string, unit: string): string => `${amount}${NO_BREAK_SPACE}${unit}`

/** A count of things, grouped. */
export const formatCount = (count: number): string => new Intl.NumberFormat().format(count)

/** "6,214 bytes". */
export const formatBytes = (count: number): string => plural('bytes', count)

/** The number of bytes in 0x hex. */
export const byteLength = (hex: string): number => (hex.length - 2) / 2
