/**
 * Signed messages, EIP-191 version 0x45, with a configurable network name: https://eips.ethereum.org/EIPS/eip-191
 * The prefix prevents reuse of a signature for a transaction, or for a network with another name.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { fail } from './fail.ts'
import { encodeData, type Hex } from './hex.ts'
import { recoverAddress, sign } from './signature.ts'

const PRINTABLE = /^[^\p{Cc}]+$/u

/**
 * Returns the hash to sign: keccak256 of `\x19<network name> Signed Message:\n`, the message's length in bytes as
 * decimal text, and the message. Throws ValueError if the name is empty or has control characters, which could imitate
 * another prefix.
 */
export const hashMessage = (message: Uint8Array, networkName: string): Hex => {
  if (!PRINTABLE.test(networkName)) return fail('network name', networkName, 'notPrintableName')
  const prefix = utf8ToBytes(`\x19${networkName} Signed Message:\n${message.length}`)
  return encodeData(keccak_256(concatBytes(prefix, message)))
}

/**
 * Signs a message with a private key of 32 bytes. The network name is `Ethereum` for `personal_sign`. Returns r ‖ s ‖ v, 65
 * bytes. Throws ValueError.
 */
export const signMessage = (message: Uint8Array, privateKey: Uint8Array, networkName: string): Hex =>
  sign(hashMessage(message, networkName), privateKey)

/** Recovers the account that signed the message for that network. Throws ValueError for an invalid signature. */
export const recoverMessage = (message: Uint8Array, signature: unknown, networkName: string): Address =>
  recoverAddress(hashMessage(message, networkName), signature)
