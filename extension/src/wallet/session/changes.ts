/** What the person does with sessions, and what time does: each makes a new state of the old. */
import { type RpcErrorObject, rpcError } from '@heliograph/shared/errors'
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

/** How long a session lasts, in ms. */
export const SESSION_LIFETIME = 7 * 24 * 60 * 60_000

/** Throws -32602. */
export const findSession = (state: SessionState, topic: string): Session => {
  const session = sessionOf(state, topic)
  if (!session) throw rpcError('invalidParams', 'There is no such session any more')
  return session
}

/** The answer to a peer's request, once: a request that is no longer there was answered or given up. */
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
  // The peer waits as long as it said: the relay keeps the answer for that time, too.
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

/** Tells a peer on which chain the wallet is now, if that is one of its own and news to it. */
export const changeChain = (state: SessionState, topic: string, chainId: number, now: number): SessionState => {
  const session = findSession(state, topic)
  if (session.chainId === chainId || !grantedChains(session.namespaces).includes(chainId)) return state
  return emit(withSession(state, topic, { chainId }), session, 'chainChanged', chainId, chainId, now)
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

/**
 * Gives a session other namespaces. Throws 5001, 5002, 5003 and 5103 where they lack what the peer requires. The peer is
 * told of the update, and by the events that it knows of accounts and of the chain.
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

/** Puts the end of a session off to the usual time from now. */
export const extend = (state: SessionState, topic: string, now: number): SessionState => {
  const session = findSession(state, topic)
  const extended = withSession(state, topic, { expiresAt: now + SESSION_LIFETIME, isEndFixed: false })
  return ask(extended, session, 'wc_sessionExtend', {}, now)
}

/** Asks the peer whether it is there: `lastSeen` is when it last was. */
export const ping = (state: SessionState, topic: string, now: number): SessionState =>
  ask(state, findSession(state, topic), 'wc_sessionPing', {}, now)

/** Ends a session and tells its peer. */
export const disconnect = (state: SessionState, topic: string, now: number): SessionState => {
  const session = findSession(state, topic)
  const [code, message] = sessionCodes.userDisconnected
  return withoutSession(ask(state, session, 'wc_sessionDelete', { code, message }, now), topic)
}

/** Requests that nobody answered in time. */
export const lateRequests = ({ requests }: SessionState, now: number): readonly PendingRequest[] =>
  requests.filter(({ expiresAt }) => expiresAt <= now)

/** When everything ends that ends by itself, but for requests. */
const otherEnds = (state: SessionState): number[] => [
  ...pairingEnds(state),
  ...[...state.sessions, ...state.outbox].map(({ expiresAt }) => expiresAt),
]

/** When the next thing expires, ms since 1970; Infinity where nothing will. */
export const nextExpiry = (state: SessionState, now: number): number =>
  Math.min(...[...otherEnds(state), ...state.requests.map(({ expiresAt }) => expiresAt)].filter(end => end > now))

/**
 * Drops everything that has expired. Requests and proposals are answered with 8000; requests that were decided in time are
 * kept until their answer is there.
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
