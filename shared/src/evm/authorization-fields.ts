/** EIP-7702 authorizations: their fields and RLP layouts. https://eips.ethereum.org/EIPS/eip-7702 */
import type { Address } from './address.ts'
import { address, parity, type RecordCodec, record, restrict, uint8, uint64, uint256 } from './codec.ts'
import { checkSignature, type Signature, toParity } from './signature.ts'

/** Lets the signer's account run the code at `address`. Chain id 0 means any chain; `nonce` is the signer's account nonce. */
export type Authorization = { chainId: bigint; address: Address; nonce: bigint }

/** A signed authorization. The chain applies it if `nonce` matches the account. */
export type SignedAuthorization = Authorization & Signature

/**
 * An entry of a transaction's authorization list: `yParity` below 2^8, r and s below 2^256, the nonce below 2^64. A
 * transaction is valid even if an entry's signature is not; the chain skips such entries.
 */
export type AuthorizationTuple = Authorization & { yParity: number; r: bigint; s: bigint }

const NONCE_LIMIT = 2n ** 64n - 1n

/** Codec of an account nonce. EIP-2681 excludes 2^64 − 1: https://eips.ethereum.org/EIPS/eip-2681 */
export const nonce = restrict(uint64, value => value < NONCE_LIMIT, 'notNonce')

const fields = { chainId: uint256, address, nonce }

/** Codec of the signed fields. */
export const authorization = record<Authorization>(fields)

/** Stricter codec of a signed authorization, for entries that the chain would apply. The wallet signs only these. */
const signedAuthorization = record<SignedAuthorization>(
  { ...fields, yParity: parity, r: uint256, s: uint256 },
  checkSignature,
)

/**
 * Codec of an authorization list entry. JSON may contain only entries that the chain would apply; RLP may also contain
 * entries that the chain skips.
 */
export const authorizationTuple: RecordCodec<AuthorizationTuple> = {
  ...record<AuthorizationTuple>({ chainId: uint256, address, nonce: uint64, yParity: uint8, r: uint256, s: uint256 }),
  fromJson: signedAuthorization.fromJson,
}

/** Throws ValueError for an entry that the chain would skip. The wallet does not sign transactions with such entries. */
export const checkAuthorization = (tuple: AuthorizationTuple, place: string): void => {
  const { yParity } = tuple
  signedAuthorization.toRlp({ ...tuple, yParity: toParity(yParity, `${place}.yParity`) }, place)
}
