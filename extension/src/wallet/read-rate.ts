/** How fast one site may read from a node: a token bucket for each origin. */

export const READS_PER_SECOND = 10
export const READ_BURST = 50
/** Milliseconds after which a spent token is back. */
const INTERVAL = 1_000 / READS_PER_SECOND
/** Origins that are remembered before those with a full bucket are forgotten. */
const MAX_ORIGINS = 1_000

/** Resolves when it is the origin's turn to read, in the order of the calls. */
export type ReadRate = (origin: string) => Promise<void>

/** `now` is a clock in ms that never goes back; `pause` waits for so many ms. */
export const createReadRate = (
  now: () => number = () => performance.now(),
  pause: (ms: number) => Promise<void> = ms => new Promise(resolve => setTimeout(resolve, ms)),
): ReadRate => {
  /** When each origin's bucket will be full again. */
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
