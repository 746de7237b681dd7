/**
 * Schedules webhook calls: each when it is due, a few at a time per target, and a limited number overall. Targets take
 * turns.
 */

/**
 * Maximum number of running calls overall, and per target. A target that did not respond last time gets one call at a
 * time.
 */
const CALLS_AT_ONCE = 512
const TARGET_CALLS_AT_ONCE = 4

/** Due calls of one target, and its state. */
export type Target<C> = { due: C[]; active: number; isSilent: boolean }

export const newTarget = <C>(): Target<C> => ({ due: [], active: 0, isSilent: false })

export type Schedule<C> = {
  /** Makes the call at `dueAt` (Unix time in ms), or later when there is room. */
  add: (target: Target<C>, call: C, dueAt: number) => void
  /** Starts no further calls. */
  close: () => void
}

/**
 * `run` makes a call and returns whether the target responded, or undefined if it did not try. It never rejects.
 */
export const createSchedule = <C>(run: (call: C) => Promise<boolean | undefined>): Schedule<C> => {
  const timers = new Set<NodeJS.Timeout>()
  /** Targets that can take a call now, in the order of their turns. */
  const ready = new Set<Target<C>>()
  let active = 0
  let isOpen = true

  const enqueue = (target: Target<C>): void => {
    const room = target.isSilent ? 1 : TARGET_CALLS_AT_ONCE
    if (target.due.length > 0 && target.active < room) ready.add(target)
  }

  const start = async (target: Target<C>, call: C): Promise<void> => {
    active += 1
    target.active += 1
    const hasAnswered = await run(call)
    active -= 1
    target.active -= 1
    if (hasAnswered !== undefined) target.isSilent = !hasAnswered
    enqueue(target)
    pump()
  }

  const pump = (): void => {
    for (const target of ready) {
      if (!isOpen || active >= CALLS_AT_ONCE) return
      ready.delete(target)
      const call = target.due.shift()
      if (call === undefined) continue
      void start(target, call)
      // The target is now last in `ready`, so this loop visits all other targets before it.
      enqueue(target)
    }
  }

  const makeDue = (target: Target<C>, call: C): void => {
    target.due.push(call)
    enqueue(target)
    pump()
  }

  return {
    add: (target, call, dueAt) => {
      const wait = dueAt - Date.now()
      if (wait <= 0) return makeDue(target, call)
      const timer = setTimeout(() => {
        timers.delete(timer)
        makeDue(target, call)
      }, wait)
      timers.add(timer)
    },
    close: () => {
      isOpen = false
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
