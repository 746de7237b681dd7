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

/** Parses the table when the first call is read: that takes longer than a worker may need to start. */
const findFunction = (selector: string): AbiFunction | undefined => {
  bySelector ??= new Map(functions.map(parseFunction).map(called => [called.selector, called]))
  return bySelector.get(selector)
}

/** The selector with `0x`, in lower case. Shorter if the data is. */
export const selectorOf = (data: Hex): string => data.slice(0, SELECTOR_LENGTH).toLowerCase()

/**
 * Decodes call data of a known function: transfers, approvals and permits of tokens, and calls that hold other calls, such as
 * multicalls and those of smart accounts. Returns undefined for any other selector.
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
