/**
 * Sends responses, then runs the work that follows them: a publisher is answered before its message is announced.
 * Flushes the connections itself, because a commit can become durable after the turn's usual flush.
 */
import { flushConnections } from '@heliograph/shared/server/transport/connection'
import type { Peer } from '../delivery/delivery.ts'
import type { After } from './method.ts'

/** A response to send. Without `text`, as for a notification, nothing is sent and only `after` runs. */
export type Answer = { peer: Peer; text: string | undefined; after?: After | undefined }

/**
 * Number of answers in a group, which is sent before its follow-up work and the next group. It is small enough for the
 * data to stay in the processor's cache, and large enough for a subscriber of several publishers to get many messages
 * in one write.
 */
const TOGETHER = 32

/** Splits a list into groups. Consecutive answers to one peer stay together, so that they are sent in one write. */
const groupsOf = function* <T extends { peer: Peer }>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0, end = 0; start < items.length; start = end) {
    end = Math.min(start + TOGETHER, items.length)
    while (end < items.length && items[end]?.peer === items[end - 1]?.peer) end++
    yield items.slice(start, end)
  }
}

export type Answers = {
  /** Sends the answer in the next microtask, together with all answers given until then. */
  send: (answer: Answer) => void
  /** Answers all items now and in order. Calls `then` for each item after its answer; `answeredAt` is in ms. */
  sendAll: <I extends { peer: Peer }>(
    items: readonly I[],
    textOf: (item: I) => string | undefined,
    then: (item: I, answeredAt: number) => void,
  ) => void
}

/** Calls `onFault` with errors thrown by the work that follows an answer. */
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
    // Sends the pushes that the last group caused. Each earlier group's pushes were flushed together with the answers
    // of the group after it.
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
