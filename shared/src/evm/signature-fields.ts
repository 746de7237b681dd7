/** Signature values and their ranges: https://eips.ethereum.org/EIPS/eip-2 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { fail } from './fail.ts'

/**
 * An ECDSA signature. r and s are between 1 and n − 1, where n is the order of secp256k1, and s is at most n/2.
 * Recovery needs `yParity`, the parity of the curve point's y coordinate.
 */
export type Signature = { r: bigint; s: bigint; yParity: 0 | 1 }

const ORDER = secp256k1.Point.CURVE().n
const HALF_ORDER = ORDER >> 1n

/** Returns the signature if r and s are in range and s is low. Throws ValueError otherwise. */
export const checkSignature = (signature: Signature, place = 'signature'): Signature => {
  const { r, s } = signature
  if (r <= 0n || r >= ORDER) return fail(`${place}.r`, r, 'notBelowOrder')
  if (s <= 0n || s >= ORDER) return fail(`${place}.s`, s, 'notBelowOrder')
  if (s > HALF_ORDER) return fail(`${place}.s`, s, 'highS')
  return signature
}

/** Narrows a number to a parity. Throws ValueError. */
export const toParity = (value: bigint | number, place: string): 0 | 1 => {
  const parity = Number(value)
  return parity === 0 || parity === 1 ? parity : fail(place, value, 'notParity')
}
