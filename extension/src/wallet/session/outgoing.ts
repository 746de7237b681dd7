/** Messages to peers. They are encrypted immediately, and kept in the outbox until the relay has them. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import { sealEnvelope } from '@heliograph/shared/wire/envelope'
import { encodeError, encodeRequest, encodeResult, type RawId } from '@heliograph/shared/wire/json-rpc'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { shortHash } from '../storage/short-hash.ts'
import { rpcError } from '../text/errors.ts'
import { type AskedMethod, answeredBy, type Delivery, requests } from './methods.ts'
import { withHash } from './seen.ts'
import { type Channel, type Outgoing, type SessionState, withSeen } from './state.ts'

/** Limits of the outbox: number of messages, and encrypted characters. The oldest messages are dropped first. */
const MAX_OUTGOING = 500
export const MAX_OUTBOX_SIZE = 2 << 20
/** Maximum bytes of a response before encryption. Relays reject much longer messages. */
export const MAX_ANSWER_SIZE = 128 << 10
/** Maximum characters of an error message that replaces a response that is too long. */
const LONGEST_ERROR = 500

/** Maximum number of the wallet's unanswered requests per session. */
const MAX_SENT = 50

/** Requests whose responses are ignored. */
const UNANSWERED: ReadonlySet<AskedMethod> = new Set<AskedMethod>(['wc_sessionEvent', 'wc_sessionDelete'])

/** Microseconds per ms. Ids must be unique and increasing, so they are derived from the time in microseconds. */
const ID_PER_MS = 1000

const nextId = ({ lastId }: SessionState, now: number): number => Math.max(now * ID_PER_MS, lastId + 1)

type To = Pick<Channel, 'topic' | 'symKey' | 'relay'>

/** Keeps the newest messages within the limits. */
const bounded = (outbox: readonly Outgoing[]): readonly Outgoing[] => {
  let size = 0
  const newest = outbox.slice(-MAX_OUTGOING)
  const over = newest.findLastIndex(({ message }) => {
    size += message.length
    return size > MAX_OUTBOX_SIZE
  })
  return newest.slice(over + 1)
}

const put = (state: SessionState, { topic, symKey, relay }: To, text: string, delivery: Delivery, now: number) => {
  const id = nextId(state, now)
  const message = sealEnvelope(text, hexToBytes(symKey))
  const outgoing: Outgoing = { id, relay, topic, message, ...delivery, expiresAt: now + delivery.ttl * 1000 }
  // A relay may send the wallet's own message back, which must not count as the peer's.
  const noted = withSeen(state, topic, seen => withHash(seen, shortHash(message)))
  return { ...noted, lastId: id, outbox: bounded([...state.outbox, outgoing]) }
}

const fits = (text: string): boolean => utf8ToBytes(text).length <= MAX_ANSWER_SIZE

const textOfError = (id: RawId, error: RpcErrorObject): string => {
  const text = encodeError(id, error)
  return fits(text) ? text : encodeError(id, { code: error.code, message: error.message.slice(0, LONGEST_ERROR) })
}
const textOfResult = (id: RawId, result: unknown): string => {
  const text = encodeResult(id, result)
  if (fits(text)) return text
  return textOfError(id, rpcError('limitExceeded', 'answerTooLarge', { limit: MAX_ANSWER_SIZE }).toJSON())
}

/** Responds to a peer's request with a result, or with -32005 if the result is too long. */
export const answer = (
  state: SessionState,
  to: To,
  { id, method }: { id: RawId; method: string },
  result: unknown,
  now: number,
  delivery: Delivery = answeredBy(method),
): SessionState => put(state, to, textOfResult(id, result), delivery, now)

/** Responds to a peer's request with an error. */
export const refuse = (
  state: SessionState,
  to: To,
  { id, method }: { id: RawId; method: string },
  error: RpcErrorObject,
  now: number,
  delivery: Delivery = answeredBy(method),
): SessionState => put(state, to, textOfError(id, error), delivery, now)

/** Sends a request to a peer. A session keeps it until the response arrives. */
export const ask = (state: SessionState, to: To, method: AskedMethod, params: unknown, now: number): SessionState => {
  const id = nextId(state, now)
  const text = encodeRequest(id, method, params)
  const sent = put({ ...state, lastId: id }, to, text, requests[method], now)
  if (UNANSWERED.has(method)) return sent
  const sessions = sent.sessions.map(session =>
    session.topic === to.topic ? { ...session, sent: [...session.sent, { id, method }].slice(-MAX_SENT) } : session,
  )
  return { ...sent, sessions }
}
