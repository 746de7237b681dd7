/** DATA and QUANTITY of the Ethereum JSON-RPC: https://ethereum.org/developers/docs/apis/json-rpc/#conventions */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { fail } from './fail.ts'

/** A 0x-prefixed hex string. */
export type Hex = `0x${string}`

const DATA = /^0x(?:[0-9a-fA-F]{2})*$/
const HEX_NUMBER = /^0x[0-9a-fA-F]*$/
const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/

/** True for `0x` followed by an even number of hex digits. */
export const isHex = (value: unknown): value is Hex => typeof value === 'string' && DATA.test(value)

/** Encodes bytes as lower-case DATA. */
export const encodeData = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`

/** Decodes DATA. `size` requires an exact length in bytes. Throws ValueError. */
export const decodeData = (value: unknown, place = 'data', size?: number): Uint8Array => {
  if (!isHex(value)) return fail(place, value, 'notData')
  const bytes = hexToBytes(value.slice(2))
  if (size !== undefined && bytes.length !== size)
    return fail(place, value, 'wrongByteCount', { bytes: bytes.length, wanted: size })
  return bytes
}

/**
 * Encodes a non-negative integer as QUANTITY: shortest form, `0x0` for zero. Throws ValueError for a negative value or
 * an unsafe integer, which may have lost digits.
 */
export const encodeQuantity = (value: bigint | number): Hex => {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return fail('quantity', value, 'notSafeInteger')
  if (value < 0) return fail('quantity', value, 'negative')
  return `0x${value.toString(16)}`
}

/** Decodes a QUANTITY of at most `bits` bits. Refuses leading zeros and a bare `0x`. Throws ValueError. */
export const decodeQuantity = (value: unknown, place = 'quantity', bits = 256): bigint => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return fail(place, value, 'notQuantity')
  const quantity = BigInt(value)
  if (quantity >> BigInt(bits) !== 0n) return fail(place, value, 'outOfRange', { type: `uint${bits}` })
  return quantity
}

/**
 * Normalizes a hex number as sites write it: drops leading zeros and reads `0x` as zero. Throws ValueError for
 * anything else, and for more than 256 bits.
 */
export const normalizeQuantity = (value: unknown, place = 'quantity'): Hex => {
  if (typeof value !== 'string' || !HEX_NUMBER.test(value)) return fail(place, value, 'notHexNumber')
  const digits = value.replace(/^0x0*/, '')
  return encodeQuantity(decodeQuantity(`0x${digits === '' ? '0' : digits}`, place))
}
