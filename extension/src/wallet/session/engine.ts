/**
 * Runs remote sessions. Every message and every action creates a new state, which `reconcile` then applies: it
 * subscribes to topics, publishes the outbox, and forwards requests with stable ids. After a restart, it simply applies
 * the stored state.
 *
 * While the wallet is locked, the state is unreadable and there are no connections. Messages stay at the relay until
 * they are acknowledged.
 */
import { RpcError } from '@heliograph/shared/errors'
import type { RemoteView } from '../../messages.ts'
import type { Networks } from '../networks/networks.ts'
import { type Requester, sessionRequester } from '../sites/sites.ts'
import { report, toRpcError } from '../text/errors.ts'
import { createSerialQueue, createSignal, type Observable } from '../work/turns.ts'
import { abilitiesOf, BASIC_METHODS } from './abilities.ts'
import { expire, lateRequests, nextExpiry, respond } from './changes.ts'
import { fit, type Holdings } from './fit.ts'
import { type Offer, offerOf } from './namespaces.ts'
import { requestKey } from './peer-request.ts'
import { receive } from './receive.ts'
import type { Sockets } from './relay-client.ts'
import { createRelays } from './relays.ts'
import type { SessionStore } from './session-store.ts'
import type { PendingRequest, Proposal, SessionState } from './state.ts'
import { NO_REMOTE, remoteView } from './views.ts'

/** A peer's request. The wallet treats requests with the same requester and id as one. */
export type RemoteRequest = {
  id: string
  method: string
  params: unknown
  chainId: number
  expiresAt: number
}

/** The wallet's handler of peers' requests. Keys are from `requestKey`. */
export type RequestHandler = {
  /** Resolves with the result. Throws RpcError. */
  request(requester: Requester, request: RemoteRequest): Promise<unknown>
  /** Withdraws a request whose peer no longer waits for it. */
  abandon(key: string): Promise<void>
  /** Ends a request that expired undecided. */
  expire(key: string): Promise<void>
  /** Resolves to true if the request has been decided: its response is ready or in preparation. */
  isDecided(key: string): Promise<boolean>
}

export type SessionsParts = {
  store: SessionStore
  requests: RequestHandler
  sockets: Sockets
  networks: Pick<Networks, 'list' | 'selected'>
  holdings(): Promise<Holdings>
  now(): number
}

/** Observers are notified when the status of a relay changes. The stored state has observers of its own. */
export type Sessions = Observable &
  Pick<SessionStore, 'read' | 'change'> & {
    /** Applies the state to relays, requests and grants. Called whenever they may be out of date. */
    reconcile(): Promise<void>
    view(): Promise<RemoteView>
    offer(wants: Pick<Proposal, 'required' | 'optional'>): Promise<Offer>
    /** True while there are connections or sessions to maintain, so that `tend` should be called periodically. */
    isOpen(): Promise<boolean>
    /**
     * Drops what has expired and checks the connections. Returns the ms until the next expiry, or null if there is
     * nothing to do.
     */
    tend(): Promise<number | null>
    /** Reconnects to lost relays at once. */
    wake(): void
  }

/** Maximum delay of the expiry timer in ms. Later expiries are handled by `tend`. */
const TIMER_HORIZON = 5 * 60_000

const isOpen = ({ pairings, sessions, outbox }: SessionState): boolean =>
  pairings.length + sessions.length + outbox.length > 0

export const createSessions = (parts: SessionsParts): Sessions => {
  const { store, requests, networks, now } = parts
  const { observe, notify } = createSignal()
  const inTurn = createSerialQueue()
  /** Requests that this worker has forwarded, by key. */
  const asking = new Map<string, PendingRequest>()
  let expiryTimer: ReturnType<typeof setTimeout> | undefined

  const abilities = async () => abilitiesOf(await networks.list())
  const relays = createRelays({
    sockets: parts.sockets,
    now,
    onMessage: async arrival => {
      const facts = { now: now(), abilities: await abilities() }
      await store.change(state => receive(state, arrival, facts))
    },
    onPublished: store.published,
    onStatus: notify,
  })

  const answer = async (request: PendingRequest) => {
    const { topic, id, method, params, chainId, expiresAt } = request
    const asked = { id, method, params, chainId, expiresAt }
    const outcome = await requests.request(sessionRequester(topic), asked).then(
      result => ({ result }),
      error => ({ error: toRpcError(error).toJSON() }),
    )
    await store.change(state => respond(state, request, outcome, now()))
  }
  const carryOn = (request: PendingRequest) => {
    const key = requestKey(request)
    if (asking.has(key)) return
    asking.set(key, request)
    answer(request)
      // If the wallet was locked in the meantime, the outcome stays with the request, and is used after the next
      // unlock.
      .catch(error => {
        if (!(error instanceof RpcError)) report(error)
      })
      .finally(() => asking.delete(key))
  }

  /** Forwards new requests, and withdraws requests that are no longer in the state. */
  const ask = (state: SessionState) => {
    for (const request of state.requests) carryOn(request)
    const waiting = new Set(state.requests.map(requestKey))
    const needless = [...asking].filter(([key]) => !waiting.has(key))
    for (const [key, { expiresAt }] of needless) {
      const takeBack = expiresAt <= now() ? requests.expire : requests.abandon
      takeBack(key).catch(report)
    }
  }

  /**
   * Schedules the next expiry. `checkedAt` is when the state was last checked for expiry. Returns the ms until the
   * expiry.
   */
  const watchExpiry = (state: SessionState, checkedAt: number): number => {
    clearTimeout(expiryTimer)
    // The expiry may have passed since `checkedAt`, so the pause must not become negative.
    const pause = Math.max(0, nextExpiry(state, checkedAt) - now())
    if (pause <= TIMER_HORIZON) expiryTimer = setTimeout(() => void reconcile().catch(report), pause)
    return pause
  }

  /** Returns a predicate for late requests that were decided in time. */
  const decidedOf = async (state: SessionState, time: number) => {
    const keys = await Promise.all(
      lateRequests(state, time).map(async request => {
        const key = requestKey(request)
        return (await requests.isDecided(key)) ? key : null
      }),
    )
    return (request: PendingRequest) => keys.includes(requestKey(request))
  }

  /**
   * Drops what had expired at `time`, and restricts the rest to the holdings. Decisions made after `time` count as in
   * time.
   */
  const upToDate = async (read: SessionState, time: number): Promise<SessionState> => {
    const isDecided = await decidedOf(read, time)
    const holdings = read.sessions.length > 0 ? await parts.holdings() : null
    const make = (state: SessionState) => expire(holdings ? fit(state, holdings, time) : state, time, isDecided)
    return make(read) === read ? read : store.change(make)
  }

  const reconcile = () =>
    inTurn(async () => {
      const read = await store.read()
      const time = now()
      const state = read && (await upToDate(read, time))
      relays.sync(state)
      if (!state) return clearTimeout(expiryTimer)
      watchExpiry(state, time)
      ask(state)
    })

  const offers = async () => {
    const [able, { chainId }] = await Promise.all([abilities(), networks.selected()])
    return ({ required, optional }: Pick<Proposal, 'required' | 'optional'>): Offer =>
      offerOf(required, optional, able, { fallback: chainId, basic: BASIC_METHODS })
  }

  return {
    observe,
    reconcile,
    change: store.change,
    read: store.read,
    view: async () => {
      const state = await store.read()
      return state ? remoteView(state, relays.status, await offers()) : NO_REMOTE
    },
    offer: async wants => (await offers())(wants),
    isOpen: async () => {
      const state = await store.read()
      return state !== null && isOpen(state)
    },
    tend: async () => {
      const state = await store.read()
      if (!state) return null
      relays.tend()
      const time = now()
      const isDecided = await decidedOf(state, time)
      const tended = await store.change(current => expire(current, time, isDecided))
      return isOpen(tended) ? watchExpiry(tended, time) : null
    },
    wake: relays.wake,
  }
}
