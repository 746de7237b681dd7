/**
 * Reads JSON-RPC answers of nodes: https://www.jsonrpc.org/specification, and version 1.0, whose answers have both a result
 * and an error, one of them null. A node is chosen by the person, so members that nothing depends on are not checked.
 */
import { errorCodes, RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import { isHex } from '@heliograph/shared/evm/hex'
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

/** Some nodes write the number of a question as text. */
const toId = (id: unknown): unknown => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id)

/**
 * An error that is null or false is none. Undefined for anything else than an answer: so are the words of a gateway before the
 * node, which know of no question.
 */
const toAnswer = (frame: unknown): Answer | undefined => {
  if (!isObject(frame)) return undefined
  const { result, error } = frame
  const id = toId(frame.id ?? null)
  if (error)
    return id === null && !isObject(error) ? undefined : { id, outcome: { error: nodeError(toErrorObject(error)) } }
  return result === undefined ? undefined : { id, outcome: { result } }
}

/** The outcome of the question with this id. A refusal may lack the id. Undefined if the text is no answer to it. */
export const readAnswer = (text: string, id: number): Outcome | undefined => {
  const answer = toAnswer(parse(text))
  const isRefusal = answer !== undefined && answer.id === null && 'error' in answer.outcome
  return answer?.id === id || isRefusal ? answer?.outcome : undefined
}

/** Codes for too many questions, or for questions without an account: of HTTP, EIP-1474, and providers of nodes. */
const RATE_LIMITS: ReadonlySet<number> = new Set([
  ...[401, 402, 403, 429],
  ...[errorCodes.limitExceeded[0], -32011, -32016, -32029],
])
/** Words of nodes that answer other codes: about the rate, a plan that is used up, or a missing account with the operator. */
const TURNED_AWAY = [
  /too many requests?\b|too fast|throttl|rate.?limit|requests? (?:limit|limited|rate|count)\b|requests per second/,
  /compute units|credits|quota|(?:capacity|throughput|usage|rps|cu) limit|free ?tier|upgrade (?:your|to)\b/,
  /api.?key|must (?:be authenticated|authenticate)|authenticate your/,
]
/** Codes of a revert, whose text is the contract's: of Geth and most nodes, and of OpenEthereum. */
export const REVERTED: readonly number[] = [3, -32015]

/**
 * True for a node's error that refuses for now, that much at once, or without an account, before it has looked at the question.
 * Another node may not. A node that ran out of time may have looked at it.
 */
export const isRateLimit = (error: unknown): boolean => {
  if (!(error instanceof RpcError) || error.reason !== ANSWERED) return false
  const { code, message, data } = error
  if (RATE_LIMITS.has(code)) return true
  const words = message.toLowerCase()
  const isOfContract = REVERTED.includes(code) || isHex(data)
  return !isOfContract && TURNED_AWAY.some(about => about.test(words)) && !/revert|time.?out/.test(words)
}

/** True for an error about several questions in one message. Each of them may be answered alone. */
const refusesBatch = ({ outcome }: Answer): boolean =>
  'error' in outcome && !REVERTED.includes(outcome.error.code) && /\bbatch/i.test(outcome.error.message)

/**
 * The outcomes of the questions with these ids, in order. A rate limit instead of an answer counts for all of them.
 * Undefined unless each question has an answer.
 */
export const readAnswers = (text: string, ids: readonly number[]): readonly Outcome[] | undefined => {
  const read = parse(text)
  const answers = (Array.isArray(read) ? read : [read]).flatMap(frame => toAnswer(frame) ?? [])
  if (answers.some(refusesBatch)) return undefined
  const byId = new Map(answers.map(({ id, outcome }) => [id, outcome]))
  const found = ids.flatMap(id => byId.get(id) ?? [])
  if (found.length === ids.length) return found
  const limit = answers.map(({ outcome }) => outcome).find(outcome => 'error' in outcome && isRateLimit(outcome.error))
  return limit && ids.map(() => limit)
}
