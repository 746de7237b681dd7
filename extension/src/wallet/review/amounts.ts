/** Decides from which amount an allowance counts as unlimited. */
import { type TokenView, UNLIMITED_BITS } from '../../messages.ts'

/** Returns the size of an unsigned integer type in bits. Undefined for any other type. */
const bitsOf = (type: string): bigint | undefined => {
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  return bits === undefined ? undefined : BigInt(bits)
}

/**
 * Returns the amount, or null if it counts as unlimited. The threshold is 2^128; for types of up to 128 bits, it is
 * half of the type's range.
 */
export const boundedAmount = (type: string, digits: string): string | null => {
  const bits = bitsOf(type)
  if (bits === undefined) return digits
  const bound = bits > UNLIMITED_BITS ? UNLIMITED_BITS : bits - 1n
  return BigInt(digits) >> bound === 0n ? digits : null
}

/** Multiple of the balance from which an allowance counts as unlimited. */
const TIMES_BALANCE = 1_000n
/** Amount from which an allowance counts as unlimited if neither the token's supply nor the balance is known. */
const UNKNOWN_TOKEN_LIMIT = 1n << 96n

/** Treats a supply or balance of zero as unknown, because amounts cannot be compared with it. */
const positive = (digits: string | null | undefined): bigint | undefined =>
  digits === null || digits === undefined || digits === '0' ? undefined : BigInt(digits)

/**
 * True if an allowance is effectively unlimited: null, at least the token's supply, or a large multiple of the balance.
 */
export const isUnlimited = (amount: bigint | null, token: TokenView | undefined): boolean => {
  if (amount === null) return true
  const [supply, balance] = [positive(token?.supply), positive(token?.balance)]
  if (supply === undefined && balance === undefined) return amount >= UNKNOWN_TOKEN_LIMIT
  return (supply !== undefined && amount >= supply) || (balance !== undefined && amount >= TIMES_BALANCE * balance)
}
