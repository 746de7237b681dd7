/** Decodes calls of common contract functions: https://docs.soliditylang.org/en/latest/abi-spec.html#function-selector */
import { type AbiFunction, parseFunction } from './abi.ts'
import { type AbiValue, type ReadBudget, readArguments } from './abi-decode.ts'
import { functions } from './functions.ts'
import { decodeData, type Hex } from './hex.ts'
import { ValueError } from './value-error.ts'

/** An argument, or the parts of a composite one. */
export type CallArgument = AbiValue

/**
 * A call of a known function. `unusual` means that the encoding differs from the standard one but contracts read the
 * same arguments. A malformed call has an offset outside the data or exceeds the read budget.
 */
export type Call =
  | { kind: 'call'; name: string; signature: string; args: readonly CallArgument[]; unusual?: true }
  | { kind: 'malformed'; name: string; signature: string }

const SELECTOR_BYTES = 4
/** Length of `0x` and a selector in characters. */
const SELECTOR_LENGTH = 2 + 2 * SELECTOR_BYTES

let bySelector: ReadonlyMap<string, AbiFunction> | undefined

/**
 * Finds a function. Parses the table at the first use and not at import, because parsing would delay the worker's
 * start.
 */
const findFunction = (selector: string): AbiFunction | undefined => {
  bySelector ??= new Map(functions.map(parseFunction).map(called => [called.selector, called]))
  return bySelector.get(selector)
}

/** Returns the selector with `0x`, in lower case; shorter if the data is shorter. */
export const selectorOf = (data: Hex): string => data.slice(0, SELECTOR_LENGTH).toLowerCase()

/**
 * Decodes a call of a known function: token transfers, approvals and permits, common protocols, and calls that contain
 * other calls, such as multicalls and smart-account batches. Returns undefined for any other selector.
 */
export const decodeCall = (data: Hex, budget?: ReadBudget): Call | undefined => {
  const called = findFunction(selectorOf(data))
  return called && decodeCallOf(data, called, budget)
}

/** Decodes data that starts with this function's selector. Nested calls share their outer call's `budget`. */
export const decodeCallOf = (data: Hex, { name, signature, parameters }: AbiFunction, budget?: ReadBudget): Call => {
  try {
    const { values, unusual } = readArguments(decodeData(data), parameters, SELECTOR_BYTES, budget)
    return { kind: 'call', name, signature, args: values, ...(unusual !== undefined && { unusual: true }) }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return { kind: 'malformed', name, signature }
  }
}
