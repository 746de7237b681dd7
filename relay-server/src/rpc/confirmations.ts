/** The fast path for publishes, nearly all of the traffic: messages stored together are answered together. */

import type { Pending } from '@heliograph/shared/server/process/pending'
import { createTurnClock } from '@heliograph/shared/server/process/turn'
import { flushConnections } from '@heliograph/shared/server/transport/connection'
import { answerBytes, createAnswerWriter } from '../delivery/answer.ts'
import type { Peer } from '../delivery/delivery.ts'
import type { Taken } from '../mailbox/mailbox.ts'
import type { Parts } from './method.ts'
import { announce, checkMessageSize, takeIn } from './publishing.ts'
import { MAX_ID_BYTES, type Scanned } from './scan.ts'

/** A publish whose message is not durable yet. */
type Waiting = { peer: Peer; id: string; taken: Taken | undefined; askedAt: number }
/** Publishes whose messages are stored together. */
type Confirmation = { safe: Promise<void>; waiting: Waiting[] }

/**
 * Number of messages answered and then announced before the next ones. Few enough for their data to stay in the
 * processor's cache, and enough for a subscriber of several publishers to get many of them in one write.
 */
const TOGETHER = 32

/** Splits the publishes into groups without separating those of one peer, so that these are answered in one write. */
const groupsOf = function* (waiting: readonly Waiting[]): Generator<readonly Waiting[]> {
  for (let start = 0, end = 0; start < waiting.length; start = end) {
    end = Math.min(start + TOGETHER, waiting.length)
    while (end < waiting.length && waiting[end]?.peer === waiting[end - 1]?.peer) end++
    yield waiting.slice(start, end)
  }
}

export type ConfirmationsOptions = {
  parts: Parts
  /** Encodes an error response. */
  refusal: (id: string, thrown: unknown) => string
  /** Tracks unfinished publishes. */
  pending: Pending
  onFault: (fault: unknown) => void
}

/** Handles a publish. Its publisher is answered once the message is durable, before any subscriber gets it. */
export const createConfirmations = ({ parts, refusal, pending, onFault }: ConfirmationsOptions) => {
  const { metrics, limits } = parts
  const writeAnswer = createAnswerWriter(MAX_ID_BYTES)
  const turnBegan = createTurnClock(() => performance.now())
  /** The latest group, which further publishes of this turn join. */
  let last: Confirmation | undefined

  const confirmGroup = (group: readonly Waiting[]): void => {
    for (const { peer, id } of group) peer.connection.sendBytes(() => writeAnswer(id), answerBytes(id.length))
    flushConnections()
    for (const { taken } of group)
      try {
        announce(parts, taken)
      } catch (fault) {
        onFault(fault)
      }
  }

  const confirm = async ({ safe, waiting }: Confirmation): Promise<void> => {
    try {
      await safe
    } catch (refused) {
      for (const { peer, id } of waiting) peer.connection.send(refusal(id, refused))
      return
    }
    const now = performance.now()
    for (const group of groupsOf(waiting)) confirmGroup(group)
    flushConnections()
    // After all responses have been sent.
    for (const { askedAt } of waiting) metrics.answerSeconds.observe((now - askedAt) / 1000)
  }

  return (peer: Peer, posting: Scanned): void => {
    const askedAt = turnBegan()
    try {
      checkMessageSize(posting.bytes, 'params.message', limits)
      // Uses the string already in the index, which is found twice as fast.
      if (posting.topic === peer.publishesTo) posting.topic = peer.publishesTo
      const { taken, safe } = takeIn(parts, peer, [posting])
      if (taken[0]) peer.publishesTo = taken[0].topic
      if (last?.safe !== safe) {
        last = { safe, waiting: [] }
        pending.add(confirm(last))
      }
      last.waiting.push({ peer, id: posting.id, taken: taken[0], askedAt })
    } catch (refused) {
      peer.connection.send(refusal(posting.id, refused))
    }
  }
}
