/**
 * Params of the six node methods: `personal_sign`, and `sign`, `signTypedData` in its versions, `sendTransaction`,
 * `signTransaction`, `sendRawTransaction` under the prefixes of a network. Beside the stated shapes they take what the common libraries
 * send where its meaning is plain, and refuse the rest.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { type Address, toAddress } from '../evm/address.ts'
import { fromQuantity, type Hex, isHex, toBytes, toQuantity, ValueError } from '../evm/hex.ts'
import { parseTransaction } from '../evm/transaction-request.ts'
import { isWellFormed } from './text.ts'

/** `eth_signTypedData_v4` → `signTypedData_v4` where `eth` is among the prefixes; undefined under any other. */
export const splitMethod = (method: string, prefixes: readonly string[]): string | undefined => {
  const prefix = prefixes.find(known => method.startsWith(`${known}_`))
  return prefix === undefined ? undefined : method.slice(prefix.length + 1)
}

const MESSAGE_RULE = 'must be DATA, 0x and an even number of hex digits, or well-formed text'

/**
 * The bytes of a message to sign. `0x` and hex digits are DATA, as the interface states it and every library sends it;
 * what looks like DATA and is not, for an odd number of digits, is refused. All other text is signed as its UTF-8, bare
 * hex digits as well: some wallets read those as bytes, and then sign for "123456" three bytes that no verifier of that
 * text ever sees. Throws ValueError, also for text that UTF-8 would alter; the error does not repeat the message.
 */
export const decodeMessage = (message: unknown): Uint8Array => {
  if (isHex(message)) return toBytes(message)
  if (typeof message !== 'string' || /^0x[0-9a-f]*$/i.test(message) || !isWellFormed(message))
    throw new ValueError(`message: ${MESSAGE_RULE}`)
  return utf8ToBytes(message)
}

const isAddressLike = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/**
 * `personal_sign` takes the message first. A pair in which only the first looks like an address is turned round, for
 * callers that have the order of `sign`. Two addresses keep the stated order: 20 bytes are a message like any other.
 * Whether the caller may use both, and so may have meant either, is not known here. A third item, once a password, is
 * passed over.
 */
export const orderPersonalSign = ([first, second]: unknown[]): [message: unknown, account: unknown] =>
  isAddressLike(first) && !isAddressLike(second) ? [second, first] : [first, second]

/** A schema from a parser that throws. `rule` stands for the parser's own words, which would repeat the value. */
const parsedBy = <T>(parser: (value: unknown) => T, rule: string) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return parser(dataset.value)
      } catch {
        addIssue({ message: rule })
        return NEVER
      }
    }),
  )

const address = parsedBy(
  value => toAddress(value),
  'must be an address: 0x and 40 hex digits, in mixed case with the right EIP-55 checksum',
)
const quantity = parsedBy(
  value => fromQuantity(toQuantity(value)),
  'must be a QUANTITY: 0x and hex digits without leading zeros',
)
const data = v.custom<Hex>(isHex, 'must be DATA: 0x and an even number of hex digits')
/** The values of the interface, for the params of other methods. */
export const nodeValues = { address, quantity, data }

const message = parsedBy(decodeMessage, MESSAGE_RULE)

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a library left open: absent, undefined and null are the same. */
const withoutNullish = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

const storageKey = v.pipe(
  data,
  v.check(key => key.length === 66, 'must have 32 bytes'),
)

/**
 * A transaction as a site asks for it: `from` and any field of types 0 to 2. `data` may be absent (a plain transfer),
 * `input` stands for `data` and `gasLimit` for `gas`. Blobs and authorizations are not a site's to ask for. An unknown
 * name is refused, for what it stands for would be missing from what is signed. The schema knows the shape; ranges,
 * contradictions and what a type of transaction does not have are known where transactions are.
 */
const transaction = v.pipe(
  v.custom<Members>(isObject, 'must be a transaction object'),
  v.transform(withoutNullish),
  v.strictObject({
    from: address,
    to: v.exactOptional(address),
    data: v.exactOptional(data),
    input: v.exactOptional(data),
    gas: v.exactOptional(quantity),
    gasLimit: v.exactOptional(quantity),
    gasPrice: v.exactOptional(quantity),
    maxFeePerGas: v.exactOptional(quantity),
    maxPriorityFeePerGas: v.exactOptional(quantity),
    value: v.exactOptional(quantity),
    nonce: v.exactOptional(quantity),
    chainId: v.exactOptional(quantity),
    type: v.exactOptional(v.picklist(['0x0', '0x1', '0x2'], 'must be 0x0, 0x1 or 0x2')),
    accessList: v.exactOptional(v.array(v.strictObject({ address, storageKeys: v.array(storageKey) }))),
  }),
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
const transactionParams = v.pipe(
  v.strictTuple([transaction]),
  v.transform(([request]): TransactionRequest => request),
)

/** Typed data as an object; the libraries send it as JSON text. What is in it is for `parseTypedData`. */
const typedData = parsedBy<Members>(value => {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
  if (!isObject(parsed)) throw new TypeError('typed data')
  return parsed
}, 'must be a typed-data object, or one as JSON text')

/** Whether the params of signTypedData are those of its version 1: a list of typed values stands before the account. */
export const isTypedValues = (params: unknown): boolean => Array.isArray(params) && Array.isArray(params[0])

/** Schemas for `parseParams`, by bare name. The outputs have members in place of positions. */
export const nodeSchemas = {
  personal_sign: v.pipe(
    v.array(v.unknown()),
    v.transform(orderPersonalSign),
    v.strictTuple([message, address]),
    v.transform(([message, account]): SignParams => ({ account, message })),
  ),
  sign: v.pipe(
    v.strictTuple([address, message]),
    v.transform(([account, message]): SignParams => ({ account, message })),
  ),
  signTypedData: v.pipe(
    v.strictTuple([address, typedData]),
    v.transform(([account, data]): SignTypedDataParams => ({ account, data })),
  ),
  /** What is in the list is for `parseTypedValues`. */
  signTypedData_v1: v.pipe(
    v.strictTuple([v.array(v.unknown()), address]),
    v.transform(([values, account]): SignTypedValuesParams => ({ account, values })),
  ),
  sendTransaction: transactionParams,
  signTransaction: transactionParams,
  sendRawTransaction: v.pipe(
    v.strictTuple([data]),
    v.transform(([raw]): Hex => raw),
  ),
}

export type SignParams = { account: Address; message: Uint8Array }
export type SignTypedDataParams = { account: Address; data: Record<string, unknown> }
export type SignTypedValuesParams = { account: Address; values: readonly unknown[] }
/** In JSON form: addresses in EIP-55 case, quantities in shortest form, data and gas under these names alone. */
export type TransactionRequest = Readonly<v.InferOutput<typeof transaction>>
