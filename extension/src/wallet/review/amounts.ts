/** Amounts that have no bound, whatever their exact digits. */
import { type TokenView, UNLIMITED_BITS } from '../../messages.ts'

/** The bits of an unsigned integer type; undefined for any other type. */
const bitsOf = (type: string): bigint | undefined => {
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  return bits === undefined ? undefined : BigInt(bits)
}

/**
 * The amount, or null for one that has no bound: from 2^128 upwards, and of a type that cannot hold so much from half of
 * what it can hold.
 */
export const boundedAmount = (type: string, digits: string): string | null => {
  const bits = bitsOf(type)
  if (bits === undefined) return digits
  const bound = bits > UNLIMITED_BITS ? UNLIMITED_BITS : bits - 1n
  return BigInt(digits) >> bound === 0n ? digits : null
}

/** So many times what the account holds is more than anybody means to spend. */
const TIMES_BALANCE = 1_000n
/** More than is spent of any token of which neither supply nor balance is known. */
const UNKNOWN_TOKEN_LIMIT = 1n << 96n

/** Nothing of a token says as little about an amount as no answer. */
const positive = (digits: string | null | undefined): bigint | undefined =>
  digits === null || digits === undefined || digits === '0' ? undefined : BigInt(digits)

/** Whether an allowance is in effect one of everything: null, the token's supply, or a multiple of the balance. */
export const isUnlimited = (amount: bigint | null, token: TokenView | undefined): boolean => {
  if (amount === null) return true
  const [supply, balance] = [positive(token?.supply), positive(token?.balance)]
  if (supply === undefined && balance === undefined) return amount >= UNKNOWN_TOKEN_LIMIT
  return (supply !== undefined && amount >= supply) || (balance !== undefined && amount >= TIMES_BALANCE * balance)
}
