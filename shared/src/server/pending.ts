/** Work under way, so that a stop can wait for it. */
export type Pending = {
  add: (work: Promise<unknown>) => void
  /** Resolves when all that was added so far has ended, well or badly. */
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
      await Promise.allSettled(pending)
    },
  }
}
