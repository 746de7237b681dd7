/** EIP-7702 authorizations, by which an account delegates to another address's code: https://eips.ethereum.org/EIPS/eip-7702 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import {
  type Authorization,
  type AuthorizationTuple,
  authorization,
  type SignedAuthorization,
} from './authorization-fields.ts'
import { encodeData, type Hex } from './hex.ts'
import { encodeRlp } from './rlp.ts'
import { decodeSignature, encodeSignature, recoverAddress, sign, toParity } from './signature.ts'

export type { Authorization, AuthorizationTuple, SignedAuthorization } from './authorization-fields.ts'

const MAGIC = 0x05

/** Returns the hash to sign, 32 bytes: keccak256 of 0x05 and the RLP of the three fields. Throws ValueError. */
export const hashAuthorization = (value: Authorization): Hex =>
  encodeData(keccak_256(concatBytes(Uint8Array.of(MAGIC), encodeRlp(authorization.toRlp(value, 'authorization')))))

/** Signs an authorization with a private key of 32 bytes. Throws ValueError. */
export const signAuthorization = (value: Authorization, privateKey: Uint8Array): SignedAuthorization => ({
  ...value,
  ...decodeSignature(sign(hashAuthorization(value), privateKey)),
})

/** Recovers the account that signed the authorization. Throws ValueError for an entry that the chain would skip. */
export const recoverAuthorization = (tuple: AuthorizationTuple): Address => {
  const yParity = toParity(tuple.yParity, 'authorization.yParity')
  return recoverAddress(hashAuthorization(tuple), encodeSignature({ ...tuple, yParity }))
}
