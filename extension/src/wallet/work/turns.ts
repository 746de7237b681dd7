/**
 * The order of asynchronous work: tasks that run one at a time, signals of changes, and work that follows changes. The
 * code that changes a value does not know its observers.
 */
import { report } from '../text/errors.ts'

export type Observable<T = void> = {
  /** Calls the listener after each change. */
  observe(listener: (value: T) => void): void
}

/** An observable and the function that calls its listeners. */
export const createSignal = <T = void>(): Observable<T> & { notify(value: T): void } => {
  const listeners: ((value: T) => void)[] = []
  return {
    observe: listener => void listeners.push(listener),
    notify: value => {
      for (const listener of listeners) listener(value)
    },
  }
}

/** Work that runs after changes: one run at a time, and one for all changes that happened before it started. */
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

export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}
