/**
 * Reads JSON-RPC answers of nodes: https://www.jsonrpc.org/specification, and version 1.0, whose answers have both a result
 * and an error, one of them null. A node is chosen by the person, so members that nothing depends on are not checked.
 */
import { errorCodes, RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import { isObject } from '@heliograph/shared/evm/json'
import { answeredError } from '../text/errors.ts'

/** Result of a call. */
export type Outcome = { result: unknown } | { error: RpcError }

/** The largest answer that is read, in characters, and how deep it may nest: traces are deep, bombs are deeper. */
export const LARGEST_ANSWER = 32 << 20
const DEEPEST_ANSWER = 256
/** Maximum characters of an error that is quoted for lack of a message. */
const LONGEST_QUOTE = 200

const BYTE_ORDER_MARK = '\ufeff'

const ANSWERED = 'nodeAnswered'

/** The node's own error, which sites get unchanged. */
export const nodeError = (error: RpcErrorObject): RpcError => answeredError(error, ANSWERED)

const isTooDeep = (value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; depth <= DEEPEST_ANSWER; depth++) {
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

/** Undefined for a text that is too long, too deep or not JSON. */
const parse = (text: string): unknown => {
  if (text.length > LARGEST_ANSWER) return undefined
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Some nodes write the code as text, or none. */
const codeOf = (code: unknown): number => {
  const number = typeof code === 'string' && code !== '' ? Number(code) : code
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : errorCodes.internal[0]
}

const toErrorObject = (error: unknown): RpcErrorObject => {
  const { code, message = error, data } = isObject(error) ? error : {}
  const text = message ?? error
  return {
    code: codeOf(code),
    message: typeof text === 'string' ? text : JSON.stringify(text).slice(0, LONGEST_QUOTE),
    ...(data !== null && data !== undefined && { data }),
  }
}

type Answer = { id: unknown; outcome: Outcome }

/** An error that is null or false is none. Undefined for anything else than an answer. */
const toAnswer = (frame: unknown): Answer | undefined => {
  if (!isObject(frame)) return undefined
  const { id = null, result, error } = frame
  if (error) return { id, outcome: { error: nodeError(toErrorObject(error)) } }
  return result === undefined || Object.hasOwn(frame, 'method') ? undefined : { id, outcome: { result } }
}

/** The outcome of the question with this id. A refusal may lack the id. Undefined if the text is no answer to it. */
export const readAnswer = (text: string, id: number): Outcome | undefined => {
  const answer = toAnswer(parse(text))
  const isRefusal = answer !== undefined && answer.id === null && 'error' in answer.outcome
  return answer?.id === id || isRefusal ? answer?.outcome : undefined
}

/** Codes for too many questions: of HTTP, EIP-1474, and providers of nodes. */
const RATE_LIMITS: ReadonlySet<number> = new Set([429, errorCodes.limitExceeded[0], -32011, -32016, -32029])
const RATE_LIMITED = /too many requests|rate.?limit|request limit|requests per second|compute units/i
/** The code of a revert, whose text is the contract's. */
const REVERTED = 3

/** True for a node's error that refuses for now, or refuses that much at once. Another node may not. */
export const isRateLimit = (error: unknown): boolean => {
  if (!(error instanceof RpcError) || error.reason !== ANSWERED) return false
  const { code, message } = error
  if (RATE_LIMITS.has(code)) return true
  return code !== REVERTED && RATE_LIMITED.test(message) && !/revert/i.test(message)
}

/**
 * The outcomes of the questions with these ids, in order. A rate limit instead of an answer counts for all of them.
 * Undefined unless each question has an answer.
 */
export const readAnswers = (text: string, ids: readonly number[]): readonly Outcome[] | undefined => {
  const read = parse(text)
  const answers = (Array.isArray(read) ? read : [read]).flatMap(frame => toAnswer(frame) ?? [])
  const byId = new Map(answers.map(({ id, outcome }) => [id, outcome]))
  const found = ids.flatMap(id => byId.get(id) ?? [])
  if (found.length === ids.length) return found
  const limit = answers.map(({ outcome }) => outcome).find(outcome => 'error' in outcome && isRateLimit(outcome.error))
  return limit && ids.map(() => limit)
}
