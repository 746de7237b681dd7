/**
 * Whether a store takes writes. From the first one that fails on it is tried once a second, with a write that is large:
 * a full disk takes small ones now and then.
 */

/** Milliseconds between two trials. */
const PAUSE = 1000

export type Health = {
  /** A write has failed. */
  failed: (reason: string) => void
  /** Why the last write failed, until a trial succeeds. */
  failure: () => string | undefined
  /** Ends the trials; resolves when none is under way. */
  close: () => Promise<void>
}

/** `attempt` writes as much as there must be room for, and rejects when it cannot. */
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
      // `failed` was told why.
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
