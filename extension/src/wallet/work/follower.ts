/** Work that follows changes: one run at a time, and one run for all changes that happened before it started. */
import { report } from './failures.ts'

export type Follower = {
  /** Records a change, and runs the work soon. */
  changed(): void
  /** Runs an action. If anything changes meanwhile, settles only after the work has run for these changes. */
  after<T>(act: () => Promise<T>): Promise<T>
}

/** `work` starts in a later turn, so that all writes of one turn lead to a single run. A failure is reported. */
export const createFollower = (work: () => Promise<unknown>): Follower => {
  let changes = 0
  let followed = 0
  let round: Promise<void> | undefined

  const runOnce = async () => {
    await undefined
    const seen = changes
    await work().catch(report)
    followed = seen
    round = followed < changes ? runOnce() : undefined
  }

  return {
    changed: () => {
      changes++
      round ??= runOnce()
    },
    after: async act => {
      const before = changes
      try {
        return await act()
      } finally {
        const last = changes
        while (last !== before && followed < last) await round
      }
    },
  }
}
