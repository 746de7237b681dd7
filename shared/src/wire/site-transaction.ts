/**
 * Transaction objects from sites. Normalizes what libraries and older sites send to the form that the wallet shows and
 * signs. Accepts the same spellings as MetaMask.
 * https://ethereum.github.io/execution-apis/, https://eips.ethereum.org/EIPS/eip-5792
 */

import * as v from 'valibot'
import type { Hex } from '../evm/hex.ts'
import { isObject } from '../evm/json.ts'
import { parseTransaction } from '../evm/transaction-request.ts'
import { ValueError } from '../evm/value-error.ts'
import { type Members, nodeValues } from './params.ts'

const { address, siteQuantity, data } = nodeValues

/** Drops members that are undefined or null. */
const withoutNullish = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** Sites that build hex strings write an empty value as one of these. */
const isEmpty = (value: unknown): boolean => value === '' || value === '0x'

/** Drops an empty `data` or `input` if the other has bytes. An empty `to` means contract creation. */
const withoutEmpty = (members: Members): Members => {
  const { to, data, input, ...others } = members
  const bytes = Object.entries({ data, input }).filter(([, value]) => value !== undefined)
  const filled = bytes.filter(([, value]) => !isEmpty(value))
  return {
    ...others,
    ...(to !== undefined && !isEmpty(to) && { to }),
    ...(filled.length > 0 ? Object.fromEntries(filled) : bytes.length > 0 && { data: '0x' }),
  }
}

const members = v.pipe(
  v.custom<Members>(isObject, 'must be a transaction object'),
  v.transform(withoutNullish),
  v.transform(withoutEmpty),
)

const storageKey = v.pipe(
  data,
  v.check(key => key.length === 66, 'must have 32 bytes'),
)

const type = v.pipe(siteQuantity, v.picklist(['0x0', '0x1', '0x2'], 'must be 0x0, 0x1 or 0x2'))

const fields = {
  from: address,
  to: v.exactOptional(address),
  data: v.exactOptional(data),
  input: v.exactOptional(data),
  gas: v.exactOptional(siteQuantity),
  gasLimit: v.exactOptional(siteQuantity),
  gasPrice: v.exactOptional(siteQuantity),
  maxFeePerGas: v.exactOptional(siteQuantity),
  maxPriorityFeePerGas: v.exactOptional(siteQuantity),
  value: v.exactOptional(siteQuantity),
  nonce: v.exactOptional(siteQuantity),
  chainId: v.exactOptional(siteQuantity),
  type: v.exactOptional(type),
  accessList: v.exactOptional(v.array(v.strictObject({ address, storageKeys: v.array(storageKey) }))),
}

/**
 * Fields that sites may not use. Requests with them are rejected, because dropping them would change the transaction.
 */
const REFUSED = [
  'authorizationList',
  'blobs',
  'blobVersionedHashes',
  'commitments',
  'maxFeePerBlobGas',
  'proofs',
  'sidecars',
] as const

const refusesForeign = v.check<Members, string>(
  given => REFUSED.every(name => !(name in given)),
  'sites may not send blob fields or authorizations',
)

/**
 * A transaction request from a site: `from` and any fields of types 0 to 2. `data` may be absent (a plain transfer).
 * `input` is accepted for `data` and `gasLimit` for `gas`. Unknown fields are dropped: see `ignoredFields`. The schema
 * checks the shape; `parseTransaction` checks ranges, contradictions and the fields of each type.
 */
export const siteTransaction = v.pipe(
  members,
  refusesForeign,
  v.object(fields),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { input, gasLimit, ...fields } = dataset.value
    try {
      parseTransaction(dataset.value)
    } catch (thrown) {
      addIssue({ message: thrown instanceof ValueError ? thrown.message : 'is not a valid transaction' })
      return NEVER
    }
    const data = fields.data ?? input
    const gas = fields.gas ?? gasLimit
    return { ...fields, ...(data && { data }), ...(gas && { gas }) }
  }),
)

/**
 * A request in JSON form: addresses in EIP-55 case, quantities in shortest form, `data` and `gas` under these names.
 */
export type TransactionRequest = Readonly<v.InferOutput<typeof siteTransaction>>

/** A call of an EIP-5792 batch in the same form. `input` is accepted for `data` here as well. */
export const siteCall = v.pipe(
  members,
  refusesForeign,
  v.object({
    to: fields.to,
    data: fields.data,
    input: fields.input,
    value: fields.value,
    capabilities: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.check(
    ({ data, input }) => data === undefined || input === undefined || isSame(data, input),
    'data and input contradict each other',
  ),
  v.transform(({ data, input, ...call }) => {
    const bytes = data ?? input
    return { ...call, ...(bytes && { data: bytes }) }
  }),
)

const isSame = (one: Hex, other: Hex): boolean => one.toLowerCase() === other.toLowerCase()

const namesIn = (given: unknown, known: readonly string[]): string[] =>
  isObject(given) ? Object.keys(withoutNullish(given)).filter(name => !known.includes(name)) : []

/** Returns the names of a transaction object's unknown members that have a value. They are not signed. */
export const ignoredFields = (given: unknown): string[] => namesIn(given, Object.keys(fields))

/** Returns the names of a batch call's unknown members that have a value. */
export const ignoredInCall = (given: unknown): string[] =>
  namesIn(given, ['to', 'data', 'input', 'value', 'capabilities'])
