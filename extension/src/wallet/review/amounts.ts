/** Amounts that have no bound, whatever their exact digits. */
import { UNLIMITED_BITS } from '../../messages.ts'

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
