/**
 * ECDSA over secp256k1 as Ethereum uses it: deterministic nonces (RFC 6979) and low s (EIP-2).
 * https://www.rfc-editor.org/rfc/rfc6979, https://eips.ethereum.org/EIPS/eip-2
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js'
import { type Address, addressOfPublicKey } from './address.ts'
import { fail, valueError } from './fail.ts'
import { decodeData, encodeData, type Hex, isHex } from './hex.ts'

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

/** Length of a hash as DATA in characters. */
const HASH_LENGTH = 66

const hashBytes = (hash: Hex): Uint8Array =>
  isHex(hash) && hash.length === HASH_LENGTH ? decodeData(hash) : fail('hash', hash, 'notHash')

/** Throws without quoting the key, so that no key reaches an error text. */
const checkKey = (privateKey: Uint8Array): void => {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) throw valueError('notPrivateKey')
}

/**
 * Signs a hash of 32 bytes with a private key of 32 bytes, deterministically. Returns r ‖ s ‖ v, 65 bytes. Throws
 * ValueError, which does not quote the key.
 */
export const sign = (hash: Hex, privateKey: Uint8Array): Hex => {
  const message = hashBytes(hash)
  checkKey(privateKey)
  const bytes = secp256k1.sign(message, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return encodeSignature({ r, s, yParity: toParity(recovery, 'signature.yParity') })
}

/** Recovers the account that signed a hash of 32 bytes. Throws ValueError for an invalid signature. */
export const recoverAddress = (hash: Hex, signature: unknown): Address => {
  const message = hashBytes(hash)
  const { r, s, yParity } = decodeSignature(signature)
  try {
    return addressOfPublicKey(new secp256k1.Signature(r, s, yParity).recoverPublicKey(message).toBytes(false))
  } catch {
    return fail('signature.r', r, 'noPublicKey')
  }
}

/** Returns the address of a private key of 32 bytes. Throws ValueError. */
export const addressOfPrivateKey = (privateKey: Uint8Array): Address => {
  checkKey(privateKey)
  return addressOfPublicKey(secp256k1.getPublicKey(privateKey, false))
}

/**
 * Encodes r ‖ s ‖ v, 65 bytes, with v as 27 or 28, as `personal_sign` returns it. Throws ValueError for an r or s out of
 * range, and for a high s.
 */
export const encodeSignature = (signature: Signature): Hex => {
  const { r, s, yParity } = checkSignature(signature)
  return encodeData(concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32), Uint8Array.of(27 + yParity)))
}

/** y parity by v. Most signers write 27 or 28; some write the parity itself. */
const parities: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** Decodes r ‖ s ‖ v, 65 bytes, with v as 0, 1, 27 or 28. Throws ValueError, also for a high s. */
export const decodeSignature = (value: unknown, place = 'signature'): Signature => {
  const bytes = decodeData(value, place, 65)
  const [v = 0] = bytes.subarray(64)
  const yParity = parities[v]
  if (yParity === undefined) return fail(`${place}.v`, v, 'notV')
  const r = bytesToNumberBE(bytes.subarray(0, 32))
  const s = bytesToNumberBE(bytes.subarray(32, 64))
  return checkSignature({ r, s, yParity }, place)
}
