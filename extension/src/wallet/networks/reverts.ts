/**
 * Decodes revert reasons, also of the call that made a batch of one transaction fail:
 * https://docs.soliditylang.org/en/latest/control-structures.html#error-handling-assert-require-revert-and-exceptions
 */
import { RpcError } from '@heliograph/shared/errors'
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { decodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import { ValueError } from '@heliograph/shared/evm/value-error'
import type { RevertView } from '../../messages.ts'
import type { Reason } from '../text/reasons.ts'
import { REVERTED } from './answers.ts'
import { isUnavailable } from './node.ts'

/** Maximum characters of a reason, which is untrusted text. */
export const LONGEST_REASON = 200
const SELECTOR_LENGTH = 10

const words = parseFunction('Error(string reason)')
const panic = parseFunction('Panic(uint256 code)')
/** The error of BATCH_DELEGATE, with the failing call's index and revert data. */
const executeError = parseFunction('ExecuteError(uint256 index, bytes error)')

/** Names of the Solidity compiler's panic codes. Other codes are shown as numbers. */
const panics: Record<string, Reason> = {
  1: 'panicAssertion',
  17: 'panicOverflow',
  18: 'panicDivision',
  33: 'panicEnum',
  34: 'panicStorage',
  49: 'panicPop',
  50: 'panicIndex',
  65: 'panicMemory',
  81: 'panicFunction',
}

const argumentsOf = ({ parameters }: typeof words, data: Hex): readonly string[] =>
  decodeArguments(decodeData(`0x${data.slice(SELECTOR_LENGTH)}`), parameters).map(({ value }) => String(value))
const argumentOf = (error: typeof words, data: Hex): string => String(argumentsOf(error, data)[0])

/** Returns the failing call's index and revert data. Null for the revert data of anything but a batch. */
export const failingCall = (data: unknown): { at: number; data: Hex } | null => {
  if (!isHex(data) || data.slice(0, SELECTOR_LENGTH) !== executeError.selector) return null
  try {
    const [index, inner] = argumentsOf(executeError, data)
    return { at: Number(index), data: inner as Hex }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return null
  }
}

const reasonIn = (data: unknown): RevertView | null => {
  if (!isHex(data) || data.length < SELECTOR_LENGTH) return null
  const selector = data.slice(0, SELECTOR_LENGTH)
  try {
    if (selector === words.selector) return argumentOf(words, data).slice(0, LONGEST_REASON)
    if (selector === panic.selector) {
      const code = argumentOf(panic, data)
      const reason = panics[code]
      return reason === undefined ? `Panic(${code})`.slice(0, LONGEST_REASON) : { reason, values: {} }
    }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
  }
  return selector
}

/**
 * Decodes the reason in a call's revert data. Null if the data is empty. A custom error is represented by its selector.
 */
export const revertReason = (data: unknown): RevertView | null => {
  const inBatch = failingCall(data)
  if (inBatch) return reasonIn(inBatch.data) ?? executeError.selector
  return reasonIn(data)
}

/** Returns the revert data in a node's error. Some nodes nest it one level deeper, or put a word before it. */
export const revertDataOf = ({ data }: RpcError): unknown => {
  const stated = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return typeof stated === 'string' ? stated.replace(/^Reverted /, '') : stated
}

/** True if the contract reverted the call. False if the node refused it. */
export const isRevert = (error: RpcError): boolean => REVERTED.includes(error.code) || isHex(revertDataOf(error))

/** Returns why a call failed: the contract's reason, or the node's error. Undefined if the node could not answer. */
export const reasonOf = (error: unknown): RevertView | undefined => {
  if (!(error instanceof RpcError) || isUnavailable(error)) return undefined
  return revertReason(revertDataOf(error)) ?? error.message.slice(0, LONGEST_REASON)
}
