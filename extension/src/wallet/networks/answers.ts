/**
 * Parses nodes' JSON-RPC responses: https://www.jsonrpc.org/specification, and version 1.0, whose responses have both a
 * result and an error, one of them null. The user chose the node, so members on which nothing depends are not checked.
 */
import { errorCodes, RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import { isHex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import { answeredError } from '../text/errors.ts'

/** Outcome of a call. */
export type Outcome = { result: unknown } | { error: RpcError }

/**
 * Limits of a response: characters, and nesting depth. Even deep traces stay below the depth limit, which stops
 * responses that are nested to overload the parser.
 */
export const LARGEST_ANSWER = 32 << 20
const DEEPEST_ANSWER = 256
/** Maximum characters of an error that is quoted because it has no message. */
const LONGEST_QUOTE = 200

const BYTE_ORDER_MARK = '\ufeff'

const ANSWERED = 'nodeAnswered'

/** Creates the node's own error, which sites receive unchanged. */
export const nodeError = (error: RpcErrorObject): RpcError => answeredError(error, ANSWERED)

const isTooDeep = (value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; depth <= DEEPEST_ANSWER; depth++) {
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

/** Parses JSON. Undefined if the text is too long, too deep or not JSON. */
const parse = (text: string): unknown => {
  if (text.length > LARGEST_ANSWER) return undefined
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Returns the error code. Some nodes write it as text, or omit it. */
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

/** Normalizes a request id, which some nodes write as text. */
const toId = (id: unknown): unknown => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id)

/**
 * Parses one response. An error that is null or false counts as absent. Undefined for anything else, such as the error
 * of a gateway in front of the node, which does not refer to a request.
 */
const toAnswer = (frame: unknown): Answer | undefined => {
  if (!isObject(frame)) return undefined
  const { result, error } = frame
  const id = toId(frame.id ?? null)
  if (error)
    return id === null && !isObject(error) ? undefined : { id, outcome: { error: nodeError(toErrorObject(error)) } }
  return result === undefined ? undefined : { id, outcome: { result } }
}

/**
 * Returns the outcome of the request with this id. An error may lack the id. Undefined if the text is not a response to
 * it.
 */
export const readAnswer = (text: string, id: number): Outcome | undefined => {
  const answer = toAnswer(parse(text))
  const isRefusal = answer !== undefined && answer.id === null && 'error' in answer.outcome
  return answer?.id === id || isRefusal ? answer?.outcome : undefined
}

/** Error codes for exceeding a rate limit or lacking an account: from HTTP, EIP-1474, and node providers. */
const RATE_LIMITS: ReadonlySet<number> = new Set([
  ...[401, 402, 403, 429],
  ...[errorCodes.limitExceeded[0], -32011, -32016, -32029],
])
/** Messages of nodes that use other codes: about the rate, an exhausted plan, or a missing account at the provider. */
const TURNED_AWAY = [
  /too many requests?\b|too fast|throttl|rate.?limit|requests? (?:limit|limited|rate|count)\b|requests per second/,
  /compute units|credits|quota|(?:capacity|throughput|usage|rps|cu) limit|free ?tier|upgrade (?:your|to)\b/,
  /api.?key|must (?:be authenticated|authenticate)|authenticate your/,
]
/** Error codes for a revert: Geth and most nodes, then OpenEthereum. The message of such an error is the contract's. */
export const REVERTED: readonly number[] = [3, -32015]

/**
 * True if the node refused the request before processing it, because of a rate limit, a used-up plan, or a missing
 * account. Another node may accept the request. False for a timeout, because the node may have processed the request.
 */
export const isRateLimit = (error: unknown): boolean => {
  if (!(error instanceof RpcError) || error.reason !== ANSWERED) return false
  const { code, message, data } = error
  if (RATE_LIMITS.has(code)) return true
  const words = message.toLowerCase()
  const isOfContract = REVERTED.includes(code) || isHex(data)
  return !isOfContract && TURNED_AWAY.some(about => about.test(words)) && !/revert|time.?out/.test(words)
}

/** True for an error about the batch as a whole. Its requests may succeed individually. */
const refusesBatch = ({ outcome }: Answer): boolean =>
  'error' in outcome && !REVERTED.includes(outcome.error.code) && /\bbatch/i.test(outcome.error.message)

/**
 * Returns the outcomes of the requests with these ids, in order. A rate limit error in place of responses applies to
 * all of them. Undefined if a response is missing.
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
