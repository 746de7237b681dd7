/**
 * Runs remote sessions. The whole state is one sealed value. Every message and every action creates a new state, and
 * `reconcile` then applies it: subscribes to topics, publishes the outbox, and passes requests on under stable ids. A
 * restart is the same as going on.
 *
 * While the wallet is locked the state is unreadable and there are no connections. Messages stay at the relay until
 * they are acknowledged.
 */
import { RpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { RemoteView, RequesterView } from '../../messages.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import { isRemote, originOf } from '../sites/peer-origin.ts'
import type { Site } from '../sites/sites.ts'
import { report, toRpcError } from '../work/failures.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import { abilitiesOf, BASIC_METHODS } from './abilities.ts'
import { changeChain, disconnect, expire, lateRequests, nextExpiry, respond, update } from './changes.ts'
import { fit, type Holdings } from './fit.ts'
import { grantedAccounts, grantedChains, type Offer, offerOf, regrant } from './namespaces.ts'
import { receive } from './receive.ts'
import type { Sockets } from './relay-client.ts'
import { createRelays } from './relays.ts'
import type { PendingRequest, Proposal, Session, SessionState } from './state.ts'
import { NO_REMOTE, remoteView, requesterView } from './views.ts'

/** A peer's request. The wallet treats the same origin and id as the same request. */
export type RemoteRequest = {
  id: string
  method: string
  params: unknown
  chainId: number
  expiresAt: number
  page: string
}

export type SessionsParts = {
  sealing: Sealing
  sockets: Sockets
  /** The relays of a new wallet. The first is the default. */
  relays: readonly string[]
  now(): number
  request(origin: string, request: RemoteRequest): Promise<unknown>
  /** Withdraws a request whose peer no longer waits for it. */
  abandon(origin: string, id: string): Promise<void>
  /** Withdraws a request that expired undecided. */
  expireRequest(origin: string, id: string): Promise<void>
  /** True if the request has been decided: its response is ready or in preparation. */
  isDecided(origin: string, id: string): Promise<boolean>
  networks(): Promise<readonly Network[]>
  selectedNetwork(): Promise<Network>
  holdings(): Promise<Holdings>
  /** Called after a change of `view`. */
  onChange(): void
  /** Called when there are connections or sessions to maintain: `tend` should be called periodically from then on. */
  onAwake(): void
}

export type Sessions = {
  /** Applies the state to relays, requests and grants. Called whenever they may be out of date. */
  reconcile(): Promise<void>
  /** Changes the state and applies it. Throws 4100 while the wallet is locked. */
  change(make: (state: SessionState) => SessionState): Promise<SessionState>
  /** Null while the wallet is locked. */
  read(): Promise<SessionState | null>
  view(): Promise<RemoteView>
  /** The peer with this origin, or null for a site and while the wallet is locked. */
  requester(origin: string): Promise<RequesterView | null>
  /** The session as a connected site, or undefined if there is none. */
  site(origin: string): Promise<Site | undefined>
  /** The chain of this origin's session, or undefined if there is none. */
  chainOf(origin: string): Promise<number | undefined>
  /** Switches this origin's session to a chain, and grants the chain if necessary. */
  choose(origin: string, chainId: number): Promise<void>
  /** Switches all sessions to the wallet's new chain. */
  moved(chainId: number): Promise<void>
  /** Ends the session of this origin. */
  end(origin: string): Promise<void>
  /** True if the request with this page name still waits for a response. */
  isWaiting(page: string): Promise<boolean>
  offer(wants: Pick<Proposal, 'required' | 'optional'>): Promise<Offer>
  /** Drops what has expired and checks the connections. Returns the ms until the next expiry, or null without any work. */
  tend(): Promise<number | null>
  /** Reconnects to lost relays at once. */
  wake(): void
}

/** Maximum delay of the expiry timer in ms. `tend` handles later expiries. */
const TIMER_HORIZON = 5 * 60_000
const SEED_BYTES = 32
const PAGE = 'session '

const keyOf = ({ topic, id }: Pick<PendingRequest, 'topic' | 'id'>): string => `${PAGE}${topic} ${id}`

/** True if the page name is that of a remote request. */
export const isRemotePage = (page: string): boolean => page.startsWith(PAGE)

const isOpen = ({ pairings, sessions, outbox }: SessionState): boolean =>
  pairings.length + sessions.length + outbox.length > 0

const seedOf = (): string => bytesToHex(randomBytes(SEED_BYTES))
export const relayOf = (url: string) => ({ url, seed: seedOf() })

export const createSessions = (parts: SessionsParts): Sessions => {
  const { now, onChange } = parts
  const cell = createSealedCell<SessionState>({
    ...parts.sealing,
    name: 'sessions',
    initial: () => ({
      relays: parts.relays.map(relayOf),
      pairings: [],
      usedLinks: [],
      proposals: [],
      sessions: [],
      requests: [],
      outbox: [],
      lastId: 0,
    }),
  })
  const inTurn = createSerialQueue()
  /** Requests that this worker has passed on, by key. */
  const asking = new Map<string, PendingRequest>()
  let wasAwake = false
  let expiryTimer: ReturnType<typeof setTimeout> | undefined

  const abilities = async () => abilitiesOf(await parts.networks())
  const relays = createRelays({
    sockets: parts.sockets,
    now,
    onMessage: async arrival => {
      const facts = { now: now(), abilities: await abilities() }
      await change(state => receive(state, arrival, facts))
    },
    onPublished: async id => {
      await change(state => ({ ...state, outbox: state.outbox.filter(outgoing => outgoing.id !== id) }))
    },
    onStatus: onChange,
  })

  const change: Sessions['change'] = async make => {
    let before: SessionState | undefined
    const after = await cell.update(state => {
      before = state
      return make(state)
    })
    if (after === before) return after
    // The state is saved. A failed reconcile is repeated by the next one.
    await reconcile().catch(report)
    onChange()
    return after
  }

  const answer = async (request: PendingRequest) => {
    const { topic, id, method, params, chainId, expiresAt } = request
    const asked = { id, method, params, chainId, expiresAt, page: keyOf(request) }
    const outcome = await parts.request(originOf(topic), asked).then(
      result => ({ result }),
      error => ({ error: toRpcError(error).toJSON() }),
    )
    await change(state => respond(state, request, outcome, now()))
  }
  const carryOn = (request: PendingRequest) => {
    const key = keyOf(request)
    if (asking.has(key)) return
    asking.set(key, request)
    answer(request)
      // If the wallet was locked meanwhile, the outcome stays with the request and is used after the next unlock.
      .catch(error => {
        if (!(error instanceof RpcError)) report(error)
      })
      .finally(() => asking.delete(key))
  }

  /** Passes on new requests and withdraws those that are no longer in the state. */
  const ask = ({ requests }: SessionState) => {
    for (const request of requests) carryOn(request)
    const waiting = new Set(requests.map(keyOf))
    const needless = [...asking].filter(([key]) => !waiting.has(key))
    for (const [, { topic, id, expiresAt }] of needless) {
      const takeBack = expiresAt <= now() ? parts.expireRequest : parts.abandon
      takeBack(originOf(topic), id).catch(report)
    }
  }

  /** Schedules the next expiry. Returns the ms until then. */
  const watchExpiry = (state: SessionState): number => {
    clearTimeout(expiryTimer)
    const pause = nextExpiry(state, now()) - now()
    if (pause <= TIMER_HORIZON) expiryTimer = setTimeout(() => void reconcile().then(onChange, report), pause)
    return pause
  }

  /** Returns a predicate for late requests that were decided in time. */
  const decidedOf = async (state: SessionState, time: number) => {
    const keys = await Promise.all(
      lateRequests(state, time).map(async request =>
        (await parts.isDecided(originOf(request.topic), request.id)) ? keyOf(request) : null,
      ),
    )
    return (request: PendingRequest) => keys.includes(keyOf(request))
  }

  const upToDate = async (read: SessionState): Promise<SessionState> => {
    // Taken before the check, so that later decisions count as in time.
    const time = now()
    const isDecided = await decidedOf(read, time)
    const holdings = read.sessions.length > 0 ? await parts.holdings() : null
    const make = (state: SessionState) => expire(holdings ? fit(state, holdings, time) : state, time, isDecided)
    return make(read) === read ? read : cell.update(make)
  }

  const reconcile = () =>
    inTurn(async () => {
      const read = await cell.read()
      const state = read && (await upToDate(read))
      relays.sync(state)
      if (!state) {
        clearTimeout(expiryTimer)
        wasAwake = false
        return
      }
      watchExpiry(state)
      ask(state)
      const isAwake = isOpen(state)
      if (isAwake && !wasAwake) parts.onAwake()
      wasAwake = isAwake
    })

  const sessionIn = (state: SessionState, origin: string): Session | undefined =>
    state.sessions.find(({ topic }) => originOf(topic) === origin)
  const sessionAt = async (origin: string): Promise<Session | undefined> => {
    const state = await cell.read()
    return state ? sessionIn(state, origin) : undefined
  }

  const offers = async () => {
    const [able, { chainId }] = await Promise.all([abilities(), parts.selectedNetwork()])
    return ({ required, optional }: Pick<Proposal, 'required' | 'optional'>): Offer =>
      offerOf(required, optional, able, { fallback: chainId, basic: BASIC_METHODS })
  }

  return {
    reconcile,
    change,
    read: cell.read,
    view: async () => {
      const state = await cell.read()
      return state ? remoteView(state, relays.status, await offers()) : NO_REMOTE
    },
    requester: async origin => {
      const session = isRemote(origin) ? await sessionAt(origin) : undefined
      return session ? requesterView(session) : null
    },
    site: async origin => {
      const session = await sessionAt(origin)
      return session && { origin, accounts: grantedAccounts(session.namespaces), since: session.createdAt }
    },
    chainOf: async origin => (await sessionAt(origin))?.chainId,
    choose: async (origin, chainId) => {
      await change(state => {
        const session = sessionIn(state, origin)
        if (!session) return state
        const { topic } = session
        const chainIds = grantedChains(session.namespaces)
        const given = chainIds.includes(chainId)
          ? state
          : update(state, topic, regrant(session.namespaces, { chainIds: [...chainIds, chainId] }), now())
        return changeChain(given, topic, chainId, now())
      })
    },
    moved: async chainId => {
      if (!(await cell.read())) return
      await change(state => state.sessions.reduce((all, { topic }) => changeChain(all, topic, chainId, now()), state))
    },
    end: async origin => {
      await change(state => {
        const session = sessionIn(state, origin)
        return session ? disconnect(state, session.topic, now()) : state
      })
    },
    isWaiting: async page => {
      const state = await cell.read()
      return !state || state.requests.some(request => keyOf(request) === page)
    },
    offer: async wants => (await offers())(wants),
    tend: async () => {
      const state = await cell.read()
      if (!state) return null
      relays.tend()
      const time = now()
      const isDecided = await decidedOf(state, time)
      const tended = await change(current => expire(current, time, isDecided))
      return isOpen(tended) ? watchExpiry(tended) : null
    },
    wake: relays.wake,
  }
}
