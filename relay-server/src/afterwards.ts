/**
 * What follows from an answer, done when the answers of this turn of the event loop have left: a publisher has its answer
 * before anyone has its message. What is sent in the doing leaves at once.
 */
import { flushConnections } from '@heliograph/shared/server/connection'

export const createAfterwards = () => {
  let waiting: (() => void)[] = []

  const runAll = (): void => {
    flushConnections()
    const works = waiting
    waiting = []
    for (const work of works) work()
    flushConnections()
  }

  return (work: () => void): void => {
    if (waiting.push(work) === 1) setImmediate(runAll)
  }
}
