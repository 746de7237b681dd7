/** Reads functions from a contract's ABI: https://docs.soliditylang.org/en/latest/abi-spec.html#json */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import type { Hex } from '@heliograph/shared/evm/hex'
import { parseAtom } from '@heliograph/shared/evm/typed-data-types'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { fail } from '../text/errors.ts'
import { abiEntries, isMembers } from './abi-file.ts'

/** Limits: entries of an ABI, its functions, and the nesting of a parameter type. */
export const MAX_ENTRIES = 20_000
export const MAX_FUNCTIONS = 512
export const MAX_DEPTH = 16

/** `text` is in the form that `parseFunction` reads. */
export type NamedFunction = Pick<AbiFunction, 'selector' | 'signature'> & { text: string }

/**
 * `leftOut` is the number of entries that may be functions and cannot be read, and why the first cannot; undefined if there is
 * none.
 */
export type ReadAbi = { functions: readonly NamedFunction[]; leftOut?: { count: number; first: ValueError } }

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/
const TYPE = /^([a-z0-9]+)((?:\[\d{0,9}\])*)$/
/** Short names of types. A signature has the long ones. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
  ['byte', 'bytes1'],
])

const nameOf = (value: unknown, place: string): string =>
  typeof value === 'string' && IDENTIFIER.test(value) ? value : fail(place, value, 'notAbiName')

const listOf = (value: unknown, place: string): readonly unknown[] =>
  Array.isArray(value) ? value : fail(place, value, 'notList')

/** Parameters without a name, and with one that is no identifier, are named by their position. */
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

/** Events, errors and the constructor. The type may be missing for a function. */
const isOther = (entry: unknown): boolean =>
  isMembers(entry) && typeof entry.type === 'string' && entry.type !== 'function'

/**
 * The functions of an ABI, without duplicate selectors. Functions that cannot be read are left out. Throws a ValueError that names
 * the place if no function can be read.
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

/** The functions of an ABI, as `readAbi` has them. */
export const functionsOfAbi = (text: string): readonly NamedFunction[] => readAbi(text).functions
