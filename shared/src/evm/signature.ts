/**
 * ECDSA over secp256k1 as Ethereum uses it: nonces after RFC 6979, low s after EIP-2.
 * https://www.rfc-editor.org/rfc/rfc6979, https://eips.ethereum.org/EIPS/eip-2
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js'
import { type Address, addressOf } from './address.ts'
import { fail, fromBytes, type Hex, toBytes, ValueError } from './hex.ts'

/** A signature with what recovery needs: the parity of the y coordinate of its curve point. */
export type Signature = { r: bigint; s: bigint; yParity: 0 | 1 }

const ORDER = secp256k1.Point.CURVE().n
const HALF_ORDER = ORDER >> 1n

/** Passes a signature whose r and s are in range and whose s is the low one. Throws ValueError. */
export const checkSignature = (signature: Signature, place = 'signature'): Signature => {
  const { r, s } = signature
  if (r <= 0n || r >= ORDER) return fail(`${place}.r`, r, 'is not between 1 and n − 1, n the order of secp256k1')
  if (s <= 0n || s >= ORDER) return fail(`${place}.s`, s, 'is not between 1 and n − 1, n the order of secp256k1')
  if (s > HALF_ORDER) return fail(`${place}.s`, s, 'is above n/2: only the low s is accepted')
  return signature
}

/** A parity that came as a number. Throws ValueError. */
export const toParity = (value: bigint | number, place: string): 0 | 1 => {
  const parity = Number(value)
  return parity === 0 || parity === 1 ? parity : fail(place, value, 'is neither 0 nor 1')
}

const checkHash = (hash: Uint8Array): void => {
  if (hash.length !== 32) fail('hash', hash, 'is not a hash of 32 bytes')
}

/** The error names the rule alone: a key never stands in a text. */
const checkKey = (privateKey: Uint8Array): void => {
  if (!secp256k1.utils.isValidSecretKey(privateKey))
    throw new ValueError('private key: is not 32 bytes that hold a number between 1 and n − 1')
}

/** Signs a hash of 32 bytes. The same hash and key always give the same signature. Throws ValueError. */
export const sign = (hash: Uint8Array, privateKey: Uint8Array): Signature => {
  checkHash(hash)
  checkKey(privateKey)
  const bytes = secp256k1.sign(hash, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return checkSignature({ r, s, yParity: toParity(recovery, 'signature.yParity') })
}

/** The account whose key made this signature of the hash. Throws ValueError where no key can have. */
export const recoverAddress = (hash: Uint8Array, signature: Signature): Address => {
  checkHash(hash)
  const { r, s, yParity } = checkSignature(signature)
  try {
    return addressOf(new secp256k1.Signature(r, s, yParity).recoverPublicKey(hash).toBytes(false))
  } catch {
    return fail('signature.r', r, 'belongs to no public key')
  }
}

/** The account of a private key of 32 bytes. Throws ValueError. */
export const addressOfKey = (privateKey: Uint8Array): Address => {
  checkKey(privateKey)
  return addressOf(secp256k1.getPublicKey(privateKey, false))
}

/** r ‖ s ‖ v in 65 bytes, v being 27 or 28, as `personal_sign` answers. */
export const serializeSignature = ({ r, s, yParity }: Signature): Hex =>
  fromBytes(concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32), Uint8Array.of(27 + yParity)))

/** The parity by v: 27 and 28 are usual, some signers write it as it is. */
const parities: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** Parses r ‖ s ‖ v in 65 bytes, v being 0, 1, 27 or 28. Throws ValueError, also for a high s. */
export const parseSignature = (value: unknown, place = 'signature'): Signature => {
  const bytes = toBytes(value, place, 65)
  const [v = 0] = bytes.subarray(64)
  const yParity = parities[v]
  if (yParity === undefined) return fail(`${place}.v`, v, 'is none of 0, 1, 27 and 28')
  const r = bytesToNumberBE(bytes.subarray(0, 32))
  const s = bytesToNumberBE(bytes.subarray(32, 64))
  return checkSignature({ r, s, yParity }, place)
}
