/**
 * Transaction encoding: EIP-2718 envelopes, and legacy transactions with or without EIP-155.
 * https://eips.ethereum.org/EIPS/eip-2718, https://eips.ethereum.org/EIPS/eip-155
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { checkAuthorization } from './authorization-fields.ts'
import { checkSidecar } from './blob-sidecar.ts'
import { asList, parity, type RecordCodec, record, uint256 } from './codec.ts'
import { fail } from './fail.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { decodeRlp, encodeRlp, isRlpList, type RlpItem } from './rlp.ts'
import {
  checkSignature,
  decodeSignature,
  encodeSignature,
  recoverAddress,
  type Signature,
  sign,
  toParity,
} from './signature.ts'
import {
  chainId,
  type LegacyTransaction,
  layouts,
  type Transaction,
  type TransactionType,
  types,
} from './transaction-fields.ts'

export type {
  AccessList,
  Eip1559Transaction,
  Eip2930Transaction,
  Eip4844Transaction,
  Eip7702Transaction,
  LegacyTransaction,
  Transaction,
  TransactionType,
} from './transaction-fields.ts'

/** A transaction and, if it is signed, its signature: r ‖ s ‖ v, 65 bytes, with v as 27 or 28. */
export type DecodedTransaction = { transaction: Transaction; signature?: Hex }

const PLACE = 'transaction'
const FIRST_LIST_BYTE = 0xc0
const EMPTY = new Uint8Array()
const SIGNATURE_SIZE = 3

const typedSignature = record<Signature>({ yParity: parity, r: uint256, s: uint256 }, checkSignature)
const legacySignature = record<{ v: bigint; r: bigint; s: bigint }>({ v: uint256, r: uint256, s: uint256 })

/** Returns v, r and s of a legacy transaction. Without a signature, EIP-155 has the chain id and two zeros instead. */
const legacyTail = ({ chainId: id }: LegacyTransaction, signature?: Hex): readonly RlpItem[] => {
  const chain = id === undefined ? EMPTY : chainId.toRlp(id, `${PLACE}.chainId`)
  if (signature === undefined) return id === undefined ? [] : [chain, EMPTY, EMPTY]
  const { r, s, yParity } = decodeSignature(signature)
  const v = BigInt(yParity) + (id === undefined ? 27n : 35n + 2n * id)
  return legacySignature.toRlp({ v, r, s }, PLACE)
}

const toEnvelope = (transaction: Transaction, signature?: Hex): Uint8Array => {
  const layout: RecordCodec<Omit<Transaction, 'type'>> = layouts[transaction.type]
  const items = layout.toRlp(transaction, PLACE)
  if (transaction.type === 'legacy') return encodeRlp([...items, ...legacyTail(transaction, signature)])
  const tail = signature === undefined ? [] : typedSignature.toRlp(decodeSignature(signature), PLACE)
  return concatBytes(Uint8Array.of(types.indexOf(transaction.type)), encodeRlp([...items, ...tail]))
}

/** Encodes a transaction, signed or not. Blob transactions are encoded without their blobs. Throws ValueError. */
export const encodeTransaction = (transaction: Transaction, signature?: Hex): Hex =>
  encodeData(toEnvelope(transaction, signature))

/** Returns the hash that the sender signs, 32 bytes. Throws ValueError. */
export const signingHash = (transaction: Transaction): Hex => encodeData(keccak_256(toEnvelope(transaction)))

/**
 * Signs a transaction with a private key of 32 bytes, for `eth_sendRawTransaction`. Throws ValueError, also for an
 * authorization that the chain would skip.
 */
export const signTransaction = (transaction: Transaction, privateKey: Uint8Array): Hex => {
  if (transaction.type === 'eip7702')
    for (const [at, tuple] of transaction.authorizationList.entries())
      checkAuthorization(tuple, `${PLACE}.authorizationList[${at}]`)
  return encodeTransaction(transaction, sign(signingHash(transaction), privateKey))
}

/** Splits a transaction's items into its fields and, if signed, its signature. */
const split = (type: TransactionType, items: readonly RlpItem[]): [readonly RlpItem[], readonly RlpItem[]] => {
  const size = layouts[type].names.length
  if (items.length !== size && items.length !== size + SIGNATURE_SIZE)
    return fail(PLACE, items, 'wrongLayout', { unsigned: size, type, signed: size + SIGNATURE_SIZE })
  return [items.slice(0, size), items.slice(size)]
}

const decodeLegacy = (items: readonly RlpItem[]): DecodedTransaction => {
  const [fields, tail] = split('legacy', items)
  const transaction: LegacyTransaction = { type: 'legacy', ...layouts.legacy.fromRlp(fields, PLACE) }
  const [first] = tail
  if (first === undefined) return { transaction }

  const { v, r, s } = legacySignature.fromRlp(tail, PLACE)
  const signed = (yParity: bigint) =>
    encodeSignature(checkSignature({ r, s, yParity: toParity(yParity, `${PLACE}.v`) }, PLACE))
  if (r === 0n && s === 0n)
    return { transaction: { ...transaction, chainId: chainId.fromRlp(first, `${PLACE}.chainId`) } }
  if (v === 27n || v === 28n) return { transaction, signature: signed(v - 27n) }
  if (v < 37n) return fail(`${PLACE}.v`, v, 'notLegacyV')
  return { transaction: { ...transaction, chainId: (v - 35n) / 2n }, signature: signed((v - 35n) % 2n) }
}

const decodeTyped = (type: TransactionType, items: readonly RlpItem[]): DecodedTransaction => {
  const [fields, tail] = split(type, items)
  const layout: RecordCodec<Omit<Transaction, 'type'>> = layouts[type]
  // The cast is safe: the layout and the type come from the same lookup, which the compiler cannot correlate.
  const transaction = { type, ...layout.fromRlp(fields, PLACE) } as Transaction
  return tail.length === 0
    ? { transaction }
    : { transaction, signature: encodeSignature(typedSignature.fromRlp(tail, PLACE)) }
}

/** Decodes the network form of a blob transaction: its fields as a list, then the sidecar. */
const decodeWithSidecar = (items: readonly RlpItem[], sidecar: readonly RlpItem[]): DecodedTransaction => {
  const decoded = decodeTyped('eip4844', items)
  if (decoded.transaction.type === 'eip4844')
    checkSidecar(sidecar, decoded.transaction.blobVersionedHashes, `${PLACE}.sidecar`)
  return decoded
}

/**
 * Decodes a transaction from DATA, signed or not. A blob transaction may be in network form; its sidecar is
 * checked and dropped. Throws ValueError unless the bytes are the canonical encoding of a valid transaction. The
 * authorization list may contain entries that the chain skips.
 */
export const decodeTransaction = (raw: unknown): DecodedTransaction => {
  const bytes = decodeData(raw, PLACE)
  const [first = 0] = bytes
  if (first >= FIRST_LIST_BYTE) return decodeLegacy(asList(decodeRlp(bytes, PLACE), PLACE))

  const type = first === 0 ? undefined : types[first]
  if (type === undefined) return fail(PLACE, encodeData(bytes.subarray(0, 1)), 'notTransactionType')
  const [, second = 0] = bytes
  if (second < FIRST_LIST_BYTE) return fail(PLACE, encodeData(bytes.subarray(0, 2)), 'notFollowedByList')
  const items = asList(decodeRlp(bytes.subarray(1), PLACE), PLACE)
  const [inner, ...sidecar] = items
  return type === 'eip4844' && inner !== undefined && isRlpList(inner)
    ? decodeWithSidecar(inner, sidecar)
    : decodeTyped(type, items)
}

const decodeSigned = (raw: unknown): Required<DecodedTransaction> => {
  const { transaction, signature } = decodeTransaction(raw)
  return signature === undefined ? fail(PLACE, raw, 'notSigned') : { transaction, signature }
}

/** Returns the transaction hash. A blob transaction's hash does not cover its blobs. Throws ValueError. */
export const hashTransaction = (raw: unknown): Hex => {
  const { transaction, signature } = decodeSigned(raw)
  return encodeData(keccak_256(toEnvelope(transaction, signature)))
}

/** Recovers the sender of a signed transaction. Throws ValueError. */
export const recoverTransaction = (raw: unknown): Address => {
  const { transaction, signature } = decodeSigned(raw)
  return recoverAddress(signingHash(transaction), signature)
}
