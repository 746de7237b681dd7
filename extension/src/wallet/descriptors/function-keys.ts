/** Parses the functions that a descriptor explains: the keys of its formats, including parameter names. */
import { parseFunction } from '@heliograph/shared/evm/abi'
import type { Hex } from '@heliograph/shared/evm/hex'
import { functionsOfAbi, type NamedFunction } from '../review/abi-json.ts'

/** Maximum characters of a function or a type. */
export const MAX_KEY = 4_000
const MAX_FUNCTION_NAME = 100
/** Limits: nesting of tuples in a function's type, and dimensions of arrays. */
const MAX_TUPLES = 16
const TOO_MANY_ARRAYS = /(?:\[\d*\]){9}/

/**
 * Returns the functions in the descriptor's ABI, by signature and by selector. Empty if the ABI is missing or
 * unreadable.
 */
export const functionsIn = (abi: unknown): ReadonlyMap<string, NamedFunction> => {
  if (!Array.isArray(abi)) return new Map()
  try {
    const functions = functionsOfAbi(JSON.stringify(abi))
    return new Map(functions.flatMap(one => [[one.signature, one] as const, [one.selector, one] as const]))
  } catch {
    return new Map()
  }
}

/** True for types that are so deeply nested that decoding takes long. */
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

/**
 * Parses a key that is a function with parameter names, or finds it in the descriptor's ABI. Undefined if neither
 * works.
 */
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
