/** Why a call was taken back: https://docs.soliditylang.org/en/latest/control-structures.html#error-handling-assert-require-revert-and-exceptions */
import { RpcError } from '@heliograph/shared/errors'
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { type Hex, isHex, toBytes, ValueError } from '@heliograph/shared/evm/hex'
import { isUnreachable } from '../chain.ts'

/** Characters of a reason that are kept: it comes from outside. */
export const LONGEST_REASON = 200
const SELECTOR_LENGTH = 10

const words = parseFunction('Error(string reason)')
const panic = parseFunction('Panic(uint256 code)')

/** The compiler's own reasons. */
const panics: Record<string, string> = {
  1: 'an assertion failed',
  17: 'a number is out of range',
  18: 'division by zero',
  33: 'a value is none of its kind',
  34: 'damaged storage',
  49: 'an empty list',
  50: 'no such item in a list',
  65: 'too much memory',
  81: 'a call of nothing',
}

const argumentOf = ({ parameters }: typeof words, data: Hex): string =>
  String(decodeArguments(parameters, toBytes(`0x${data.slice(SELECTOR_LENGTH)}`))[0]?.value)

/** What a contract gave back when it took a call back; null for nothing. An error of its own is told by its selector. */
export const revertReason = (data: unknown): string | null => {
  if (!isHex(data) || data.length < SELECTOR_LENGTH) return null
  const selector = data.slice(0, SELECTOR_LENGTH)
  try {
    if (selector === words.selector) return argumentOf(words, data).slice(0, LONGEST_REASON)
    if (selector === panic.selector) {
      const code = argumentOf(panic, data)
      return panics[code] ?? `Panic(${code})`.slice(0, LONGEST_REASON)
    }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
  }
  return selector
}

/** The bytes that nodes give with their error: as they are, or one level deeper. */
const dataOf = ({ data }: RpcError): unknown =>
  typeof data === 'object' && data !== null && 'data' in data ? data.data : data

/** Why a node would not do a call: the contract's words, or the node's own. Undefined where it could not be asked. */
export const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof RpcError) || isUnreachable(error)) return undefined
  return revertReason(dataOf(error)) ?? error.message.slice(0, LONGEST_REASON)
}
