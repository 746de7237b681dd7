/** Parses the functions in a contract's ABI: https://docs.soliditylang.org/en/latest/abi-spec.html#json */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import type { Hex } from '@heliograph/shared/evm/hex'
import { parseAtom } from '@heliograph/shared/evm/typed-data-types'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { fail } from '../text/errors.ts'
import { abiEntries, isMembers } from './abi-file.ts'

/** Limits: an ABI's entries, its functions, and the nesting depth of a parameter type. */
export const MAX_ENTRIES = 20_000
export const MAX_FUNCTIONS = 512
export const MAX_DEPTH = 16

/** `text` is in the format that `parseFunction` accepts. */
export type NamedFunction = Pick<AbiFunction, 'selector' | 'signature'> & { text: string }

/**
 * `leftOut` has the number of unreadable entries that may be functions, and the error of the first; undefined if there
 * are none.
 */
export type ReadAbi = { functions: readonly NamedFunction[]; leftOut?: { count: number; first: ValueError } }

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/
const TYPE = /^([a-z0-9]+)((?:\[\d{0,9}\])*)$/
/** Short type names and their full names, which signatures use. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
  ['byte', 'bytes1'],
])

const nameOf = (value: unknown, place: string): string =>
  typeof value === 'string' && IDENTIFIER.test(value) ? value : fail(place, value, 'notAbiName')

const listOf = (value: unknown, place: string): readonly unknown[] =>
  Array.isArray(value) ? value : fail(place, value, 'notList')

/** Formats a parameter. A parameter without a valid name is named after its position. */
const parameterText = (value: unknown, at: number, place: string, depth: number): string => {
  if (!isMembers(value)) return fail(place, value, 'notAbiParameter')
  const [, written = '', brackets = ''] = TYPE.exec(String(value.type).trim()) ?? []
  const base = ALIASES.get(written) ?? written
  const nesting = depth + brackets.split('[').length
  if (nesting > MAX_DEPTH) return fail(`${place}.type`, value.type, 'tooDeep', { limit: MAX_DEPTH })
  if (base !== 'tuple' && parseAtom(base) === undefined) return fail(`${place}.type`, value.type, 'notType')
  const type = base === 'tuple' ? tupleText(value.components, `${place}.components`, nesting) : base
  const name = typeof value.name === 'string' && IDENTIFIER.test(value.name) ? value.name : `arg${at}`
  return `${type}${brackets} ${name}`
}

const tupleText = (value: unknown, place: string, depth: number): string => {
  const fields = listOf(value, place)
  if (fields.length === 0) return fail(place, value, 'emptyTuple')
  return `(${fields.map((field, at) => parameterText(field, at, `${place}[${at}]`, depth)).join(', ')})`
}

const functionOf = (entry: unknown, place: string): NamedFunction => {
  if (!isMembers(entry)) return fail(place, entry, 'notFunction')
  const name = nameOf(entry.name, `${place}.name`)
  const inputs = listOf(entry.inputs ?? [], `${place}.inputs`)
  const parameters = inputs.map((input, at) => parameterText(input, at, `${place}.inputs[${at}]`, 0))
  const text = `${name}(${parameters.join(', ')})`
  const { selector, signature } = parseFunction(text)
  return { text, selector, signature }
}

/** True for events, errors and the constructor. A function's type may be missing. */
const isOther = (entry: unknown): boolean =>
  isMembers(entry) && typeof entry.type === 'string' && entry.type !== 'function'

/**
 * Parses an ABI's functions and removes duplicate selectors. Unreadable functions are left out. Throws a ValueError
 * that names the place if no function is readable.
 */
export const readAbi = (text: string): ReadAbi => {
  const entries = abiEntries(text)
  if (entries.length > MAX_ENTRIES) return fail('abi', entries, 'tooManyFunctions', { limit: MAX_ENTRIES })
  const functions = new Map<Hex, NamedFunction>()
  const failures: ValueError[] = []
  for (const [at, entry] of entries.entries()) {
    if (isOther(entry)) continue
    try {
      const read = functionOf(entry, `abi[${at}]`)
      functions.set(read.selector, read)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      failures.push(error)
    }
    if (functions.size > MAX_FUNCTIONS) return fail('abi', entries, 'tooManyFunctions', { limit: MAX_FUNCTIONS })
  }
  const [first] = failures
  if (functions.size === 0 && first) throw first
  if (functions.size === 0) return fail('abi', entries, 'noFunction')
  return { functions: [...functions.values()], ...(first && { leftOut: { count: failures.length, first } }) }
}

/** Returns an ABI's functions. Throws like `readAbi`. */
export const functionsOfAbi = (text: string): readonly NamedFunction[] => readAbi(text).functions
