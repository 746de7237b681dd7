/**
 * What follows from an answer, done when the answers of this turn of the event loop have left: a publisher has its answer
 * before anyone has its message. What is sent in the doing leaves at once.
 */
import { flushConnections } from '@heliograph/shared/server/connection'

/** `onFault` hears of work that throws. */
export const createAfterwards = (onFault: (fault: unknown) => void) => {
  let waiting: (() => void)[] = []

  const runAll = (): void => {
    flushConnections()
    const works = waiting
    waiting = []
    for (const work of works)
      try {
        work()
      } catch (fault) {
        onFault(fault)
      }
    flushConnections()
  }

  return (work: () => void): void => {
    if (waiting.push(work) === 1) queueMicrotask(runAll)
  }
}
