/**
 * Tracks whether a store accepts writes. After a failed write it is tested once a second with a large write, because
 * a full disk still accepts small ones now and then.
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

/** `attempt` writes as much as there must be room for, and rejects if it cannot. */
export const createHealth = (attempt: () => Promise<void>, pause = PAUSE): Health => {
  let failure: string | undefined
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isOpen = true

  const tryLater = (): void => {
    if (isOpen && !timer && !underWay) timer = setTimeout(start, pause).unref()
  }

  const tryNow = async (): Promise<void> => {
    try {
      await attempt()
      failure = undefined
    } catch {
      // `failed` was already called with the reason.
    }
  }

  const start = async (): Promise<void> => {
    timer = undefined
    underWay = tryNow()
    await underWay
    underWay = undefined
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
      await underWay
    },
  }
}
