/**
 * Rate limiter: a token bucket that starts full and refills steadily. A check takes a few additions and no memory,
 * because it runs for every frame.
 */

/** Bytes of a message that cost one token. */
export const BYTES_A_TOKEN = 4096

/** `fullAt` is the number of tokens, earned since the clock's start, at which the bucket is full again. */
export type Budget = { fullAt: number }

export type Rate = {
  full: () => Budget
  /** True if any tokens are left. */
  allows: (budget: Budget) => boolean
  spend: (budget: Budget, tokens: number) => void
  /** True if the bucket is empty and a whole bucket more was spent. */
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
