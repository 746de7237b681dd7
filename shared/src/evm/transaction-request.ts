/** What a site asks to sign or send, in the JSON-RPC form: https://ethereum.github.io/execution-apis/ */
import type { Address } from './address.ts'
import type { SignedAuthorization } from './authorization.ts'
import { address, type Codec } from './codec.ts'
import { fail, type Hex, toQuantity } from './hex.ts'
import { type AccessList, serializeTransaction, type Transaction, type TransactionType } from './transaction.ts'
import { fields, layouts, types } from './transaction-fields.ts'

/** Any field may be missing, for the wallet to fill in; what is there is in range and does not contradict itself. */
export type TransactionRequest = {
  /** Missing where the fields leave it open. */
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

/** Every name a site may use, and those that are second names of another. */
const codecs = { from: address, ...fields, gasLimit: fields.gas, input: fields.data }
const secondNames: Record<string, keyof TransactionRequest> = { gasLimit: 'gas', input: 'data' }

const parseType = (value: unknown): TransactionType =>
  types[Number(toQuantity(value, `${PLACE}.type`))] ?? fail(`${PLACE}.type`, value, 'is no known type of transaction')

const inferType = (request: TransactionRequest): TransactionType | undefined => {
  if (request.authorizationList !== undefined) return 'eip7702'
  if (request.blobVersionedHashes !== undefined || request.maxFeePerBlobGas !== undefined) return 'eip4844'
  if (request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined) return 'eip1559'
  if (request.gasPrice === undefined) return undefined
  return request.accessList === undefined ? 'legacy' : 'eip2930'
}

/** The request with the type that its fields say, if they say one. A field that the type does not have is refused. */
const settleType = (request: TransactionRequest): TransactionRequest => {
  const type = request.type ?? inferType(request)
  if (type === undefined) return request
  const known = ['type', 'from', 'chainId', ...layouts[type].names]
  for (const [name, value] of Object.entries(request))
    if (!known.includes(name)) fail(`${PLACE}.${name}`, value, `is no field of a transaction of type ${type}`)
  return { ...request, type }
}

/**
 * Parses the transaction object of `eth_sendTransaction` and its kin: QUANTITY and DATA, null as missing, `gasLimit`
 * for `gas` and `input` for `data`. Names it does not know are left out, so they never reach a signature.
 * Throws ValueError for a value out of range, for fields that contradict each other and for a creation of nothing.
 */
export const parseTransaction = (value: unknown): TransactionRequest => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(PLACE, value, 'is no object')
  const given = value as Record<string, unknown>
  const request: Record<string, unknown> = {}
  for (const [spelling, codec] of Object.entries<Codec<unknown>>(codecs)) {
    const json = given[spelling]
    if (json === undefined || json === null) continue
    const name = secondNames[spelling] ?? spelling
    const field = codec.fromJson(json, `${PLACE}.${spelling}`)
    if (name in request && request[name] !== field) fail(`${PLACE}.${spelling}`, json, `contradicts ${name}`)
    request[name] = field
  }
  const { type } = given
  if (type !== undefined && type !== null) request.type = parseType(type)
  if (request.to === undefined && (request.data ?? '0x') === '0x')
    return fail(`${PLACE}.to`, request.to, 'is missing, and so is the data that would create a contract')
  return settleType(request)
}

/**
 * Makes a transaction of a request that has everything but perhaps value, data and access list, which default to none.
 * Throws ValueError for what is missing, out of range or no field of the transaction's type.
 */
export const completeTransaction = (request: TransactionRequest): Transaction => {
  const { type, ...given } = settleType(request)
  if (type === undefined) return fail(`${PLACE}.gasPrice`, undefined, 'is missing, and so are the fees of EIP-1559')
  const filled: Record<string, unknown> = { value: 0n, data: '0x', accessList: [], ...given }
  const entries = ['chainId', ...layouts[type].names].map(name => {
    const field = filled[name]
    if (field === undefined && name !== 'to') fail(`${PLACE}.${name}`, field, 'is missing')
    return [name, field] as const
  })
  const present = entries.filter(([, field]) => field !== undefined)
  // The names are those of the type's layout, and serializing by that layout checks each value.
  const transaction = { type, ...Object.fromEntries(present) } as Transaction
  serializeTransaction(transaction)
  return transaction
}
