/**
 * The transaction object of sites: what the libraries and older sites send, made into the one form that the wallet shows
 * and signs. The spellings are those that MetaMask takes.
 */
import * as v from 'valibot'
import { type Hex, ValueError } from '../evm/hex.ts'
import { parseTransaction } from '../evm/transaction-request.ts'
import { isObject, type Members, nodeValues } from './node-values.ts'

const { address, siteQuantity, data } = nodeValues

/** What a library left open: absent, undefined and null are the same. */
const withoutNullish = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** Sites that build hex strings write nothing as one of these. */
const isEmpty = (value: unknown): boolean => value === '' || value === '0x'

/** `data` and `input` are one field: the one with bytes counts. An empty `to` means that a contract is created. */
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

/** Fields that no site may ask for. Without them the transaction would be another one, so they are refused. */
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
  'blobs and authorizations are not for a site to ask for',
)

/**
 * A transaction as a site asks for it: `from` and any field of types 0 to 2. `data` may be absent (a plain transfer),
 * `input` stands for `data` and `gasLimit` for `gas`. Unknown fields are dropped: see `ignoredFields`. The schema knows the
 * shape; `parseTransaction` knows ranges, contradictions and the fields of each type.
 */
export const transaction = v.pipe(
  members,
  refusesForeign,
  v.object(fields),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { input, gasLimit, ...fields } = dataset.value
    try {
      parseTransaction(dataset.value)
    } catch (thrown) {
      addIssue({ message: thrown instanceof ValueError ? thrown.message : 'is no transaction' })
      return NEVER
    }
    const data = fields.data ?? input
    const gas = fields.gas ?? gasLimit
    return { ...fields, ...(data && { data }), ...(gas && { gas }) }
  }),
)

/** In JSON form: addresses in EIP-55 case, quantities in shortest form, data and gas under these names alone. */
export type TransactionRequest = Readonly<v.InferOutput<typeof transaction>>

/** A call of a batch, EIP-5792, in the same form. `input` stands for `data` here as well. */
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

/** Names in a transaction object that say something and are not understood, so that they are not signed. */
export const ignoredFields = (given: unknown): string[] => namesIn(given, Object.keys(fields))

/** The same for a call of a batch. */
export const ignoredInCall = (given: unknown): string[] =>
  namesIn(given, ['to', 'data', 'input', 'value', 'capabilities'])
