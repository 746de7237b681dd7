/** Work under way, so that a stop can wait for it. */
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds that a stop waits for work under way. */
const PATIENCE = 10_000

export type Pending = {
  add: (work: Promise<unknown>) => void
  /** Resolves when all that was added so far has ended, well or badly, or has been waited for long enough. */
  settled: () => Promise<void>
}

export const createPending = (): Pending => {
  const pending = new Set<Promise<unknown>>()
  return {
    add: work => {
      pending.add(work)
      work.finally(() => pending.delete(work))
    },
    settled: async () => {
      await Promise.race([Promise.allSettled(pending), pause(PATIENCE, undefined, { ref: false })])
    },
  }
}
