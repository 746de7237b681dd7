/**
 * Formats the values of fields, independent of the user's language. A value that does not fit its format is shown
 * unformatted.
 */
import { toAddress } from '@heliograph/shared/evm/address'
import { isHex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { ExplainedValue, TokenView, ValueView } from '../../messages.ts'
import { cutText, type Descriptor, type Field, type FieldFormat, type Source } from './descriptor.ts'
import { bindSteps, type Found, select } from './paths.ts'

/** A request's data: `#` is the arguments or the message, `@` the surrounding transaction or domain. */
export type Explainable = { '#': ValueView; '@': ValueView }

/** A value that a field shows. `at` are the array indexes in its path. */
export type Located = Found & { field: Field }

export type Surroundings = {
  data: Explainable
  enums: Descriptor['enums']
  tokens: readonly TokenView[]
  currency: Network['currency']
}

const ADDRESS_LENGTH = 42
const WORD_LENGTH = 66
/** Maximum time of a JavaScript Date, and maximum duration (a hundred years), in seconds. */
const LATEST = 8_640_000_000_000n
const LONGEST = 3_155_760_000n

/** Converts a text in the descriptor to a value. The type is guessed. */
const nodeOf = (text: string): ValueView => {
  const type = isHex(text) && text.length === ADDRESS_LENGTH ? 'address' : /^-?\d+$/.test(text) ? 'int256' : 'string'
  return { name: '', type, value: type === 'address' ? toAddress(text.toLowerCase()) : text }
}

/** Finds the values of a source. `at` are the array indexes of the value to which the source belongs. */
export const locate = (
  data: Explainable,
  source: Source,
  most: number,
  at: readonly number[] = [],
): readonly Found[] =>
  'text' in source
    ? [{ node: nodeOf(source.text), at: [] }]
    : select(data[source.path.root], bindSteps(source.path.steps, at), most)

/** Returns an integer, which may be encoded as bytes. Undefined for other values. */
const integerOf = ({ type, value }: ValueView): bigint | undefined => {
  if (typeof value !== 'string') return undefined
  if (/^u?int\d+$/.test(type)) return BigInt(value)
  return /^bytes\d*$/.test(type) && value.length > 2 && value.length <= WORD_LENGTH ? BigInt(value) : undefined
}

/** Returns an address, which may be encoded as 20 bytes. Undefined for other values. */
const addressOf = ({ type, value }: ValueView): string | undefined =>
  typeof value === 'string' && /^(?:address|bytes\d*)$/.test(type) && value.length === ADDRESS_LENGTH
    ? toAddress(value.toLowerCase())
    : undefined

const leavesOf = ({ value }: ValueView): readonly string[] =>
  typeof value === 'string' ? [value] : value.flatMap(leavesOf)

const raw = (node: ValueView): ExplainedValue => {
  const address = node.type === 'address' ? addressOf(node) : undefined
  return address === undefined
    ? { kind: 'text', text: cutText(leavesOf(node).join(', ')) }
    : { kind: 'address', address }
}

const parseInteger = (text: string | null): bigint | undefined =>
  text !== null && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text) ? BigInt(text) : undefined

type TokenFormat = Extract<FieldFormat, { as: 'tokenAmount' }>

/** Returns the token of an amount. Undefined if the descriptor names none, or its path leads nowhere. */
export const tokenOf = (data: Explainable, { field, at }: Located): string | undefined => {
  const { format } = field
  if (format.as !== 'tokenAmount' || format.token === null) return undefined
  const [found] = locate(data, format.token, 1, at)
  return found && addressOf(found.node)
}

const isAmong = (addresses: readonly string[], address: string): boolean =>
  addresses.some(one => one.toLowerCase() === address.toLowerCase())

const unread = (address: string): TokenView => ({ address, symbol: null, decimals: null, balance: null, listed: false })

const withUnit = (message: string, unit: string): ExplainedValue => ({
  kind: 'text',
  text: `${message} ${unit}`.trim(),
})

const tokenAmount = (located: Located, format: TokenFormat, surroundings: Surroundings): ExplainedValue => {
  const amount = integerOf(located.node)
  const address = tokenOf(surroundings.data, located)
  if (amount === undefined || amount < 0n || address === undefined) return raw(located.node)
  const { threshold, message, natives } = format
  const limit = parseInteger(threshold)
  const isBeyond = limit !== undefined && amount >= limit
  const { currency, tokens } = surroundings
  const isNative = isAmong(natives, address)
  const token = tokens.find(one => isAmong([address], one.address)) ?? unread(address)
  if (isBeyond && message !== null) return withUnit(message, (isNative ? currency.symbol : token.symbol) ?? '')
  if (isNative) return native(located.node, amount, currency)
  return { kind: 'tokenAmount', amount: isBeyond ? null : String(amount), token }
}

const native = (
  node: ValueView,
  amount: bigint | undefined,
  { symbol, decimals }: Network['currency'],
): ExplainedValue =>
  amount === undefined || amount < 0n ? raw(node) : { kind: 'amount', amount: String(amount), unit: symbol, decimals }

const item = ({ node, at }: Located, collection: Source | null, { data }: Surroundings): ExplainedValue => {
  const id = integerOf(node)
  const [found] = collection === null ? [] : locate(data, collection, 1, at)
  return id === undefined
    ? raw(node)
    : { kind: 'item', id: String(id), collection: (found && addressOf(found.node)) ?? null }
}

const unit = (node: ValueView, { base, decimals }: Extract<FieldFormat, { as: 'unit' }>): ExplainedValue => {
  const amount = integerOf(node)
  return amount === undefined || amount < 0n
    ? raw(node)
    : { kind: 'amount', amount: String(amount), unit: base, decimals }
}

const labelled = (node: ValueView, name: string, enums: Descriptor['enums']): ExplainedValue => {
  const labels = Object.hasOwn(enums, name) ? (enums[name] ?? {}) : {}
  const key = String(integerOf(node) ?? node.value)
  return Object.hasOwn(labels, key) ? { kind: 'text', text: labels[key] ?? '' } : raw(node)
}

const within = (value: bigint | undefined, most: bigint): value is bigint =>
  value !== undefined && value >= 0n && value <= most

/** Formats a field's value. */
export const explainValue = (located: Located, surroundings: Surroundings): ExplainedValue => {
  const { node, field } = located
  const { format } = field
  const number = integerOf(node)
  switch (format.as) {
    case 'address': {
      const address = addressOf(node)
      return address === undefined ? raw(node) : { kind: 'address', address }
    }
    case 'amount':
      return native(node, number, surroundings.currency)
    case 'date':
      return within(number, LATEST) ? { kind: 'date', at: String(number) } : raw(node)
    case 'duration':
      return within(number, LONGEST) ? { kind: 'duration', seconds: String(number) } : raw(node)
    case 'tokenAmount':
      return tokenAmount(located, format, surroundings)
    case 'item':
      return item(located, format.collection, surroundings)
    case 'unit':
      return unit(node, format)
    case 'enum':
      return labelled(node, format.labels, surroundings.enums)
    default:
      return raw(node)
  }
}
