/**
 * Rate limiter: a token bucket that starts full and refills steadily. A check runs for every frame, so it takes only a
 * few additions and allocates no memory.
 */

/** Bytes of a message that cost one token. */
export const BYTES_A_TOKEN = 4096

/**
 * State of a bucket, which earns tokens from the clock's start on. It is full again once it has earned `fullAt` tokens
 * in total.
 */
export type Budget = { fullAt: number }

export type Rate = {
  full: () => Budget
  /** True if any tokens are left. */
  allows: (budget: Budget) => boolean
  spend: (budget: Budget, tokens: number) => void
  /** True if the bucket is empty, and as many tokens as fill a bucket were spent beyond that. */
  isOverdrawn: (budget: Budget) => boolean
}

/** `now` is any monotonic clock in milliseconds. */
export const createRate = (perSecond: number, burst: number, now: () => number): Rate => {
  const earned = (): number => Math.floor((now() * perSecond) / 1000)

  return {
    full: () => ({ fullAt: earned() }),
    allows: ({ fullAt }) => fullAt - earned() < burst,
    spend: (budget, tokens) => {
      budget.fullAt = Math.max(budget.fullAt, earned()) + tokens
    },
    isOverdrawn: ({ fullAt }) => fullAt - earned() >= 2 * burst,
  }
}
