/**
 * What must be looked after while nobody asks for it: requests that nobody decided in time, requests whose page went away
 * while the worker was stopped, the subscriptions of pages, and what was sent until the chain has settled it.
 */
import { type Approvals, EXPIRED, REJECTED } from './approvals.ts'
import type { Requests } from './requests.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Watching } from './transactions/watching.ts'

/** How long a request waits for the person, in ms. */
export const REQUEST_LIFETIME = 10 * 60_000
/** Pauses until the next look, in ms: while pages wait for news, and while only requests wait. */
export const NEWS_PAUSE = 2_000
export const REQUESTS_PAUSE = 30_000
/** While nothing waits but remote peers may ask: what wakes the wallet is their messages, and this the second net. */
export const SESSIONS_PAUSE = 120_000

export type TendingParts = {
  requests: Requests
  approvals: Approvals
  subscriptions: Subscriptions
  watching: Pick<Watching, 'poll'>
  isThere(page: string): Promise<boolean>
  /** Looks after remote sessions; whether there is anything to look after. */
  tendSessions(): Promise<boolean>
  now(): number
}

/** Does what is due. Resolves with the pause until the next time, in ms; null when there is nothing to look after. */
export type Tend = () => Promise<number | null>

export const createTending = (parts: TendingParts): Tend => {
  const { requests, approvals, subscriptions, watching, isThere, tendSessions, now } = parts

  const endOldRequests = async () => {
    const old = (await requests.open()).filter(
      ({ createdAt, expiresAt = createdAt + REQUEST_LIFETIME }) => now() >= expiresAt,
    )
    await Promise.all(old.map(({ key }) => approvals.withdraw(key, EXPIRED)))
  }
  const dropOrphans = async () => {
    const drop = async ({ key, page }: { key: string; page: string | null }) => {
      if (page !== null && !(await isThere(page))) await approvals.withdraw(key, REJECTED)
    }
    await Promise.all((await requests.open()).map(drop))
  }

  return async () => {
    // A peer's late request has a code of its own, so it is not for this to end it.
    const hasSessions = await tendSessions()
    await endOldRequests()
    await dropOrphans()
    await subscriptions.poll()
    const pauses = [
      await watching.poll(),
      (await subscriptions.isEmpty()) ? null : NEWS_PAUSE,
      (await requests.open()).length > 0 ? REQUESTS_PAUSE : null,
      hasSessions ? SESSIONS_PAUSE : null,
    ].filter(pause => pause !== null)
    return pauses.length > 0 ? Math.min(...pauses) : null
  }
}
