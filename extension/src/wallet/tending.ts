/**
 * Background work: expired requests, requests whose page closed while the worker was stopped, page subscriptions,
 * remote sessions, pending transactions, and looks for tokens.
 */
import { type Desk, EXPIRED } from './requests/desk.ts'
import type { Requests, WalletRequest } from './requests/store.ts'
import type { Sessions } from './session/engine.ts'
import type { Subscriptions } from './sites/subscriptions.ts'
import type { Looking } from './tokens/looking.ts'
import type { Watching } from './transactions/watching.ts'

/** Milliseconds until a pending request expires. */
export const REQUEST_LIFETIME = 10 * 60_000
/** Delay in ms until the next run: with subscriptions or pending transactions, and with only pending requests. */
export const NEWS_PAUSE = 2_000
export const REQUESTS_PAUSE = 30_000
/** Delay in ms with only remote sessions. Their messages wake the wallet, so this is a fallback. */
const SESSIONS_PAUSE = 120_000

export type TendingParts = {
  requests: Requests
  desk: Pick<Desk, 'end'>
  subscriptions: Subscriptions
  watching: Watching
  /** True if the sender of the request still waits for the response. */
  isWaiting(request: WalletRequest): Promise<boolean>
  sessions: Pick<Sessions, 'tend' | 'isOpen'>
  looking: Pick<Looking, 'tend' | 'due'>
  now(): number
}

/** Does the work that is due. Resolves with the delay in ms until the next run, or null if none is needed. */
export type Tend = () => Promise<number | null>

export type Tending = {
  tend: Tend
  /** Resolves with the ids of all pending background work. `tend` should be called soon when an id is new. */
  work(): Promise<readonly string[]>
}

export const createTending = (parts: TendingParts): Tending => {
  const { requests, desk, subscriptions, watching, isWaiting, sessions, looking, now } = parts

  const endOldRequests = async () => {
    const old = (await requests.open()).filter(
      ({ createdAt, expiresAt = createdAt + REQUEST_LIFETIME }) => now() >= expiresAt,
    )
    await Promise.all(old.map(({ key }) => desk.end(key, EXPIRED)))
  }
  const dropOrphans = async () => {
    const drop = async (request: WalletRequest) => {
      if (!(await isWaiting(request))) await desk.end(request.key)
    }
    await Promise.all((await requests.open()).map(drop))
  }

  const tend: Tend = async () => {
    // The sessions come first, because they end a peer's expired requests with a separate error code.
    const sessionsPause = await sessions.tend()
    await endOldRequests()
    await dropOrphans()
    await subscriptions.poll()
    const pauses = [
      await watching.poll(),
      (await subscriptions.ids()).length > 0 ? NEWS_PAUSE : null,
      (await requests.open()).length > 0 ? REQUESTS_PAUSE : null,
      sessionsPause === null ? null : Math.min(sessionsPause, SESSIONS_PAUSE),
      await looking.tend(),
    ].filter(pause => pause !== null)
    return pauses.length > 0 ? Math.min(...pauses) : null
  }
  return {
    tend,
    work: async () => [
      ...(await requests.open()).map(({ key }) => key),
      ...(await subscriptions.ids()),
      ...(await watching.pending()),
      ...((await sessions.isOpen()) ? ['sessions'] : []),
      ...(await looking.due()),
    ],
  }
}
