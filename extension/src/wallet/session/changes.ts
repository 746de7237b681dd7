/** State changes caused by the user and by expiry. Each function returns a new state. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import { rpcError } from '../text/errors.ts'
import { accountOf, chainOf } from './caip.ts'
import { sessionCodes, sessionError } from './codes.ts'
import { answeredBy } from './methods.ts'
import { assertConforming, type GrantedNamespaces, grantedAccounts, grantedChains } from './namespaces.ts'
import { answer, ask, refuse } from './outgoing.ts'
import { expirePairings, pairingEnds } from './pairing.ts'
import {
  type PendingRequest,
  type Session,
  type SessionState,
  sessionOf,
  withoutSession,
  withSession,
} from './state.ts'

/** Default lifetime of a session in ms. */
export const SESSION_LIFETIME = 7 * 24 * 60 * 60_000

/** Returns the session. Throws -32602 if it does not exist. */
export const findSession = (state: SessionState, topic: string): Session => {
  const session = sessionOf(state, topic)
  if (!session) throw rpcError('invalidParams', 'sessionGone')
  return session
}

/** Responds to a peer's request. Does nothing if the request was already answered or dropped. */
export const respond = (
  state: SessionState,
  { topic, id }: Pick<PendingRequest, 'topic' | 'id'>,
  outcome: { result: unknown } | { error: RpcErrorObject },
  now: number,
): SessionState => {
  const session = sessionOf(state, topic)
  const request = state.requests.find(candidate => candidate.topic === topic && candidate.id === id)
  if (!session || !request) return state
  const left = { ...state, requests: state.requests.filter(other => other !== request) }
  const method = 'wc_sessionRequest'
  // The relay keeps the response for as long as the peer waits for it.
  const usual = answeredBy(method)
  const delivery = { ...usual, ttl: Math.max(usual.ttl, Math.ceil((request.expiresAt - now) / 1000)) }
  return 'result' in outcome
    ? answer(
        withSession(left, topic, { approved: session.approved + 1 }),
        session,
        { id, method },
        outcome.result,
        now,
        delivery,
      )
    : refuse(
        withSession(left, topic, { rejected: session.rejected + 1 }),
        session,
        { id, method },
        outcome.error,
        now,
        delivery,
      )
}

const emit = (state: SessionState, session: Session, name: string, data: unknown, chainId: number, now: number) => {
  const knows = session.namespaces.eip155?.events.includes(name)
  const params = { event: { name, data }, chainId: chainOf(chainId) }
  return knows ? ask(state, session, 'wc_sessionEvent', params, now) : state
}

/**
 * Switches a session to another chain and emits `chainChanged`. Does nothing if the session lacks the chain, or is
 * already on it.
 */
export const changeChain = (state: SessionState, topic: string, chainId: number, now: number): SessionState => {
  const session = findSession(state, topic)
  if (session.chainId === chainId || !grantedChains(session.namespaces).includes(chainId)) return state
  return emit(withSession(state, topic, { chainId }), session, 'chainChanged', chainId, chainId, now)
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

/**
 * Replaces a session's namespaces and sends the update, with `accountsChanged` and `chainChanged` if they apply. Throws
 * 5001, 5002, 5003 and 5103 if a required part is missing in the namespaces.
 */
export const update = (
  state: SessionState,
  topic: string,
  namespaces: GrantedNamespaces,
  now: number,
): SessionState => {
  const session = findSession(state, topic)
  assertConforming(session.required, namespaces)
  const chains = grantedChains(namespaces)
  const chainId = chains.includes(session.chainId) ? session.chainId : (chains[0] ?? 0)
  const updated = ask(
    withSession(state, topic, { namespaces, chainId }),
    session,
    'wc_sessionUpdate',
    { namespaces },
    now,
  )
  const changed: Session = { ...session, namespaces, chainId }
  const accounts = grantedAccounts(namespaces)
  const told = isSame(accounts, grantedAccounts(session.namespaces))
    ? updated
    : emit(
        updated,
        changed,
        'accountsChanged',
        accounts.map(address => accountOf(chainId, address)),
        chainId,
        now,
      )
  return chainId === session.chainId ? told : emit(told, changed, 'chainChanged', chainId, chainId, now)
}

/** Extends a session to the default lifetime, counted from now. */
export const extend = (state: SessionState, topic: string, now: number): SessionState => {
  const session = findSession(state, topic)
  const extended = withSession(state, topic, { expiresAt: now + SESSION_LIFETIME, isEndFixed: false })
  return ask(extended, session, 'wc_sessionExtend', {}, now)
}

/** Sends a ping. The response updates `lastSeen`. */
export const ping = (state: SessionState, topic: string, now: number): SessionState =>
  ask(state, findSession(state, topic), 'wc_sessionPing', {}, now)

/** Ends a session and informs the peer. */
export const disconnect = (state: SessionState, topic: string, now: number): SessionState => {
  const session = findSession(state, topic)
  const [code, message] = sessionCodes.userDisconnected
  return withoutSession(ask(state, session, 'wc_sessionDelete', { code, message }, now), topic)
}

/** Returns the requests that are past their expiry. */
export const lateRequests = ({ requests }: SessionState, now: number): readonly PendingRequest[] =>
  requests.filter(({ expiresAt }) => expiresAt <= now)

/** Returns the expiry times of everything except requests. */
const otherEnds = (state: SessionState): number[] => [
  ...pairingEnds(state),
  ...[...state.sessions, ...state.outbox].map(({ expiresAt }) => expiresAt),
]

/** Returns the next expiry as Unix time in ms. Infinity if there is none. */
export const nextExpiry = (state: SessionState, now: number): number =>
  Math.min(...[...otherEnds(state), ...state.requests.map(({ expiresAt }) => expiresAt)].filter(end => end > now))

/**
 * Drops everything that has expired. Expired requests and proposals are answered with 8000. Requests that were decided
 * in time are kept until their response is ready.
 */
export const expire = (
  state: SessionState,
  now: number,
  isDecided = (_: PendingRequest): boolean => false,
): SessionState => {
  const isOver = ({ expiresAt }: { expiresAt: number }) => expiresAt <= now
  const late = lateRequests(state, now).filter(request => !isDecided(request))
  if (late.length === 0 && otherEnds(state).every(end => end > now)) return state
  const error = sessionError('requestExpired').toJSON()
  const answered = late.reduce((left, request) => respond(left, request, { error }, now), state)
  const over = answered.sessions.filter(isOver).map(({ topic }) => topic)
  const left = expirePairings(over.reduce(withoutSession, answered), now)
  return { ...left, outbox: left.outbox.filter(outgoing => !isOver(outgoing)) }
}
