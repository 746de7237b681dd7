/** Reads functions from a contract's JSON ABI: https://docs.soliditylang.org/en/latest/abi-spec.html#json */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import { parseAtom } from '@heliograph/shared/evm/typed-data-types'
import { fail } from '../text/errors.ts'

/** Limits: characters of an ABI, its functions, and the nesting of a parameter type. */
export const MAX_ABI_SIZE = 1 << 18
export const MAX_FUNCTIONS = 512
export const MAX_DEPTH = 16

/** `text` is in the form that `parseFunction` reads. */
export type NamedFunction = Pick<AbiFunction, 'selector' | 'signature'> & { text: string }

type Members = Record<string, unknown>

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/
const TYPE = /^([a-z0-9]+)((?:\[\d{0,9}\])*)$/

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseJson = (text: string): unknown => {
  if (text.length > MAX_ABI_SIZE) return fail('abi', text, 'textTooLong', { limit: MAX_ABI_SIZE })
  try {
    return JSON.parse(text)
  } catch {
    return fail('abi', text, 'notJson')
  }
}

/** The entries of an ABI, also inside a compiler's output file. */
const entriesOf = (value: unknown): readonly unknown[] => {
  const entries = isMembers(value) ? value.abi : value
  return Array.isArray(entries) ? entries : fail('abi', value, 'notAbi')
}

const nameOf = (value: unknown, place: string): string =>
  typeof value === 'string' && IDENTIFIER.test(value) ? value : fail(place, value, 'notAbiName')

const listOf = (value: unknown, place: string): readonly unknown[] =>
  Array.isArray(value) ? value : fail(place, value, 'notList')

/** Unnamed parameters are named by their position. */
const parameterText = (value: unknown, at: number, place: string, depth: number): string => {
  if (!isMembers(value)) return fail(place, value, 'notAbiParameter')
  const [, base = '', brackets = ''] = TYPE.exec(String(value.type)) ?? []
  const nesting = depth + brackets.split('[').length
  if (nesting > MAX_DEPTH) return fail(`${place}.type`, value.type, 'tooDeep', { limit: MAX_DEPTH })
  const name = value.name === undefined || value.name === '' ? `arg${at}` : nameOf(value.name, `${place}.name`)
  if (base !== 'tuple' && parseAtom(base) === undefined) return fail(`${place}.type`, value.type, 'notType')
  const type = base === 'tuple' ? tupleText(value.components, `${place}.components`, nesting) : base
  return `${type}${brackets} ${name}`
}

const tupleText = (value: unknown, place: string, depth: number): string => {
  const fields = listOf(value, place)
  if (fields.length === 0) return fail(place, value, 'emptyTuple')
  return `(${fields.map((field, at) => parameterText(field, at, `${place}[${at}]`, depth)).join(', ')})`
}

const functionOf = (entry: Members, place: string): NamedFunction => {
  const name = nameOf(entry.name, `${place}.name`)
  const inputs = listOf(entry.inputs ?? [], `${place}.inputs`)
  const parameters = inputs.map((input, at) => parameterText(input, at, `${place}.inputs[${at}]`, 0))
  const text = `${name}(${parameters.join(', ')})`
  const { selector, signature } = parseFunction(text)
  return { text, selector, signature }
}

/** Skips events, errors and the constructor. `type` may be missing for a function. */
const isFunction = (entry: unknown): entry is Members =>
  isMembers(entry) && (entry.type === 'function' || (entry.type === undefined && entry.name !== undefined))

/** The functions of a JSON ABI, without duplicate selectors. Throws a ValueError that names the place. */
export const functionsOfAbi = (json: string): readonly NamedFunction[] => {
  const entries = entriesOf(parseJson(json))
  const functions = entries.flatMap((entry, at) => (isFunction(entry) ? [functionOf(entry, `abi[${at}]`)] : []))
  if (functions.length === 0) return fail('abi', entries, 'noFunction')
  if (functions.length > MAX_FUNCTIONS) return fail('abi', entries, 'tooManyFunctions', { limit: MAX_FUNCTIONS })
  return [...new Map(functions.map(called => [called.selector, called])).values()]
}
