/** An account's consent to run the code of another address, EIP-7702: https://eips.ethereum.org/EIPS/eip-7702 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { address, parity, record, restrict, uint64, uint256 } from './codec.ts'
import { encode } from './rlp.ts'
import { checkSignature, recoverAddress, type Signature, sign } from './signature.ts'

/** Lets the signer's account run the code at `address`; chain id 0 means any chain, `nonce` is the signer's own. */
export type Authorization = { chainId: bigint; address: Address; nonce: bigint }

/** As it stands in a transaction's authorization list. */
export type SignedAuthorization = Authorization & Signature

const MAGIC = 0x05
const NONCE_LIMIT = 2n ** 64n - 1n

/** A nonce of an account; the last uint64 is none, EIP-2681: https://eips.ethereum.org/EIPS/eip-2681 */
export const nonce = restrict(uint64, value => value < NONCE_LIMIT, 'is not below 2^64 − 1')

const fields = { chainId: uint256, address, nonce }
const authorization = record<Authorization>(fields)

/** The tuple of an authorization list. */
export const signedAuthorization = record<SignedAuthorization>(
  { ...fields, yParity: parity, r: uint256, s: uint256 },
  checkSignature,
)

/** The 32 bytes that the account signs: keccak256 of 0x05 and the RLP of the three fields. Throws ValueError. */
export const hashAuthorization = (value: Authorization): Uint8Array =>
  keccak_256(concatBytes(Uint8Array.of(MAGIC), encode(authorization.toRlp(value, 'authorization'))))

/** Signs an authorization for the account of the key. Throws ValueError. */
export const signAuthorization = (value: Authorization, privateKey: Uint8Array): SignedAuthorization => ({
  ...value,
  ...sign(hashAuthorization(value), privateKey),
})

/** The account that gave the authorization. Throws ValueError. */
export const recoverAuthority = (value: SignedAuthorization): Address => recoverAddress(hashAuthorization(value), value)
