/** Work under way, so that a stop can wait for it. */

export type Pending = {
  add: (work: Promise<unknown>) => void
  /** Resolves when all that was added so far has ended, well or badly. */
  settled: () => Promise<void>
}

/** `onFault` hears of work that ended badly. */
export const createPending = (onFault: (fault: unknown) => void): Pending => {
  const pending = new Set<Promise<unknown>>()
  return {
    add: work => {
      const done = work.catch(onFault).finally(() => pending.delete(done))
      pending.add(done)
    },
    settled: async () => {
      await Promise.all(pending)
    },
  }
}
