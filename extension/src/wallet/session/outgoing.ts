/** What the wallet says to a peer: sealed at once and put into the outbox, from where it goes until the relay has it. */
import { type RpcErrorObject, rpcError } from '@heliograph/shared/errors'
import { seal } from '@heliograph/shared/wire/envelope'
import { encodeError, encodeRequest, encodeResult, type RawId } from '@heliograph/shared/wire/json-rpc'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type AskedMethod, answeredBy, type Delivery, requests } from './methods.ts'
import { hashOf, withHash } from './seen.ts'
import { type Channel, type Outgoing, type SessionState, withSeen } from './state.ts'

/** Messages on their way, and their characters when sealed: when a relay is away for long, the oldest make room. */
export const MAX_OUTGOING = 500
export const MAX_OUTBOX_SIZE = 2 << 20
/** Bytes of an answer before it is sealed: relays refuse what is much longer. */
export const MAX_ANSWER_SIZE = 128 << 10
/** Characters of the message of an error that is too long with what comes along with it. */
const LONGEST_ERROR = 500

/** Requests of the wallet whose answers are waited for, of one session. */
const MAX_SENT = 50

/** What nobody answers. */
const UNANSWERED: ReadonlySet<AskedMethod> = new Set<AskedMethod>(['wc_sessionEvent', 'wc_sessionDelete'])

/** Ids are microseconds of a kind: the protocol wants them unique, and rising. */
const ID_PER_MS = 1000

const nextId = ({ lastId }: SessionState, now: number): number => Math.max(now * ID_PER_MS, lastId + 1)

type To = Pick<Channel, 'topic' | 'symKey' | 'relay'>

/** The newest that fit. */
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
  const message = seal(hexToBytes(symKey), text)
  const outgoing: Outgoing = { id, relay, topic, message, ...delivery, expiresAt: now + delivery.ttl * 1000 }
  // A relay may hand back what the wallet itself has said: it must not count as the peer's.
  const noted = withSeen(state, topic, seen => withHash(seen, hashOf(message)))
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
  return textOfError(id, rpcError('limitExceeded', `The answer is over ${MAX_ANSWER_SIZE} bytes`).toJSON())
}

/** Answers a request of a peer with a result, or -32005 where that is too long. */
export const answer = (
  state: SessionState,
  to: To,
  { id, method }: { id: RawId; method: string },
  result: unknown,
  now: number,
  delivery: Delivery = answeredBy(method),
): SessionState => put(state, to, textOfResult(id, result), delivery, now)

/** Answers a request of a peer with an error. */
export const refuse = (
  state: SessionState,
  to: To,
  { id, method }: { id: RawId; method: string },
  error: RpcErrorObject,
  now: number,
  delivery: Delivery = answeredBy(method),
): SessionState => put(state, to, textOfError(id, error), delivery, now)

/** Asks something of a peer, and where it is one of a session keeps in mind that an answer should come. */
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
