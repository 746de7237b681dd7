/** What a call asks of a contract, for the functions that a person must understand before signing. */
import { type AbiFunction, parseFunction } from './abi.ts'
import { type AbiValue, type Budget, readArguments } from './abi-decode.ts'
import { functions } from './functions.ts'
import { type Hex, toBytes, ValueError } from './hex.ts'

/** An argument as text, or its parts: see `AbiValue`. */
export type CallArgument = AbiValue

/**
 * A call of a known function. `unusual` is there where the bytes are not those that an encoder writes, though contracts
 * read these arguments from them. Malformed is a call with an offset outside the data, or with more than is read of one.
 */
export type Call =
  | { kind: 'call'; name: string; signature: string; args: readonly CallArgument[]; unusual?: true }
  | { kind: 'malformed'; name: string; signature: string; why: string }

const SELECTOR_BYTES = 4
/** Characters of `0x` and a selector. */
const SELECTOR_LENGTH = 2 + 2 * SELECTOR_BYTES

const bySelector = new Map<string, AbiFunction>(
  functions.map(parseFunction).map(called => [called.selector, called] as const),
)

/** `0x` and the first four bytes in lower case, which say what function is called; less where there is less. */
export const selectorOf = (data: Hex): string => data.slice(0, SELECTOR_LENGTH).toLowerCase()

/** Decodes the data of a transaction; undefined when it has no selector or one that is not in the table. */
export const decodeCall = (data: Hex, budget?: Budget): Call | undefined => {
  const called = bySelector.get(selectorOf(data))
  return called && decodeCallOf(called, data, budget)
}

/** Decodes data that begins with the selector of this function. Calls within a call share the `budget` of that. */
export const decodeCallOf = ({ name, signature, parameters }: AbiFunction, data: Hex, budget?: Budget): Call => {
  try {
    const { values, unusual } = readArguments(parameters, toBytes(data), SELECTOR_BYTES, budget)
    return { kind: 'call', name, signature, args: values, ...(unusual !== undefined && { unusual: true }) }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return { kind: 'malformed', name, signature, why: error.message }
  }
}
