/** The publishes that nearly all traffic consists of: those whose messages are stored together are answered together. */
import { flushConnections } from '@heliograph/shared/server/connection'
import type { Pending } from '@heliograph/shared/server/pending'
import { createTurnClock } from '@heliograph/shared/server/turn'
import { answerBytes, createAnswerWriter } from './answer.ts'
import type { Peer } from './delivery.ts'
import type { Taken } from './mailbox/mailbox.ts'
import type { Parts } from './method.ts'
import { announce, refuseLong, takeIn } from './publishing.ts'
import { MOST_ID_BYTES, type Scanned } from './scan.ts'

/** A publish that waits for its message to be safe. */
type Waiting = { peer: Peer; id: string; taken: Taken | undefined; askedAt: number }
/** Those whose messages are stored together. */
type Confirmation = { safe: Promise<void>; waiting: Waiting[] }

/**
 * Messages that are answered, then announced, before the next are: few enough for what is touched on the way to stay in
 * the processor's cache, and many enough for a subscriber of several publishers to get much of it at once.
 */
const TOGETHER = 32

/** Parts of what waits, cut where the peer is another one: what one peer sent together is answered together. */
const groupsOf = function* (waiting: readonly Waiting[]): Generator<readonly Waiting[]> {
  for (let start = 0, end = 0; start < waiting.length; start = end) {
    end = Math.min(start + TOGETHER, waiting.length)
    while (end < waiting.length && waiting[end]?.peer === waiting[end - 1]?.peer) end++
    yield waiting.slice(start, end)
  }
}

export type ConfirmationsOptions = {
  parts: Parts
  /** The frame that tells of an error. */
  refusal: (id: string, thrown: unknown) => string
  /** Knows of every publish that waits. */
  pending: Pending
  onFault: (fault: unknown) => void
}

/** Takes a publish. Its peer is answered when the message is safe, before anyone has the message. */
export const createConfirmations = ({ parts, refusal, pending, onFault }: ConfirmationsOptions) => {
  const { metrics, limits } = parts
  const writeAnswer = createAnswerWriter(MOST_ID_BYTES)
  const turnBegan = createTurnClock(() => performance.now())
  /** Of the publishers of late. */
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
    // Once nobody waits for it.
    for (const { askedAt } of waiting) metrics.answerSeconds.observe((now - askedAt) / 1000)
  }

  return (peer: Peer, posting: Scanned): void => {
    const askedAt = turnBegan()
    try {
      refuseLong(posting.bytes, 'params.message', limits)
      // The same text as an object that was looked up before, which is found in half the time.
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
