/**
 * Requests that need a decision, from arrival to response. They are kept in the session store, so a worker restart does
 * not lose or duplicate any: the page repeats its request with the same id and joins the stored one.
 */
import { type Failure, RpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import type { Requester } from '../sites/sites.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

/** `failure` is set if the request was not rejected by the user. */
export type Decision = { approve: boolean; accounts: readonly Address[]; failure?: Failure }
export type Outcome = { result: unknown } | { error: Failure }

/** Returns an outcome's result, or throws its error. */
export const resultOf = (outcome: Outcome): unknown => {
  if ('result' in outcome) return outcome.result
  throw new RpcError(outcome.error)
}

/**
 * A prepared request. `payload` is what the method's `act` signs, `effect` is what the user sees. They change only
 * together, with `revise` and `reopen`. An incomplete payload is reviewed again before it can be signed.
 */
export type Draft = {
  account: Address | null
  payload: unknown
  effect: Effect
  findings: readonly Finding[]
  /** Network of the request, if it is not the site's current network. */
  chainId?: number
}

/** Thrown instead of executing an approved request whose effect has changed. `draft` is its new form. */
export class ChangedSince extends Error {
  override name = 'ChangedSince'
  readonly draft: Draft

  constructor(draft: Draft) {
    super('The request has changed since it was shown')
    this.draft = draft
  }
}

export type WalletRequest = Draft & {
  /** Identifies the request in the wallet. Contains the origin, so sites cannot refer to each other's requests. */
  key: string
  requester: Requester
  /** Name of the requester in stores and limits. */
  origin: string
  /** True if the site was connected when it sent the request. */
  connected: boolean
  /** The requesting tab, or null if unknown. */
  tab: number | null
  /** The requesting page, or null if unknown. */
  page: string | null
  /** The top-level origin if the site is in a cross-site frame, or null. */
  top: string | null
  /** The panel that shows the request. Absent if the approval window shows it. */
  panel?: number
  method: string
  chainId: number
  /** Number of changes since the request arrived. A decision applies to the revision that was shown. */
  revision: number
  createdAt: number
  /** Expiry as Unix time in ms, if the requester has set one. */
  expiresAt?: number
  decision: Decision | null
  /**
   * Hashes of the signed transactions. They are set before the transactions are stored in the activity, where stored
   * transactions are never signed again.
   */
  signed: readonly Hex[] | null
}

/** An answered request. It is kept for pages that repeat the request. */
export type AnsweredRequest = { key: string; origin: string; outcome: Outcome }

export type Requests = {
  get(key: string): Promise<WalletRequest | AnsweredRequest | undefined>
  /** Returns the pending requests, oldest first. */
  open(): Promise<readonly WalletRequest[]>
  /** Returns the decided requests that were not executed before the worker stopped. */
  unfinished(): Promise<readonly WalletRequest[]>
  /** Adds a request. Throws -32005 if there is no room, -32002 for a site's second connection request. */
  add(request: WalletRequest): Promise<void>
  /**
   * Decides a request. Returns false if it was already decided, or is unknown. `shown` is the revision that was shown;
   * throws -32602 if the request has changed since.
   */
  decide(key: string, decision: Decision, shown?: number): Promise<boolean>
  /**
   * Replaces an open request's draft. `draftOf` gets the current request. Returns false if the request is already
   * decided. Throws errors of `draftOf`.
   */
  revise(key: string, draftOf: (request: WalletRequest) => Draft): Promise<boolean>
  /** Replaces a decided request's draft. The request must then be decided again. */
  reopen(key: string, draft: Draft): Promise<void>
  keepSigned(key: string, hashes: readonly Hex[]): Promise<void>
  finish(key: string, outcome: Outcome): Promise<void>
}

/** Limits of pending requests: number and bytes of JSON. The browser's session store holds 10 MB. */
export const MAX_WAITING_PER_SITE = 20
export const MAX_SIZE_PER_SITE = 6 << 20
export const MAX_SIZE = 7 << 20
/**
 * Limits for unconnected sites, per tab and overall; the rest is reserved for connected sites. All sites in a tab's
 * frames share the tab's limit.
 */
export const MAX_STRANGERS_PER_TAB = 20
export const MAX_STRANGERS_SIZE_PER_TAB = 128 << 10
export const MAX_STRANGERS_SIZE = 1 << 20
/** Limits of stored answers. They apply per site, so a site cannot displace other sites' answers. */
export const MAX_ANSWERS_PER_SITE = 20
export const MAX_ANSWERS_SIZE = 256 << 10

export const keyOf = (origin: string, id: string): string => `${origin} ${id}`

type Kept = WalletRequest | AnsweredRequest
/** A stored value with its size in bytes of JSON, which is counted only when its draft or outcome changes. */
type Sized<K> = K & { size: number }

const sized = <K extends Kept>(kept: K): Sized<K> => ({
  ...kept,
  size: new TextEncoder().encode(JSON.stringify(kept)).length,
})
const withoutSize = <K extends Kept>({ size: _, ...kept }: Sized<K>) => kept as unknown as K

const isWaiting = <K extends Kept>(kept: K): kept is K & WalletRequest => !('outcome' in kept)
const isOpen = (request: WalletRequest) => request.decision === null
/** True if the request is answered or being executed. */
export const isDecided = (kept: Kept): boolean => !isWaiting(kept) || !isOpen(kept)

/**
 * Returns a predicate: true if the request with this key is decided, or if its transactions were signed before the
 * browser restarted.
 */
export const createIsDecided =
  ({ requests, activity }: { requests: Pick<Requests, 'get'>; activity: Pick<ActivityStore, 'ofKey'> }) =>
  async (key: string): Promise<boolean> => {
    const kept = await requests.get(key)
    return kept ? isDecided(kept) : (await activity.ofKey(key)).some(({ status }) => status !== 'dropped')
  }

const isConnecting = ({ effect }: WalletRequest) => effect.kind === 'connect'

const sizeOfAll = (requests: readonly { size: number }[]) => requests.reduce((sum, { size }) => sum + size, 0)

const askerOf = ({ tab, origin }: WalletRequest) => tab ?? origin

const assertRoomForStranger = (waiting: readonly Sized<WalletRequest>[], added: Sized<WalletRequest>) => {
  const strangers = waiting.filter(({ connected }) => !connected)
  const ofTab = strangers.filter(other => askerOf(other) === askerOf(added))
  if (ofTab.length >= MAX_STRANGERS_PER_TAB)
    throw rpcError('limitExceeded', 'tooManyOfTab', { limit: MAX_STRANGERS_PER_TAB })
  if (
    sizeOfAll([...ofTab, added]) > MAX_STRANGERS_SIZE_PER_TAB ||
    sizeOfAll([...strangers, added]) > MAX_STRANGERS_SIZE
  )
    throw rpcError('limitExceeded', 'strangersTooLarge')
}

const assertRoom = (waiting: readonly Sized<WalletRequest>[], added: Sized<WalletRequest>) => {
  const ofSite = waiting.filter(({ origin }) => origin === added.origin)
  if (ofSite.length >= MAX_WAITING_PER_SITE)
    throw rpcError('limitExceeded', 'tooManyOfSite', { limit: MAX_WAITING_PER_SITE })
  if (isConnecting(added) && ofSite.some(isConnecting))
    throw rpcError('resourceUnavailable', 'alreadyWaiting', { method: added.method })
  if (sizeOfAll([...ofSite, added]) > MAX_SIZE_PER_SITE)
    throw rpcError('limitExceeded', 'siteTooLarge', { limit: MAX_SIZE_PER_SITE })
  if (!added.connected) assertRoomForStranger(waiting, added)
  if (sizeOfAll([...waiting, added]) > MAX_SIZE) throw rpcError('limitExceeded', 'allTooLarge', { limit: MAX_SIZE })
}

/** Throws -32602 if the request has changed since it was shown. */
export const assertRevision = ({ revision }: WalletRequest, shown: number): void => {
  if (revision !== shown) throw rpcError('invalidParams', 'requestChanged')
}

/** Returns all pending requests, and the newest answers. */
const withoutOldAnswers = (kept: readonly Sized<Kept>[]): Sized<Kept>[] => {
  const counts = new Map<string, number>()
  let size = 0
  const stays = (request: Sized<Kept>) => {
    if (isWaiting(request)) return true
    const count = (counts.get(request.origin) ?? 0) + 1
    counts.set(request.origin, count)
    const total = size + request.size
    const fits = count <= MAX_ANSWERS_PER_SITE && total <= MAX_ANSWERS_SIZE
    if (fits) size = total
    return fits
  }
  return kept.toReversed().filter(stays).toReversed()
}

export const createRequests = (session: Store): Requests => {
  const cell = createCell<readonly Sized<Kept>[]>(session, 'requests', [])
  const kept = async () => (await cell.read()).map(withoutSize<Kept>)
  const waiting = async () => (await kept()).filter(isWaiting)

  return {
    get: async key => (await kept()).find(request => request.key === key),
    open: async () => (await waiting()).filter(isOpen),
    unfinished: async () => (await waiting()).filter(request => !isOpen(request)),
    add: async request => {
      const added = sized(request)
      await cell.update(kept => {
        assertRoom(kept.filter(isWaiting), added)
        return [...kept, added]
      })
    },
    decide: async (key, decision, shown) => {
      let decided = false
      await cell.update(kept =>
        kept.map(request => {
          if (request.key !== key || !isWaiting(request) || !isOpen(request)) return request
          if (shown !== undefined) assertRevision(request, shown)
          decided = true
          return { ...request, decision }
        }),
      )
      return decided
    },
    revise: async (key, draftOf) => {
      let revised = false
      await cell.update(kept =>
        kept.map(request => {
          if (request.key !== key || !isWaiting(request) || !isOpen(request)) return request
          revised = true
          return sized({ ...request, ...draftOf(request), revision: request.revision + 1 })
        }),
      )
      return revised
    },
    reopen: async (key, draft) => {
      await cell.update(kept =>
        kept.map(request => {
          if (request.key !== key || !isWaiting(request)) return request
          return sized({ ...request, ...draft, revision: request.revision + 1, decision: null })
        }),
      )
    },
    keepSigned: async (key, hashes) => {
      await cell.update(kept => kept.map(request => (request.key === key ? { ...request, signed: hashes } : request)))
    },
    finish: async (key, outcome) => {
      await cell.update(kept => {
        const request = kept.find(candidate => candidate.key === key)
        if (!request || !isWaiting(request)) return kept
        const { origin } = request
        return withoutOldAnswers([...kept.filter(other => other !== request), sized({ key, origin, outcome })])
      })
    },
  }
}
