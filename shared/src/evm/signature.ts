/**
 * ECDSA over secp256k1 as Ethereum uses it: deterministic nonces (RFC 6979) and low s (EIP-2).
 * https://www.rfc-editor.org/rfc/rfc6979, https://eips.ethereum.org/EIPS/eip-2
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js'
import { type Address, addressOf } from './address.ts'
import { fail, fromBytes, type Hex, toBytes, valueError } from './hex.ts'

/** `yParity` is the parity of the curve point's y coordinate, which recovery needs. */
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

const checkHash = (hash: Uint8Array): void => {
  if (hash.length !== 32) fail('hash', hash, 'notHash')
}

/** Throws without quoting the key, so that no key reaches an error text. */
const checkKey = (privateKey: Uint8Array): void => {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) throw valueError('notPrivateKey')
}

/** Signs a hash of 32 bytes, deterministically. Throws ValueError. */
export const sign = (hash: Uint8Array, privateKey: Uint8Array): Signature => {
  checkHash(hash)
  checkKey(privateKey)
  const bytes = secp256k1.sign(hash, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return checkSignature({ r, s, yParity: toParity(recovery, 'signature.yParity') })
}

/** Recovers the account that signed the hash. Throws ValueError if the signature has no public key. */
export const recoverAddress = (hash: Uint8Array, signature: Signature): Address => {
  checkHash(hash)
  const { r, s, yParity } = checkSignature(signature)
  try {
    return addressOf(new secp256k1.Signature(r, s, yParity).recoverPublicKey(hash).toBytes(false))
  } catch {
    return fail('signature.r', r, 'noPublicKey')
  }
}

/** Address of a private key of 32 bytes. Throws ValueError. */
export const addressOfKey = (privateKey: Uint8Array): Address => {
  checkKey(privateKey)
  return addressOf(secp256k1.getPublicKey(privateKey, false))
}

/** Encodes r ‖ s ‖ v, 65 bytes, with v as 27 or 28, as `personal_sign` returns it. */
export const serializeSignature = ({ r, s, yParity }: Signature): Hex =>
  fromBytes(concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32), Uint8Array.of(27 + yParity)))

/** Parity by v. Most signers write 27 or 28, some the parity itself. */
const parities: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** Parses r ‖ s ‖ v, 65 bytes, with v as 0, 1, 27 or 28. Throws ValueError, also for a high s. */
export const parseSignature = (value: unknown, place = 'signature'): Signature => {
  const bytes = toBytes(value, place, 65)
  const [v = 0] = bytes.subarray(64)
  const yParity = parities[v]
  if (yParity === undefined) return fail(`${place}.v`, v, 'notV')
  const r = bytesToNumberBE(bytes.subarray(0, 32))
  const s = bytesToNumberBE(bytes.subarray(32, 64))
  return checkSignature({ r, s, yParity }, place)
}
