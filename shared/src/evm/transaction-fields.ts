/** The five transaction types, their fields and RLP layouts: https://eips.ethereum.org/EIPS/eip-2718 */
import type { Address } from './address.ts'
import { type AuthorizationTuple, authorizationTuple, nonce } from './authorization-fields.ts'
import { address, data, list, optionalAddress, type RecordCodec, record, restrict, uint64, uint256 } from './codec.ts'
import { fail } from './fail.ts'
import type { Hex } from './hex.ts'

/** EIP-2930: addresses and storage slots that the transaction declares it will access. */
export type AccessList = readonly { address: Address; storageKeys: readonly Hex[] }[]

type Common = {
  /** Number of transactions the sender has already sent. */
  nonce: bigint
  /** Gas limit. */
  gas: bigint
  /** Missing if the transaction creates a contract from `data`. */
  to?: Address
  /** Wei. */
  value: bigint
  data: Hex
}

/** A legacy transaction. With a chain id it follows EIP-155; without one it is valid on every chain. */
export type LegacyTransaction = Common & { type: 'legacy'; chainId?: bigint; gasPrice: bigint }

/** https://eips.ethereum.org/EIPS/eip-2930 */
export type Eip2930Transaction = Common & { type: 'eip2930'; chainId: bigint; gasPrice: bigint; accessList: AccessList }

/** Fields shared by EIP-1559 and later types. Fees are in wei per gas; maxFeePerGas includes the priority fee. */
type FeeMarket = Common & {
  chainId: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerGas: bigint
  accessList: AccessList
}

/** https://eips.ethereum.org/EIPS/eip-1559 */
export type Eip1559Transaction = FeeMarket & { type: 'eip1559' }

/** https://eips.ethereum.org/EIPS/eip-4844. Blobs are not part of the transaction; they accompany it in a sidecar. */
export type Eip4844Transaction = FeeMarket & {
  type: 'eip4844'
  to: Address
  /** Wei per gas of blob data. */
  maxFeePerBlobGas: bigint
  blobVersionedHashes: readonly Hex[]
}

/** https://eips.ethereum.org/EIPS/eip-7702 */
export type Eip7702Transaction = FeeMarket & {
  type: 'eip7702'
  to: Address
  authorizationList: readonly AuthorizationTuple[]
}

/** A transaction of any type, without its signature. Numbers are bigints; amounts are in wei. */
export type Transaction =
  | LegacyTransaction
  | Eip2930Transaction
  | Eip1559Transaction
  | Eip4844Transaction
  | Eip7702Transaction
/** Name of a transaction type. */
export type TransactionType = Transaction['type']

/**
 * Types by EIP-2718 number: the envelope's first byte, and `type` in JSON. Legacy transactions have the number in JSON
 * only.
 */
export const types: readonly TransactionType[] = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702']

/** Codec of a chain id. Transactions may not use 0, which means any chain in authorizations. */
export const chainId = restrict(uint256, value => value > 0n, 'notChainId')

const accessEntry = record<AccessList[number]>({ address, storageKeys: list(data(32)) })
const versionedHash = restrict(data(32), hash => hash.startsWith('0x01'), 'notBlobHash')

/** Codecs by JSON-RPC field name. */
export const fields = {
  chainId,
  nonce,
  gasPrice: uint256,
  maxPriorityFeePerGas: uint256,
  maxFeePerGas: uint256,
  gas: uint64,
  to: optionalAddress,
  value: uint256,
  data: data(),
  accessList: list(accessEntry),
  maxFeePerBlobGas: uint256,
  blobVersionedHashes: restrict(list(versionedHash), hashes => hashes.length > 0, 'noBlob'),
  authorizationList: restrict(list(authorizationTuple), tuples => tuples.length > 0, 'noAuthorization'),
}

const checkFees = ({ maxPriorityFeePerGas, maxFeePerGas }: Omit<FeeMarket, keyof Common>, place: string): void => {
  if (maxPriorityFeePerGas > maxFeePerGas)
    fail(`${place}.maxPriorityFeePerGas`, maxPriorityFeePerGas, 'aboveMaxFee', { maxFee: String(maxFeePerGas) })
}

const { gasPrice, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, accessList } = fields
const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } = fields
const feeMarket = { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas }
const payload = { value, data: fields.data }

/** Unsigned fields of each type in RLP order. A legacy transaction's chain id is part of its signature. */
export const layouts: { [T in Transaction as T['type']]: RecordCodec<Omit<T, 'type'>> } = {
  legacy: record<Omit<LegacyTransaction, 'type' | 'chainId'>>({ nonce, gasPrice, gas, to, ...payload }),
  eip2930: record<Omit<Eip2930Transaction, 'type'>>({ chainId, nonce, gasPrice, gas, to, ...payload, accessList }),
  eip1559: record<Omit<Eip1559Transaction, 'type'>>({ ...feeMarket, to, ...payload, accessList }, checkFees),
  eip4844: record<Omit<Eip4844Transaction, 'type'>>(
    { ...feeMarket, to: address, ...payload, accessList, maxFeePerBlobGas, blobVersionedHashes },
    checkFees,
  ),
  eip7702: record<Omit<Eip7702Transaction, 'type'>>(
    { ...feeMarket, to: address, ...payload, accessList, authorizationList },
    checkFees,
  ),
}
