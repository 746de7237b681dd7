/**
 * Pauses calls to targets that refuse them. A refused call is not retried, but each message causes a new call, and the
 * registrant may not own the target. Repeated refusals therefore lead to longer pauses.
 */

/** Consecutive refusals without a pause, because a receiver may be reconfiguring. */
const FREE_REFUSALS = 5
/** First pause in milliseconds. Each further refusal doubles it, up to the longest. */
const FIRST_REST = 1000
const LONGEST_REST = 60_000
/** Maximum number of registrations that are remembered. */
const REMEMBERED = 10_000

export type Refusals = {
  refused: (registration: string, now: number) => void
  taken: (registration: string) => void
  /** Unix time in ms until which no call is made, or 0. */
  restsUntil: (registration: string) => number
}

const restAfter = (count: number): number =>
  count > FREE_REFUSALS ? Math.min(FIRST_REST * 2 ** (count - FREE_REFUSALS - 1), LONGEST_REST) : 0

export const createRefusals = (): Refusals => {
  /** Least recently updated first. */
  const refusals = new Map<string, { count: number; until: number }>()

  return {
    refused: (registration, now) => {
      const count = (refusals.get(registration)?.count ?? 0) + 1
      refusals.delete(registration)
      refusals.set(registration, { count, until: now + restAfter(count) })
      for (const oldest of refusals.keys()) {
        if (refusals.size <= REMEMBERED) return
        refusals.delete(oldest)
      }
    },
    taken: registration => {
      refusals.delete(registration)
    },
    restsUntil: registration => refusals.get(registration)?.until ?? 0,
  }
}
