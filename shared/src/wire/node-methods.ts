/**
 * Params of the Ethereum node methods that sign or send: `personal_sign` and, with a network's prefixes, `sign`, all
 * versions of `signTypedData`, `sendTransaction`, `signTransaction` and `sendRawTransaction`. The schemas also accept
 * unambiguous variants that common libraries send. Extra params are ignored, as in other wallets: they change nothing
 * that is shown or signed. https://ethereum.github.io/execution-apis/, https://eips.ethereum.org/EIPS/eip-712
 */

import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { Address } from '../evm/address.ts'
import { decodeData, type Hex, isHex } from '../evm/hex.ts'
import { isObject } from '../evm/json.ts'
import { valueErrorsOf } from '../evm/value-error.ts'
import { type Members, nodeValues, parsedBy } from './params.ts'
import { messageReasons } from './reasons.ts'
import { siteTransaction, type TransactionRequest } from './site-transaction.ts'
import { isWellFormed } from './text.ts'

/** Removes a known prefix: `eth_signTypedData_v4` → `signTypedData_v4`. Returns undefined for other prefixes. */
export const bareName = (method: string, prefixes: readonly string[]): string | undefined => {
  const prefix = prefixes.find(known => method.startsWith(`${known}_`))
  return prefix === undefined ? undefined : method.slice(prefix.length + 1)
}

const valueError = valueErrorsOf(messageReasons)

const MESSAGE_RULE = 'must be DATA, 0x and an even number of hex digits, or well-formed text'

/**
 * Decodes a message to sign. `0x` and hex digits are DATA, as the documentation says and as every library sends them;
 * an odd number of digits is rejected. All other text is signed as UTF-8, including bare hex digits. Wallets that read
 * bare hex as bytes sign three bytes for "123456", which no verifier of that text expects. Throws ValueError, also for
 * text that UTF-8 cannot encode. The error does not quote the message.
 */
export const decodeMessage = (message: unknown): Uint8Array => {
  if (isHex(message)) return decodeData(message)
  if (typeof message !== 'string' || /^0x[0-9a-f]*$/i.test(message) || !isWellFormed(message))
    throw valueError('notMessage')
  return utf8ToBytes(message)
}

const isAddressLike = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/**
 * `personal_sign` takes the message first. If only the first param looks like an address, the two are swapped, for
 * callers that use the order of `sign`. Two addresses keep their order, since 20 bytes are a valid message. The
 * caller's permission for the account is checked elsewhere. A third param, formerly a password, is ignored.
 */
const orderPersonalSign = ([first, second]: unknown[]): [message: unknown, account: unknown] =>
  isAddressLike(first) && !isAddressLike(second) ? [second, first] : [first, second]

const { address, data } = nodeValues
const message = parsedBy(decodeMessage, MESSAGE_RULE)

const transactionParams = v.pipe(
  v.tuple([siteTransaction]),
  v.transform(([request]): TransactionRequest => request),
)

/** Typed data as an object or as JSON text, which libraries send. `parseTypedData` checks its contents. */
const typedData = parsedBy<Members>(value => {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
  if (!isObject(parsed)) throw new TypeError('typed data')
  return parsed
}, 'must be a typed-data object, or JSON text of such an object')

/** True for params of signTypedData version 1: a list of typed values, then the account. */
export const isTypedValues = (params: unknown): boolean => Array.isArray(params) && Array.isArray(params[0])

/**
 * Schemas for `parseParams`, by bare name (`personal_sign` keeps its prefix). They turn
 * positional params into named ones.
 */
export const nodeSchemas = {
  personal_sign: v.pipe(
    v.array(v.unknown()),
    v.transform(orderPersonalSign),
    v.tuple([message, address]),
    v.transform(([message, account]): SignParams => ({ account, message })),
  ),
  sign: v.pipe(
    v.tuple([address, message]),
    v.transform(([account, message]): SignParams => ({ account, message })),
  ),
  signTypedData: v.pipe(
    v.tuple([address, typedData]),
    v.transform(([account, data]): SignTypedDataParams => ({ account, data })),
  ),
  /** `parseTypedValues` checks the contents of the list. */
  signTypedData_v1: v.pipe(
    v.tuple([v.array(v.unknown()), address]),
    v.transform(([values, account]): SignTypedValuesParams => ({ account, values })),
  ),
  sendTransaction: transactionParams,
  signTransaction: transactionParams,
  sendRawTransaction: v.pipe(
    v.tuple([data]),
    v.transform(([raw]): Hex => raw),
  ),
}

/** Params of `personal_sign` and `sign`: the account in EIP-55 case and the bytes to sign. */
export type SignParams = { account: Address; message: Uint8Array }
/** Params of `signTypedData`: the account and an object for `parseTypedData`. */
export type SignTypedDataParams = { account: Address; data: Record<string, unknown> }
/** Params of `signTypedData` version 1: the account and a list for `parseTypedValues`. */
export type SignTypedValuesParams = { account: Address; values: readonly unknown[] }
