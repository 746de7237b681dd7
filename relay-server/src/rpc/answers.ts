/**
 * Sends answers, then runs the work that follows them, so that a publisher has its answer before anyone receives its
 * message.
 */
import type { Pending } from '@heliograph/shared/server/process/pending'
import { flushConnections } from '@heliograph/shared/server/transport/connection'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import type { Peer } from '../delivery/delivery.ts'
import type { Commit } from '../mailbox/mailbox.ts'
import type { After } from './method.ts'
import type { Published } from './methods/publishing.ts'

/** `text` is a frame; undefined sends nothing, as for a notification. */
export type Answer = { peer: Peer; text: string | undefined; after?: After | undefined }

/** A publish whose answer waits for its commit. */
export type Waiting = { peer: Peer; id: RawId; published: Published }

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

export type AnswersOptions = {
  /** The answer to a publish. `refusal` is the reason if its commit was refused. */
  textTo: (waiting: Waiting, refusal: unknown) => string
  /** The work that follows the answer if the commit is durable. */
  follow: (waiting: Waiting, answeredAt: number) => void
  /** Tracks unanswered items. */
  pending: Pending
  /** Called with errors of the work that follows. */
  onFault: (fault: unknown) => void
}

export type Answers = {
  /** Answers together with all that is answered before the current task of the event loop ends. */
  send: (answer: Answer) => void
  /**
   * Answers a publish when its commit is durable or refused, together with the others of that commit. A publish with webhook
   * calls or watches has a commit of its own (`joined`), so it may be answered and announced out of order.
   */
  sendAfter: (commit: Commit, waiting: Waiting) => void
}

/** All publishes are given to the same functions, because a function for each publish would be slow. */
export const createAnswers = (options: AnswersOptions): Answers => {
  const { textTo, follow, pending, onFault } = options
  let due: Answer[] = []
  const waitingFor = new Map<Commit, Waiting[]>()

  /** Sends the answers to all items in order, and calls `then` for each item after its answer. */
  const sendAll = <I extends { peer: Peer }>(
    items: readonly I[],
    textOf: (item: I) => string | undefined,
    then: (item: I, answeredAt: number) => void,
  ): void => {
    const now = performance.now()
    for (const group of groupsOf(items)) {
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
    flushConnections()
  }

  const textOf = ({ text }: Answer): string | undefined => text
  const followAnswer = ({ after }: Answer, answeredAt: number): void => after?.(answeredAt)
  const nothing = (): void => undefined

  const sendDue = (): void => {
    const answers = due
    due = []
    sendAll(answers, textOf, followAnswer)
  }

  const settle = async (commit: Commit, waiting: readonly Waiting[]): Promise<void> => {
    let refusal: unknown
    try {
      await commit.durable
    } catch (thrown) {
      refusal = thrown
    }
    waitingFor.delete(commit)
    sendAll(waiting, one => textTo(one, refusal), refusal === undefined ? follow : nothing)
  }

  return {
    send: answer => {
      if (due.push(answer) === 1) queueMicrotask(sendDue)
    },

    sendAfter: (commit, one) => {
      const known = waitingFor.get(commit)
      if (known) {
        known.push(one)
        return
      }
      const waiting = [one]
      waitingFor.set(commit, waiting)
      pending.add(settle(commit, waiting))
    },
  }
}
