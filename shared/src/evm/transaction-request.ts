/** Transaction requests from sites in JSON-RPC form: https://ethereum.github.io/execution-apis/ */
import type { Address } from './address.ts'
import type { SignedAuthorization } from './authorization.ts'
import { address, type Codec } from './codec.ts'
import { fail } from './fail.ts'
import { decodeQuantity, type Hex } from './hex.ts'
import { type AccessList, encodeTransaction, type Transaction, type TransactionType } from './transaction.ts'
import { fields, layouts, types } from './transaction-fields.ts'

/** A transaction with missing fields, which the wallet fills in. Present fields are in range and consistent. */
export type IncompleteTransaction = {
  /** Missing if the fields do not determine the type. */
  type?: TransactionType
  from?: Address
  chainId?: bigint
  nonce?: bigint
  gas?: bigint
  gasPrice?: bigint
  maxPriorityFeePerGas?: bigint
  maxFeePerGas?: bigint
  to?: Address
  value?: bigint
  data?: Hex
  accessList?: AccessList
  maxFeePerBlobGas?: bigint
  blobVersionedHashes?: readonly Hex[]
  authorizationList?: readonly SignedAuthorization[]
}

const PLACE = 'transaction'

/** All field names that sites may use, including alternative names. */
const codecs = { from: address, ...fields, gasLimit: fields.gas, input: fields.data }
const secondNames: Record<string, keyof IncompleteTransaction> = { gasLimit: 'gas', input: 'data' }

const parseType = (value: unknown): TransactionType =>
  types[Number(decodeQuantity(value, `${PLACE}.type`))] ?? fail(`${PLACE}.type`, value, 'notTransactionType')

const inferType = (request: IncompleteTransaction): TransactionType | undefined => {
  if (request.authorizationList !== undefined) return 'eip7702'
  if (request.blobVersionedHashes !== undefined || request.maxFeePerBlobGas !== undefined) return 'eip4844'
  if (request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined) return 'eip1559'
  if (request.gasPrice === undefined) return undefined
  return request.accessList === undefined ? 'legacy' : 'eip2930'
}

/** Adds the type that the fields imply, if any. Throws ValueError for a field that the type does not have. */
const settleType = (request: IncompleteTransaction): IncompleteTransaction => {
  const type = request.type ?? inferType(request)
  if (type === undefined) return request
  const known = ['type', 'from', 'chainId', ...layouts[type].names]
  for (const [name, value] of Object.entries(request))
    if (!known.includes(name)) fail(`${PLACE}.${name}`, value, 'notFieldOfType', { type })
  return { ...request, type }
}

/**
 * Parses the transaction object of `eth_sendTransaction` and similar methods, with QUANTITY and DATA values. Null
 * counts as missing, and `gasLimit` and `input` are read as `gas` and `data`. Drops unknown fields, so they are never
 * signed. Throws ValueError for a value out of range, contradicting fields, and a contract creation without data.
 */
export const parseTransaction = (value: unknown): IncompleteTransaction => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(PLACE, value, 'notObject')
  const given = value as Record<string, unknown>
  const request: Record<string, unknown> = {}
  for (const [spelling, codec] of Object.entries<Codec<unknown>>(codecs)) {
    const json = given[spelling]
    if (json === undefined || json === null) continue
    const name = secondNames[spelling] ?? spelling
    const field = codec.fromJson(json, `${PLACE}.${spelling}`)
    if (name in request && request[name] !== field) fail(`${PLACE}.${spelling}`, json, 'contradicts', { other: name })
    request[name] = field
  }
  const { type } = given
  if (type !== undefined && type !== null) request.type = parseType(type)
  if (request.to === undefined && (request.data ?? '0x') === '0x') return fail(`${PLACE}.to`, request.to, 'noRecipient')
  return settleType(request)
}

/**
 * Makes a transaction from a complete request. Value, data and access list default to zero or empty.
 * Throws ValueError for fields that are missing, out of range or not part of the transaction's type.
 */
export const completeTransaction = (request: IncompleteTransaction): Transaction => {
  const { type, ...given } = settleType(request)
  if (type === undefined) return fail(`${PLACE}.gasPrice`, undefined, 'noFees')
  const filled: Record<string, unknown> = { value: 0n, data: '0x', accessList: [], ...given }
  const entries = ['chainId', ...layouts[type].names].map(name => {
    const field = filled[name]
    if (field === undefined && name !== 'to') fail(`${PLACE}.${name}`, field, 'missing')
    return [name, field] as const
  })
  const present = entries.filter(([, field]) => field !== undefined)
  // The field names come from the type's layout, and `encodeTransaction` checks each value by that layout, so the cast
  // is safe.
  const transaction = { type, ...Object.fromEntries(present) } as Transaction
  encodeTransaction(transaction)
  return transaction
}
