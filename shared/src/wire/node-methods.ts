/**
 * Params of the six node methods: `personal_sign`, and `sign`, `signTypedData` in its versions, `sendTransaction`,
 * `signTransaction`, `sendRawTransaction` under the prefixes of a network. Beside the stated shapes they take what the common libraries
 * send where its meaning is plain, and refuse the rest.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { Address } from '../evm/address.ts'
import { type Hex, isHex, toBytes, ValueError } from '../evm/hex.ts'
import { isObject, type Members, nodeValues, parsedBy } from './node-values.ts'
import { type TransactionRequest, transaction } from './site-transaction.ts'
import { isWellFormed } from './text.ts'

export type { TransactionRequest }

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

const { address, data } = nodeValues
const message = parsedBy(decodeMessage, MESSAGE_RULE)

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
