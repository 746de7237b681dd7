/** The functions that a descriptor explains: keys of its formats, with the names of their parameters. */
import { parseFunction } from '@heliograph/shared/evm/abi'
import type { Hex } from '@heliograph/shared/evm/hex'
import { functionsOfAbi, type NamedFunction } from '../review/abi-json.ts'

/** Maximum characters of a function or a type. */
export const MAX_KEY = 4_000
const MAX_FUNCTION_NAME = 100
/** Tuples in tuples of a function, and arrays of arrays. */
const MAX_TUPLES = 16
const TOO_MANY_ARRAYS = /(?:\[\d*\]){9}/

/** The functions of an ABI in the descriptor, by signature and by selector. Empty if there is none, or it cannot be read. */
export const functionsIn = (abi: unknown): ReadonlyMap<string, NamedFunction> => {
  if (!Array.isArray(abi)) return new Map()
  try {
    const functions = functionsOfAbi(JSON.stringify(abi))
    return new Map(functions.flatMap(one => [[one.signature, one] as const, [one.selector, one] as const]))
  } catch {
    return new Map()
  }
}

/** True for types that take long to decode. */
const isNested = (key: string): boolean => {
  let depth = 0
  let most = 0
  for (const character of key) {
    if (character === '(') depth++
    if (character === ')') depth--
    most = Math.max(most, depth)
  }
  return most > MAX_TUPLES + 1 || TOO_MANY_ARRAYS.test(key)
}

/** A function with the names of its parameters, or one of the descriptor's ABI. Undefined if it is neither. */
export const functionOf = (
  key: string,
  known: ReadonlyMap<string, NamedFunction>,
): { selector: Hex; text: string } | undefined => {
  if (key.length > MAX_KEY || isNested(key)) return undefined
  try {
    const { name, selector } = parseFunction(key)
    return name.length > MAX_FUNCTION_NAME ? undefined : { selector, text: key }
  } catch {
    const found = known.get(key)
    return found && { selector: found.selector, text: found.text }
  }
}
