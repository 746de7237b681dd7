/**
 * Remote sessions at work. All that is to be known is one sealed value; each message and each act of the person makes a new
 * one of it, and then the world is brought to it: topics are listened to, the outbox goes out, requests are put before the
 * person under ids that stay the same. So a start after a stop is the same as going on.
 *
 * While the wallet is locked the value cannot be read, and there is no connection: messages wait at the relay, which keeps
 * what was not acknowledged.
 */
import { RpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { RemoteView, RequesterView } from '../../messages.ts'
import { report, toRpcError } from '../failures.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Site } from '../sites.ts'
import { createTurns } from '../turns.ts'
import { abilitiesOf, BASIC_METHODS } from './abilities.ts'
import { changeChain, disconnect, expire, lateRequests, nextExpiry, respond, update } from './changes.ts'
import { fit, type Holdings } from './fit.ts'
import { grantedAccounts, grantedChains, type Offer, offerOf, regrant } from './namespaces.ts'
import { isRemote, originOf } from './origin.ts'
import { receive } from './receive.ts'
import type { Sockets } from './relay-client.ts'
import { createRelays } from './relays.ts'
import type { PendingRequest, Proposal, Session, SessionState } from './state.ts'
import { NO_REMOTE, remoteView, requesterView } from './views.ts'

/** What a session asks of the wallet: the same origin and id is the same request. */
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
  /** The relays of a fresh wallet; the first is taken where nothing else is said. */
  relays: readonly string[]
  now(): number
  request(origin: string, request: RemoteRequest): Promise<unknown>
  /** Takes back a request that nobody waits for any more. */
  abandon(origin: string, id: string): Promise<void>
  /** Takes back a request that nobody decided in time. */
  expireRequest(origin: string, id: string): Promise<void>
  /** Whether this request needs nobody's word any more: its answer is there, or on its way. */
  isDecided(origin: string, id: string): Promise<boolean>
  networks(): Promise<readonly Network[]>
  selectedNetwork(): Promise<Network>
  holdings(): Promise<Holdings>
  /** Called after what `view` shows has changed. */
  onChange(): void
  /** Called when there is something to look after: `tend` should be called from time to time. */
  onAwake(): void
}

export type Sessions = {
  /** Brings relays, requests and what peers were given to the state of the wallet. Call it whenever that may have changed. */
  reconcile(): Promise<void>
  /** Changes the state and brings the world to it. Throws 4100 while the wallet is locked. */
  change(make: (state: SessionState) => SessionState): Promise<SessionState>
  /** Null while the wallet is locked. */
  read(): Promise<SessionState | null>
  view(): Promise<RemoteView>
  /** Who asks under this origin; null for a site, and while the wallet is locked. */
  requester(origin: string): Promise<RequesterView | null>
  /** The session as a connected site; undefined where there is none. */
  site(origin: string): Promise<Site | undefined>
  /** The chain that the session of this origin is on; undefined where there is none. */
  chainOf(origin: string): Promise<number | undefined>
  /** Puts the session of this origin on a chain, and gives it the chain where it has it not. */
  choose(origin: string, chainId: number): Promise<void>
  /** The wallet is on another chain. */
  moved(chainId: number): Promise<void>
  /** Ends the session of this origin. */
  end(origin: string): Promise<void>
  /** Whether the request that goes by this page still waits for an answer. */
  isWaiting(page: string): Promise<boolean>
  offer(wants: Pick<Proposal, 'required' | 'optional'>): Promise<Offer>
  /** Ends what is late, and looks after the connections. Resolves with whether there is anything to look after. */
  tend(): Promise<boolean>
  /** Tries lost relays at once. */
  wake(): void
}

/** Expiries further away than this are left to `tend`, in ms. */
const TIMER_HORIZON = 5 * 60_000
const SEED_BYTES = 32
const PAGE = 'session '

const keyOf = ({ topic, id }: Pick<PendingRequest, 'topic' | 'id'>): string => `${PAGE}${topic} ${id}`

/** Whether a page is that of a remote request. */
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
  const inTurn = createTurns()
  /** What this worker put before the person, by key. */
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
    // What was kept is kept: bringing the world to it is tried again at the next occasion.
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
      // Locked in between: the answer is kept with the request, and is found again when the wallet is unlocked.
      .catch(error => {
        if (!(error instanceof RpcError)) report(error)
      })
      .finally(() => asking.delete(key))
  }

  /** Puts what waits before the person, and takes back what waits no longer. */
  const ask = ({ requests }: SessionState) => {
    for (const request of requests) carryOn(request)
    const waiting = new Set(requests.map(keyOf))
    const needless = [...asking].filter(([key]) => !waiting.has(key))
    for (const [, { topic, id, expiresAt }] of needless) {
      const takeBack = expiresAt <= now() ? parts.expireRequest : parts.abandon
      takeBack(originOf(topic), id).catch(report)
    }
  }

  /** Ends the next thing that expires as soon as it does. */
  const watchExpiry = (state: SessionState) => {
    const pause = nextExpiry(state, now()) - now()
    if (pause <= TIMER_HORIZON) expiryTimer = setTimeout(() => void reconcile().then(onChange, report), pause)
  }

  /** Which of the requests that are late were decided before that. */
  const decidedOf = async (state: SessionState, time: number) => {
    const keys = await Promise.all(
      lateRequests(state, time).map(async request =>
        (await parts.isDecided(originOf(request.topic), request.id)) ? keyOf(request) : null,
      ),
    )
    return (request: PendingRequest) => keys.includes(keyOf(request))
  }

  const upToDate = async (read: SessionState): Promise<SessionState> => {
    // The time from before the look: what is decided after it is decided in time as well.
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
      clearTimeout(expiryTimer)
      if (!state) {
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
      if (!state) return false
      relays.tend()
      const time = now()
      const isDecided = await decidedOf(state, time)
      return isOpen(await change(current => expire(current, time, isDecided)))
    },
    wake: relays.wake,
  }
}
