/** Handles messages on a session topic: the peer's requests, and its responses to the wallet's requests. */
import type { RpcResponse } from '@heliograph/shared/wire/json-rpc'
import { parseParams } from '@heliograph/shared/wire/params'
import { rpcError, valueError } from '../text/errors.ts'
import { SESSION_LIFETIME } from './changes.ts'
import { sessionError } from './codes.ts'
import { assertCovered } from './namespaces.ts'
import { answer } from './outgoing.ts'
import type { Facts, PeerRequest } from './peer-request.ts'
import { requestSchema } from './schemas.ts'
import {
  type PendingRequest,
  type Session,
  type SessionState,
  sessionOf,
  withoutSession,
  withSession,
} from './state.ts'

/** Default and maximum lifetime of a request in ms. */
export const REQUEST_LIFETIME = 15 * 60_000
const MAX_REQUEST_LIFETIME = 7 * 24 * 60 * 60_000
/**
 * Limits of pending requests: number per session, characters of params as JSON per session, and the same for all
 * sessions.
 */
export const MAX_REQUESTS = 20
const MAX_REQUESTS_SIZE = 500_000
const MAX_ALL_REQUESTS_SIZE = 2_000_000

type Handler = (state: SessionState, session: Session, request: PeerRequest, facts: Facts) => SessionState

const sizeOf = (requests: readonly Pick<PendingRequest, 'params'>[]): number =>
  requests.reduce((size, { params }) => size + (JSON.stringify(params)?.length ?? 0), 0)

const assertRoom = (state: SessionState, { topic }: Session, added: PendingRequest): void => {
  const own = state.requests.filter(request => request.topic === topic)
  if (own.length >= MAX_REQUESTS) throw rpcError('limitExceeded', 'tooManyOfSession', { limit: MAX_REQUESTS })
  if (sizeOf([...own, added]) > MAX_REQUESTS_SIZE || sizeOf([...state.requests, added]) > MAX_ALL_REQUESTS_SIZE)
    throw rpcError('limitExceeded', 'sessionTooLarge')
}

const onCall: Handler = (state, session, { id, params }, { now }) => {
  const { chainId: chain, request } = parseParams(params, requestSchema)
  const { method, expiryTimestamp } = request
  const chainId = assertCovered(session.namespaces, chain, method)
  const asked = typeof expiryTimestamp === 'number' ? expiryTimestamp * 1000 : now + REQUEST_LIFETIME
  const expiresAt = Math.min(asked, now + MAX_REQUEST_LIFETIME)
  if (expiresAt <= now) throw sessionError('requestExpired')
  const pending = { id, topic: session.topic, method, params: request.params, chainId, expiresAt }
  assertRoom(state, session, pending)
  return { ...state, requests: [...state.requests, pending] }
}

const refuseWith =
  (code: 'invalidSettle' | 'unauthorizedEvent' | 'unauthorizedUpdate'): Handler =>
  () => {
    throw sessionError(code, valueError(code))
  }

const onExtend: Handler = (state, session, request, { now }) => {
  if (session.isEndFixed) throw sessionError('unauthorizedExtend', valueError('unauthorizedExtend'))
  const extended = withSession(state, session.topic, { expiresAt: now + SESSION_LIFETIME })
  return answer(extended, session, request, true, now)
}

const handlers = new Map<string, Handler>([
  ['wc_sessionRequest', onCall],
  ['wc_sessionPing', (state, session, request, { now }) => answer(state, session, request, true, now)],
  ['wc_sessionExtend', onExtend],
  [
    'wc_sessionDelete',
    (state, session, request, { now }) => withoutSession(answer(state, session, request, true, now), session.topic),
  ],
  ['wc_sessionUpdate', refuseWith('unauthorizedUpdate')],
  ['wc_sessionEvent', refuseWith('unauthorizedEvent')],
  ['wc_sessionSettle', refuseWith('invalidSettle')],
])

/** Handles a request on a session topic. Throws the error for the peer. */
export const onSession: Handler = (state, session, request, facts) => {
  const handler = handlers.get(request.method)
  if (!handler)
    throw sessionError('methodUnsupported', valueError('methodUnsupported', { method: request.method.slice(0, 60) }))
  // Only the peer has the session's key, so any message acknowledges the settlement.
  const heard = withSession(state, session.topic, { lastSeen: facts.now, isAcknowledged: true })
  return handler(heard, session, request, facts)
}

/**
 * Handles a response to a request by the wallet. Other responses are ignored. An error response to the settlement
 * removes the session.
 */
export const onAnswer = (state: SessionState, topic: string, response: RpcResponse, { now }: Facts): SessionState => {
  const session = sessionOf(state, topic)
  const asked = session?.sent.find(({ id }) => `${id}` === response.id)
  if (!session || !asked) return state
  if ('error' in response && asked.method === 'wc_sessionSettle') return withoutSession(state, topic)
  const sent = session.sent.filter(other => other !== asked)
  return withSession(state, topic, { sent, lastSeen: now, isAcknowledged: true })
}
