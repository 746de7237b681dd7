/**
 * Address checksums, written as the case of the hex digits: https://eips.ethereum.org/EIPS/eip-55. On two chains the
 * checksum includes the chain id: https://eips.ethereum.org/EIPS/eip-1191
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** True if the text has the length and the digits of an address. Its checksum is not verified. */
export const isAddress = (text: string): boolean => ADDRESS.test(text)

/** Chain ids of Rootstock and its test network. Celo and other networks that EIP-1191 lists use EIP-55. */
export const EIP1191_CHAINS: readonly number[] = [30, 31]

/** Applies the case of the checksum to 40 lower-case hex digits. `salt` is empty in EIP-55. */
export const checksum = (lower: string, salt = ''): `0x${string}` => {
  const hash = bytesToHex(keccak_256(utf8ToBytes(`${salt}${lower}`)))
  const digits = [...lower].map((digit, i) => (Number.parseInt(hash.charAt(i), 16) > 7 ? digit.toUpperCase() : digit))
  return `0x${digits.join('')}`
}

/** Returns the address as the chain's explorers write it: in EIP-1191 case on Rootstock, otherwise unchanged. */
export const toChainCase = (address: string, chainId: number): string =>
  EIP1191_CHAINS.includes(chainId) ? checksum(address.slice(2).toLowerCase(), `${chainId}0x`) : address
