/**
 * Sends answers, then runs the work that follows them: a publisher is answered before its message is announced. The
 * connections are flushed here, because their flush at the end of the turn may be over when a commit becomes durable.
 */
import { flushConnections } from '@heliograph/shared/server/transport/connection'
import type { Peer } from '../delivery/delivery.ts'
import type { After } from './method.ts'

/** `text` is a frame; undefined sends nothing, as for a notification. */
export type Answer = { peer: Peer; text: string | undefined; after?: After | undefined }

/**
 * Number of answers sent before their follow-up work and the next ones. Few enough for their data to stay in the
 * processor's cache, and enough for a subscriber of several publishers to get many messages in one write.
 */
const TOGETHER = 32

/** Splits a list into groups without separating neighbours of one peer, whose answers are then sent in one write. */
const groupsOf = function* <T extends { peer: Peer }>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0, end = 0; start < items.length; start = end) {
    end = Math.min(start + TOGETHER, items.length)
    while (end < items.length && items[end]?.peer === items[end - 1]?.peer) end++
    yield items.slice(start, end)
  }
}

export type Answers = {
  /** Answers in the next microtask, together with all that is answered until then. */
  send: (answer: Answer) => void
  /** Answers all items now and in order, and calls `then` for each item after its answer. */
  sendAll: <I extends { peer: Peer }>(
    items: readonly I[],
    textOf: (item: I) => string | undefined,
    then: (item: I, answeredAt: number) => void,
  ) => void
}

/** Calls `onFault` with errors of the work that follows. */
export const createAnswers = (onFault: (fault: unknown) => void): Answers => {
  let due: Answer[] = []

  const sendAll: Answers['sendAll'] = (items, textOf, then) => {
    for (const group of groupsOf(items)) {
      const now = performance.now()
      for (const item of group) {
        const text = textOf(item)
        if (text !== undefined) item.peer.connection.send(text)
      }
      flushConnections()
      for (const item of group)
        try {
          then(item, now)
        } catch (fault) {
          onFault(fault)
        }
    }
    // Pushes to the peers of the last group's messages. Those of earlier groups left with the next group's answers.
    flushConnections()
  }

  const textOf = ({ text }: Answer): string | undefined => text
  const followAnswer = ({ after }: Answer, answeredAt: number): void => after?.(answeredAt)

  const sendDue = (): void => {
    const answers = due
    due = []
    sendAll(answers, textOf, followAnswer)
  }

  return {
    send: answer => {
      if (due.push(answer) === 1) queueMicrotask(sendDue)
    },
    sendAll,
  }
}
