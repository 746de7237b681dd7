/** Account addresses with EIP-55 checksums: https://eips.ethereum.org/EIPS/eip-55 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksum, EIP1191_CHAINS, isAddress, toChainCase } from '../checksum.ts'
import { fail } from './fail.ts'
import { encodeData, type Hex } from './hex.ts'

export { isAddress, toChainCase } from '../checksum.ts'

/** An address as 0x and 40 hex digits in EIP-55 case. */
export type Address = Hex

/** Parses an address, and verifies the checksum if its digits are in mixed case. Throws ValueError. */
export const toAddress = (value: unknown, place = 'address'): Address => {
  if (typeof value !== 'string' || !isAddress(value)) return fail(place, value, 'notAddress')
  const digits = value.slice(2)
  const address = checksum(digits.toLowerCase())
  const hasCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (hasCase && address !== value) return fail(place, value, 'wrongChecksum')
  return address
}

/**
 * Converts an address from the chain's EIP-1191 case (any chain's for null) to EIP-55 case. Returns all other values
 * unchanged; `toAddress` then accepts or rejects them.
 */
export const fromChainCase = (value: unknown, chainId: number | null): unknown => {
  if (typeof value !== 'string' || !isAddress(value)) return value
  const chains = EIP1191_CHAINS.filter(chain => chainId === null || chainId === chain)
  return chains.some(chain => toChainCase(value, chain) === value) ? checksum(value.slice(2).toLowerCase()) : value
}

/** Compares two addresses without regard to case. */
export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const PUBLIC_KEY_LENGTH = 65
const UNCOMPRESSED = 0x04

/**
 * Returns the address of an uncompressed public key, 65 bytes (0x04 ‖ x ‖ y). Throws ValueError for other key formats.
 */
export const addressOfPublicKey = (publicKey: Uint8Array): Address => {
  if (publicKey.length !== PUBLIC_KEY_LENGTH || publicKey[0] !== UNCOMPRESSED)
    return fail('public key', publicKey, 'notPublicKey')
  return toAddress(encodeData(keccak_256(publicKey.subarray(1)).subarray(12)))
}
