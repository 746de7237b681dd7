/** Rate limit for node reads: a token bucket per origin. */

export const READS_PER_SECOND = 10
export const READ_BURST = 50
/** Milliseconds after which a token is added. */
const INTERVAL = 1_000 / READS_PER_SECOND
/** Number of origins above which origins with a full bucket are dropped. */
const MAX_ORIGINS = 1_000

/** Resolves when the origin may read. Calls resolve in order. */
export type ReadRate = (origin: string) => Promise<void>

/** `now` is a monotonic clock in ms. `pause` waits the given number of ms. */
export const createReadRate = (
  now: () => number = () => performance.now(),
  pause: (ms: number) => Promise<void> = ms => new Promise(resolve => setTimeout(resolve, ms)),
): ReadRate => {
  /** Time at which each origin's bucket is full again. */
  const fullAt = new Map<string, number>()

  const forgetFull = () => {
    for (const [origin, at] of fullAt) if (at <= now()) fullAt.delete(origin)
  }

  return async origin => {
    if (fullAt.size >= MAX_ORIGINS) forgetFull()
    const from = Math.max(now(), fullAt.get(origin) ?? 0)
    fullAt.set(origin, from + INTERVAL)
    const wait = from - now() - (READ_BURST - 1) * INTERVAL
    if (wait > 0) await pause(wait)
  }
}
