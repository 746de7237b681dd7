/**
 * Parses functions from text: a human-readable ABI (https://docs.ethers.org/v6/basics/abi/), or a Solidity interface.
 * Returns unvalidated entries in the format of a JSON ABI.
 */
import { splitList } from '@heliograph/shared/evm/abi'

/** An entry in a JSON ABI, or a part of an entry. */
export type Members = Record<string, unknown>

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
 * Returns the functions that the text declares. If the word "function" does not occur, each line is read as a function;
 * a line that is not a function is returned unchanged.
 */
export const declarationsIn = (text: string): readonly (Members | string)[] => {
  const declared = [...text.matchAll(DECLARED)]
  if (declared.length > 0)
    return declared.map(({ 0: start, 1: name = '', index }) => functionAt(text, name, index + start.length))
  const lines = text.split(/[\n;]/).map(line => line.trim())
  return lines.filter(line => /\w/.test(line) && !OTHER.test(line)).map(functionIn)
}
