/**
 * A bound on how often: a bucket of tokens that refills steadily and is full at first, so that a burst passes and a flood
 * does not. Asking costs a few sums and no memory: it is done for every frame.
 */

/** Bytes that cost a token. */
export const BYTES_A_TOKEN = 4096

/** When the bucket is full, or was: how many tokens will have been earned by then since the clock began. */
export type Budget = { fullAt: number }

export type Rate = {
  full: () => Budget
  /** Tells whether anything is left. */
  allows: (budget: Budget) => boolean
  spend: (budget: Budget, tokens: number) => void
  /** As much was spent beyond the bucket as there is in it. */
  isOverdrawn: (budget: Budget) => boolean
}

/** `now` is in milliseconds of any steady clock. */
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
