/**
 * Runs follow-up work after the responses of this turn of the event loop were sent, so that a publisher has its response
 * before anyone receives its message. Frames sent by the follow-up work are flushed at once.
 */
import { flushConnections } from '@heliograph/shared/server/transport/connection'

/** Calls `onFault` with errors of the work. */
export const createAfterResponses = (onFault: (fault: unknown) => void) => {
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
