/**
 * Reads the functions of a contract's ABI from the files and texts that users have: a JSON ABI
 * (https://docs.soliditylang.org/en/latest/abi-spec.html#json), an artifact or a compiler's whole output, a block
 * explorer's response, a human-readable ABI, or a Solidity interface.
 */
import { type AbiFunction, parseFunction, splitList } from '@heliograph/shared/evm/abi'
import type { Hex } from '@heliograph/shared/evm/hex'
import { parseAtom } from '@heliograph/shared/evm/typed-data-types'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { fail } from '../text/errors.ts'

/** An entry in a JSON ABI, or a part of an entry. */
type Members = Record<string, unknown>

/** Maximum nesting of tuples. */
const MAX_TUPLES = 16
/** Maximum characters of a function's parameter list. */
const MAX_PARAMETERS = 4_000

const DECLARED = /\bfunction\s+([\w$]+)\s*\(/g
/** Matches a line such as `transfer(address to, uint256 value)`. */
const BARE = /^([\w$]+)\s*\(/
/** Matches the start of other lines in an ABI. */
const OTHER =
  /^(?:constructor|event|error|fallback|receive|modifier|struct|enum|using|import|pragma|\/\/|\/?\*)(?![\w$])/
const COMMENT = /\/\*[^*]*\*\/|\/\/.*$/gm
const TUPLE = /^(?:tuple)?\s*\((.*)\)\s*((?:\[\d{0,9}\]\s*)*)(.*)$/s
const TYPE = /^([\w$.]+)\s*((?:\[\d{0,9}\]\s*)*)(.*)$/s
/** Words that can stand between a parameter's type and its name. */
const LOCATIONS = new Set(['memory', 'calldata', 'storage', 'payable', 'indexed'])

const nameIn = (text: string): string =>
  text
    .split(/\s+/)
    .filter(word => !LOCATIONS.has(word))
    .join(' ')
    .trim()

const parameterIn = (text: string, depth: number): Members => {
  const [, fields, brackets = '', rest = ''] = (depth < MAX_TUPLES && TUPLE.exec(text)) || []
  const tight = (one: string) => one.replace(/\s/g, '')
  if (fields !== undefined)
    return { type: `tuple${tight(brackets)}`, name: nameIn(rest), components: parametersIn(fields, depth + 1) }
  const [, type, lengths = '', name = ''] = TYPE.exec(text) ?? []
  return type === undefined ? { type: text } : { type: `${type}${tight(lengths)}`, name: nameIn(name) }
}

const parametersIn = (text: string, depth = 0): Members[] =>
  splitList(text.trim()).map(part => parameterIn(part.trim(), depth))

/**
 * Returns the text between the opening bracket just before `from` and its closing bracket. Undefined if the bracket is
 * not closed.
 */
const untilClosed = (text: string, from: number): string | undefined => {
  let depth = 1
  for (let at = from; at < text.length && at < from + MAX_PARAMETERS; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth === 0) return text.slice(from, at)
  }
  return undefined
}

/**
 * Parses the function at a position. If its parameters are not closed, `inputs` is their text, which the validation
 * rejects because it is not a list.
 */
const functionAt = (text: string, name: string, from: number): Members => {
  const parameters = untilClosed(text, from)
  const inputs =
    parameters === undefined ? text.slice(from, from + MAX_PARAMETERS) : parametersIn(parameters.replace(COMMENT, ' '))
  return { type: 'function', name, inputs }
}

const functionIn = (line: string): Members | string => {
  const [start = '', name] = BARE.exec(line) ?? []
  return name === undefined ? line : functionAt(line, name, start.length)
}

/**
 * Parses functions from text: a human-readable ABI (https://docs.ethers.org/v6/basics/abi/), or a Solidity interface.
 * Returns unvalidated entries in the format of a JSON ABI. If the word "function" does not occur, each line is read as a
 * function; a line that is not a function is returned unchanged.
 */
const declarationsIn = (text: string): readonly (Members | string)[] => {
  const declared = [...text.matchAll(DECLARED)]
  if (declared.length > 0)
    return declared.map(({ 0: start, 1: name = '', index }) => functionAt(text, name, index + start.length))
  const lines = text.split(/[\n;]/).map(line => line.trim())
  return lines.filter(line => /\w/.test(line) && !OTHER.test(line)).map(functionIn)
}

/** Maximum characters of a file. Artifacts with sources and bytecode have several million. */
export const MAX_ABI_SIZE = 8 << 20
/** Maximum nesting of files in files: a JSON string can contain an ABI's text. */
const MAX_NESTING = 8

/** Members that can contain an ABI. The first one present is used. */
const HOLDERS = ['abi', 'ABI', 'interface', 'jsonInterface', 'result', 'output']

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const heldIn = (file: Members): unknown =>
  HOLDERS.map(name => file[name]).find(held => held !== undefined && held !== null)

/** Returns the contracts in a compiler's output, which are keyed by name, or by file and name. */
const contractsIn = (file: Members): readonly unknown[] =>
  isMembers(file.contracts)
    ? Object.values(file.contracts).flatMap(one =>
        isMembers(one) && heldIn(one) === undefined ? Object.values(one) : [one],
      )
    : []

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const entriesIn = (value: unknown, nesting: number): readonly unknown[] => {
  if (nesting > MAX_NESTING || value === null) return []
  const inside = (one: unknown) => entriesIn(one, nesting + 1)
  if (Array.isArray(value)) return value.flatMap(inside)
  if (typeof value === 'string') {
    const json = parseJson(value)
    return json === undefined ? declarationsIn(value) : inside(json)
  }
  if (!isMembers(value)) return [value]
  const held = heldIn(value)
  if (held !== undefined) return inside(held)
  return 'contracts' in value ? contractsIn(value).flatMap(inside) : [value]
}

const isEntry = (value: unknown): boolean =>
  typeof value === 'string' || (isMembers(value) && (value.type !== undefined || value.name !== undefined))

/** Returns an ABI's entries, which are not validated yet. Throws a ValueError if the text is too long or has none. */
const abiEntries = (text: string): readonly unknown[] => {
  if (text.length > MAX_ABI_SIZE) return fail('abi', text, 'textTooLong', { limit: MAX_ABI_SIZE })
  const plain = replaceInvisible(text, '').trim()
  const json = parseJson(plain)
  if (json === undefined) {
    const declared = declarationsIn(plain)
    return declared.some(isMembers) ? declared : fail('abi', text, 'notJson')
  }
  const entries = entriesIn(json, 0)
  return Array.isArray(json) || entries.some(isEntry) ? entries : fail('abi', json, 'notAbi')
}

/** Limits: an ABI's entries, its functions, and the nesting depth of a parameter type. */
export const MAX_ENTRIES = 20_000
export const MAX_FUNCTIONS = 512
const MAX_DEPTH = 16

/** `text` is in the format that `parseFunction` accepts. */
export type NamedFunction = Pick<AbiFunction, 'selector' | 'signature'> & { text: string }

/**
 * `leftOut` has the number of unreadable entries that may be functions, and the error of the first; undefined if there
 * are none.
 */
type ReadAbi = { functions: readonly NamedFunction[]; leftOut?: { count: number; first: ValueError } }

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/
const CANONICAL_TYPE = /^([a-z0-9]+)((?:\[\d{0,9}\])*)$/
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
  const [, written = '', brackets = ''] = CANONICAL_TYPE.exec(String(value.type).trim()) ?? []
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
