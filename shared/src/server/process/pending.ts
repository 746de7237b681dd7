/** Tracks asynchronous work so that a shutdown can wait for it. */

export type Pending = {
  add: (work: Promise<unknown>) => void
  /** Resolves when all work added so far has finished or failed. */
  settled: () => Promise<void>
}

/** Calls `onFault` with the reason of work that failed. */
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
