/**
 * A bound on how often: a bucket of tokens that refills steadily and is full at first, so that a burst passes and a flood
 * does not. Asking costs a few sums and no memory: it is done for every frame.
 */

/** What is left of a bucket, and since when. It goes below zero when what is refused keeps coming. */
export type Budget = { tokens: number; at: number }

export type Rate = {
  full: () => Budget
  /** Refills, and tells whether anything is left. */
  allows: (budget: Budget) => boolean
  spend: (budget: Budget, tokens: number) => void
  /** As much was spent beyond the bucket as there is in it. */
  isOverdrawn: (budget: Budget) => boolean
}

/** `now` is in milliseconds of any steady clock. */
export const createRate = (perSecond: number, burst: number, now: () => number): Rate => ({
  full: () => ({ tokens: burst, at: now() }),
  allows: budget => {
    const time = now()
    budget.tokens = Math.min(burst, budget.tokens + ((time - budget.at) * perSecond) / 1000)
    budget.at = time
    return budget.tokens > 0
  },
  spend: (budget, tokens) => {
    budget.tokens -= tokens
  },
  isOverdrawn: ({ tokens }) => tokens <= -burst,
})

/** A clock that is read once in a turn of the event loop, however often it is asked. */
export const createTurnClock = (read: () => number): (() => number) => {
  let time = 0
  let isRead = false
  const forget = (): void => {
    isRead = false
  }
  return () => {
    if (isRead) return time
    isRead = true
    setImmediate(forget)
    time = read()
    return time
  }
}
