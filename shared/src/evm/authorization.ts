/** An account's consent to run the code of another address, EIP-7702: https://eips.ethereum.org/EIPS/eip-7702 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { address, parity, type RecordCodec, record, restrict, uint8, uint64, uint256 } from './codec.ts'
import { encode } from './rlp.ts'
import { checkSignature, recoverAddress, type Signature, sign, toParity } from './signature.ts'

/** Lets the signer's account run the code at `address`; chain id 0 means any chain, `nonce` is the signer's own. */
export type Authorization = { chainId: bigint; address: Address; nonce: bigint }

/** An authorization that the chain applies, if the account's nonce is its own. */
export type SignedAuthorization = Authorization & Signature

/**
 * A tuple of a transaction's authorization list: `yParity` is below 2^8, r and s below 2^256, the nonce below 2^64. The
 * chain accepts the transaction with any of these, and passes over a tuple that is no signature of anybody.
 */
export type AuthorizationTuple = Authorization & { yParity: number; r: bigint; s: bigint }

const MAGIC = 0x05
const NONCE_LIMIT = 2n ** 64n - 1n

/** A nonce of an account; the last uint64 is none, EIP-2681: https://eips.ethereum.org/EIPS/eip-2681 */
export const nonce = restrict(uint64, value => value < NONCE_LIMIT, 'is not below 2^64 − 1')

const fields = { chainId: uint256, address, nonce }
const authorization = record<Authorization>(fields)

/** An authorization as the wallet accepts it to sign over: one that the chain would apply. */
const signedAuthorization = record<SignedAuthorization>(
  { ...fields, yParity: parity, r: uint256, s: uint256 },
  checkSignature,
)

/** A tuple of an authorization list: any that the chain has in bytes, and from JSON only one that it would apply. */
export const authorizationTuple: RecordCodec<AuthorizationTuple> = {
  ...record<AuthorizationTuple>({ chainId: uint256, address, nonce: uint64, yParity: uint8, r: uint256, s: uint256 }),
  fromJson: signedAuthorization.fromJson,
}

/** Throws ValueError for a tuple that the chain would pass over: the wallet signs no transaction with one. */
export const checkAuthorization = (tuple: AuthorizationTuple, place: string): void => {
  const { yParity } = tuple
  signedAuthorization.toRlp({ ...tuple, yParity: toParity(yParity, `${place}.yParity`) }, place)
}

/** The 32 bytes that the account signs: keccak256 of 0x05 and the RLP of the three fields. Throws ValueError. */
export const hashAuthorization = (value: Authorization): Uint8Array =>
  keccak_256(concatBytes(Uint8Array.of(MAGIC), encode(authorization.toRlp(value, 'authorization'))))

/** Signs an authorization for the account of the key. Throws ValueError. */
export const signAuthorization = (value: Authorization, privateKey: Uint8Array): SignedAuthorization => ({
  ...value,
  ...sign(hashAuthorization(value), privateKey),
})

/** The account that gave the authorization. Throws ValueError for a tuple that the chain would pass over. */
export const recoverAuthority = (tuple: AuthorizationTuple): Address => {
  const yParity = toParity(tuple.yParity, 'authorization.yParity')
  return recoverAddress(hashAuthorization(tuple), { ...tuple, yParity })
}
