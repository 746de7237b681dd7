/**
 * Tracks whether a store accepts writes. After a failed write it tests the store once a second with a large write,
 * because a full disk still accepts some small writes.
 */

/** Milliseconds between tests. */
const PAUSE = 1000

export type Health = {
  /** Called when a write has failed. */
  failed: (reason: string) => void
  /** Reason of the last failed write, until a test succeeds. */
  failure: () => string | undefined
  /** Stops testing. Resolves when no test is running. */
  close: () => Promise<void>
}

/** `attempt` writes as many bytes as must be free, and rejects if that fails. */
export const createHealth = (attempt: () => Promise<void>, pause = PAUSE): Health => {
  let failure: string | undefined
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isOpen = true

  const tryLater = (): void => {
    if (isOpen && !timer && !running) timer = setTimeout(start, pause).unref()
  }

  const tryNow = async (): Promise<void> => {
    try {
      await attempt()
      failure = undefined
    } catch {
      // The failed write has already called `failed` with the reason.
    }
  }

  const start = async (): Promise<void> => {
    timer = undefined
    running = tryNow()
    await running
    running = undefined
    if (failure !== undefined) tryLater()
  }

  return {
    failed: reason => {
      failure = reason
      tryLater()
    },
    failure: () => failure,
    close: async () => {
      isOpen = false
      clearTimeout(timer)
      await running
    },
  }
}
