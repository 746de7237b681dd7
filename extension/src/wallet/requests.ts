/**
 * Requests that a person must decide, from their arrival to their answer. They are kept in the session store, so a
 * restart of the worker in between loses none and doubles none: the page sends its request again under the same id and
 * finds it here, as far as it had come.
 */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import { rpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../messages.ts'
import { createCell, type Store } from './store.ts'

/** `reason` says why a request was rejected, when it was not the person who did. */
export type Decision = { approve: boolean; accounts: readonly Address[]; reason?: RpcErrorObject }
export type Outcome = { result: unknown } | { error: RpcErrorObject }

/** What a method asks the person, frozen as it arrived: `payload` is what will be signed, `effect` what is shown of it. */
export type Draft = {
  account: Address | null
  payload: unknown
  effect: Effect
  findings: readonly Finding[]
  /** The network that it is for, where that is not the one the site is on. */
  chainId?: number
}

/** Thrown where an approved request is not carried out, since it would do what was not shown. `draft` is what it is now. */
export class ChangedSince extends Error {
  override name = 'ChangedSince'
  readonly draft: Draft

  constructor(draft: Draft) {
    super('The request has changed since it was shown')
    this.draft = draft
  }
}

export type WalletRequest = Draft & {
  /** Names the request in the whole wallet: no site can name another site's. */
  key: string
  origin: string
  /** Whether the site was connected when it asked. */
  connected: boolean
  /** The tab that asks; null where the browser does not name it. */
  tab: number | null
  /** The page that asks; null where the browser cannot tell one from another. */
  page: string | null
  /** The origin of the site that shows the asking one in a frame; null where it is shown by itself. */
  top: string | null
  method: string
  chainId: number
  /** How often it was changed since it came: what is approved is what was shown. */
  revision: number
  createdAt: number
  /** When it is late, ms since 1970, if who asks has said so. */
  expiresAt?: number
  decision: Decision | null
  /** The signed transactions, stored before they are first sent and sent again as they are, never signed again. */
  signed: readonly Hex[] | null
}

/** What is left of a request once it is answered: the answer, for a page that asks again. */
export type AnsweredRequest = { key: string; origin: string; outcome: Outcome }

export type Requests = {
  get(key: string): Promise<WalletRequest | AnsweredRequest | undefined>
  /** Those that wait for the person, oldest first. */
  open(): Promise<readonly WalletRequest[]>
  /** Those that were decided and not yet carried out: what a stopped worker left behind. */
  unfinished(): Promise<readonly WalletRequest[]>
  /** Throws -32005 when there is no room for it, -32002 when the site asks to connect a second time. */
  add(request: WalletRequest): Promise<void>
  /**
   * Whether this decided the request; false when it was decided before or is unknown. `shown` is the revision that was
   * decided on, where that matters: throws -32602 when the request is another by now.
   */
  decide(key: string, decision: Decision, shown?: number): Promise<boolean>
  /**
   * Puts another draft in the place of an open request's, made of the request as it is then. Whether it did: not where it
   * was decided before. Throws what `draftOf` throws.
   */
  revise(key: string, draftOf: (request: WalletRequest) => Draft): Promise<boolean>
  /** Puts another draft in the place of a decided request's, for the person to decide anew. */
  reopen(key: string, draft: Draft): Promise<void>
  keepSigned(key: string, signed: readonly Hex[]): Promise<void>
  finish(key: string, outcome: Outcome): Promise<void>
}

/** Bounds of what waits, in requests and in bytes of JSON: the session store of a browser holds 10 MB in all. */
export const MAX_WAITING_PER_SITE = 20
export const MAX_SIZE_PER_SITE = 6 << 20
export const MAX_SIZE = 7 << 20
/**
 * Bounds of what waits of sites that are not connected, of each tab and of all; the rest is kept for connected sites. A tab
 * counts once, however many sites it shows in frames.
 */
export const MAX_STRANGERS_PER_TAB = 20
export const MAX_STRANGERS_SIZE_PER_TAB = 128 << 10
export const MAX_STRANGERS_SIZE = 1 << 20
/** Bounds of the answers kept. They are counted by site, so that no site can push out those of another. */
export const MAX_ANSWERS_PER_SITE = 20
export const MAX_ANSWERS_SIZE = 256 << 10

export const keyOf = (origin: string, id: string): string => `${origin} ${id}`

type Kept = WalletRequest | AnsweredRequest

const isWaiting = (kept: Kept): kept is WalletRequest => !('outcome' in kept)
const isOpen = (request: WalletRequest) => request.decision === null
/** Whether the word on it was given: it is answered, or being carried out. */
export const isDecided = (kept: Kept): boolean => !isWaiting(kept) || !isOpen(kept)
const isConnecting = ({ effect }: WalletRequest) => effect.kind === 'connect'

const sizeOf = (kept: Kept) => new TextEncoder().encode(JSON.stringify(kept)).length
const sizeOfAll = (requests: readonly Kept[]) => requests.reduce((size, request) => size + sizeOf(request), 0)

const askerOf = ({ tab, origin }: WalletRequest) => tab ?? origin

const assertRoomForStranger = (waiting: readonly WalletRequest[], added: WalletRequest) => {
  const strangers = waiting.filter(({ connected }) => !connected)
  const ofTab = strangers.filter(other => askerOf(other) === askerOf(added))
  if (ofTab.length >= MAX_STRANGERS_PER_TAB)
    throw rpcError('limitExceeded', `${MAX_STRANGERS_PER_TAB} requests of this tab already wait for an answer`)
  if (
    sizeOfAll([...ofTab, added]) > MAX_STRANGERS_SIZE_PER_TAB ||
    sizeOfAll([...strangers, added]) > MAX_STRANGERS_SIZE
  )
    throw rpcError('limitExceeded', 'The requests of sites that are not connected are too large with this one')
}

const assertRoom = (waiting: readonly WalletRequest[], added: WalletRequest) => {
  const ofSite = waiting.filter(({ origin }) => origin === added.origin)
  if (ofSite.length >= MAX_WAITING_PER_SITE)
    throw rpcError('limitExceeded', `${MAX_WAITING_PER_SITE} requests of this site already wait for an answer`)
  if (isConnecting(added) && ofSite.some(isConnecting))
    throw rpcError('resourceUnavailable', `A request of ${added.method} already waits for an answer`)
  if (sizeOfAll([...ofSite, added]) > MAX_SIZE_PER_SITE)
    throw rpcError(
      'limitExceeded',
      `The requests of this site that wait are over ${MAX_SIZE_PER_SITE} bytes with this one`,
    )
  if (!added.connected) assertRoomForStranger(waiting, added)
  if (sizeOfAll([...waiting, added]) > MAX_SIZE)
    throw rpcError('limitExceeded', `The requests of all sites that wait are over ${MAX_SIZE} bytes with this one`)
}

/** Throws -32602 for a request that has changed since. */
export const assertRevision = ({ revision }: WalletRequest, shown: number): void => {
  if (revision !== shown)
    throw rpcError('invalidParams', 'The request has changed since it was shown. Look at it again.')
}

/** All that waits, and the newest answers. */
const withoutOldAnswers = (kept: readonly Kept[]): Kept[] => {
  const counts = new Map<string, number>()
  let size = 0
  const stays = (request: Kept) => {
    if (isWaiting(request)) return true
    const count = (counts.get(request.origin) ?? 0) + 1
    counts.set(request.origin, count)
    const total = size + sizeOf(request)
    const fits = count <= MAX_ANSWERS_PER_SITE && total <= MAX_ANSWERS_SIZE
    if (fits) size = total
    return fits
  }
  return kept.toReversed().filter(stays).toReversed()
}

export const createRequests = (session: Store): Requests => {
  const cell = createCell<readonly Kept[]>(session, 'requests', [])
  const waiting = async () => (await cell.read()).filter(isWaiting)

  return {
    get: async key => (await cell.read()).find(request => request.key === key),
    open: async () => (await waiting()).filter(isOpen),
    unfinished: async () => (await waiting()).filter(request => !isOpen(request)),
    add: async added => {
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
          return { ...request, ...draftOf(request), revision: request.revision + 1 }
        }),
      )
      return revised
    },
    reopen: async (key, draft) => {
      await cell.update(kept =>
        kept.map(request => {
          if (request.key !== key || !isWaiting(request)) return request
          return { ...request, ...draft, revision: request.revision + 1, decision: null }
        }),
      )
    },
    keepSigned: async (key, signed) => {
      await cell.update(kept => kept.map(request => (request.key === key ? { ...request, signed } : request)))
    },
    finish: async (key, outcome) => {
      await cell.update(kept => {
        const request = kept.find(candidate => candidate.key === key)
        if (!request || !isWaiting(request)) return kept
        const { origin } = request
        return withoutOldAnswers([...kept.filter(other => other !== request), { key, origin, outcome }])
      })
    },
  }
}
