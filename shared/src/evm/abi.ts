/** Contract functions and their parameter types: https://docs.soliditylang.org/en/latest/abi-spec.html */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fail } from './fail.ts'
import { encodeData, type Hex } from './hex.ts'
import { type Atom, parseAtom } from './typed-data-types.ts'

/** A parameter type. A tuple's fields are in encoding order. */
export type AbiType = Atom | ArrayType | { kind: 'tuple'; fields: readonly AbiParameter[] }

/** An array without `length` is dynamic. */
export type ArrayType = { kind: 'array'; element: AbiType; text: string; length?: number }

/** `text` is the type as written in the function signature. */
export type AbiParameter = { name: string; type: AbiType; text: string }

/** A contract function. `selector` is the first four bytes of the hash of `signature`. */
export type AbiFunction = { name: string; signature: string; selector: Hex; parameters: readonly AbiParameter[] }

const FUNCTION = /^([\w$]+)\((.*)\)$/
const PARAMETER = /^(.+) ([\w$]+)$/
const TUPLE = /^\((.+)\)$/
const ARRAY = /^(.+)\[([1-9]\d{0,8})?\]$/

/** Splits a list at its top-level commas. */
export const splitList = (text: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character !== ',' || depth > 0) continue
    parts.push(text.slice(from, at))
    from = at + 1
  }
  return text === '' ? [] : [...parts, text.slice(from)]
}

const signatureOf = (parameters: readonly AbiParameter[]) => `(${parameters.map(({ text }) => text).join(',')})`

const parseAbiType = (text: string): { type: AbiType; text: string } => {
  const [, element, length] = ARRAY.exec(text) ?? []
  if (element !== undefined) {
    const parsed = parseAbiType(element)
    const array: ArrayType = { kind: 'array', element: parsed.type, text: parsed.text }
    if (length === undefined) return { type: array, text: `${parsed.text}[]` }
    return { type: { ...array, length: Number(length) }, text: `${parsed.text}[${length}]` }
  }
  const tuple = TUPLE.exec(text)?.[1]
  if (tuple !== undefined) {
    const fields = parseParameters(tuple)
    return { type: { kind: 'tuple', fields }, text: signatureOf(fields) }
  }
  return { type: parseAtom(text) ?? fail('abi', text, 'notType'), text }
}

const parseParameters = (list: string): AbiParameter[] =>
  splitList(list).map(part => {
    const [, type, name] = PARAMETER.exec(part.trim()) ?? []
    if (type === undefined || name === undefined) return fail('abi', part, 'notParameter')
    return { name, ...parseAbiType(type) }
  })

/**
 * Parses text such as `transfer(address to, uint256 value)`. A tuple is a parameter list in parentheses. Throws
 * ValueError.
 */
export const parseFunction = (text: string): AbiFunction => {
  const [, name, list] = FUNCTION.exec(text) ?? []
  if (name === undefined || list === undefined) return fail('abi', text, 'notFunction')
  const parameters = parseParameters(list)
  const signature = `${name}${signatureOf(parameters)}`
  return { name, signature, selector: encodeData(keccak_256(utf8ToBytes(signature)).subarray(0, 4)), parameters }
}
