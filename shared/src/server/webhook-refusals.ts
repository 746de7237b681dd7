/**
 * Targets that want no calls. A call that is refused is not made again, but the next message makes the next call, and
 * whoever registered the address may not own it: who keeps refusing is asked ever less.
 */

/** Refusals in a row that change nothing: a receiver may be in the middle of a change of its own. */
const FREE_REFUSALS = 5
/** Milliseconds of rest after the next one; each further one doubles it, up to the longest. */
const FIRST_REST = 1000
const LONGEST_REST = 60_000
/** Registrations whose refusals are kept in mind. */
const REMEMBERED = 10_000

export type Refusals = {
  refused: (registration: string, now: number) => void
  taken: (registration: string) => void
  /** Until when (ms of Unix time) nothing more is to be sent there; 0 for any time. */
  restsUntil: (registration: string) => number
}

const restAfter = (count: number): number =>
  count > FREE_REFUSALS ? Math.min(FIRST_REST * 2 ** (count - FREE_REFUSALS - 1), LONGEST_REST) : 0

export const createRefusals = (): Refusals => {
  /** The longest untouched first. */
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
