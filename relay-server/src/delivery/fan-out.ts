/**
 * Distributes messages to topics with many subscriptions. Visits each subscription once for all messages added so far.
 * A visit takes one system call, and its data stays in the processor's cache. Yields to the event loop after each slice
 * of visits, so that a large topic does not delay others.
 */
import { flushConnections } from '@heliograph/shared/server/transport/connection'
import type { Accepted } from '../mailbox/mailbox.ts'
import type { Subscription } from './delivery.ts'

/** A slice visits at least this number of subscriptions, and at least this fraction of the topic's subscriptions. */
const SLICE = 16
const SLICE_PART = 1 / 32

/** One pass over the subscriptions of a topic. */
type Round = {
  topic: string
  subscriptions: readonly Subscription[]
  /** Index of the next subscription. */
  at: number
  /** Messages that all subscriptions get in this round. */
  messages: Accepted[]
  /**
   * Messages added during the round. Subscriptions not visited yet get them in this round. The next round offers them
   * to all subscriptions, which ignore messages that they already have.
   */
  late: Accepted[]
}

const roundOf = (topic: string, messages: Accepted[]): Round => ({
  topic,
  subscriptions: [],
  at: 0,
  messages,
  late: [],
})

export type FanOutOptions = {
  subscriptionsOf: (topic: string) => readonly Subscription[]
  offer: (subscription: Subscription, message: Accepted) => void
  onFault: (fault: unknown) => void
}

export type FanOut = {
  /** True while a round of the topic is running. New messages of the topic must then be added with `add`. */
  isUnderWay: (topic: string) => boolean
  /** Offers the message to all subscriptions of the topic, after all messages that were added earlier. */
  add: (topic: string, message: Accepted) => void
}

export const createFanOut = ({ subscriptionsOf, offer, onFault }: FanOutOptions): FanOut => {
  /** Running rounds by topic. The first gets the next slice. */
  const rounds = new Map<string, Round>()

  const visit = (subscription: Subscription, { messages, late }: Round): void => {
    try {
      for (const message of messages) offer(subscription, message)
      for (const message of late) offer(subscription, message)
    } catch (fault) {
      onFault(fault)
    }
  }

  /** Starts another round if messages were added during this one. */
  const follow = ({ topic, late }: Round): void => {
    if (late.length > 0) rounds.set(topic, roundOf(topic, late))
  }

  const visitSlice = (round: Round): void => {
    // The subscriptions are listed at the round's first slice, because later subscriptions do not get earlier messages.
    if (round.at === 0) round.subscriptions = subscriptionsOf(round.topic)
    const { subscriptions, at } = round
    round.at = Math.min(at + Math.max(SLICE, Math.ceil(subscriptions.length * SLICE_PART)), subscriptions.length)
    for (const subscription of subscriptions.slice(at, round.at)) visit(subscription, round)
  }

  const visitSome = (): void => {
    const [round] = rounds.values()
    if (!round) return
    visitSlice(round)
    rounds.delete(round.topic)
    if (round.at < round.subscriptions.length) rounds.set(round.topic, round)
    else follow(round)
    flushConnections()
    if (rounds.size > 0) setImmediate(visitSome)
  }

  return {
    isUnderWay: topic => rounds.has(topic),

    add: (topic, message) => {
      const round = rounds.get(topic)
      if (round?.at === 0) round.messages.push(message)
      else if (round) round.late.push(message)
      else {
        rounds.set(topic, roundOf(topic, [message]))
        if (rounds.size === 1) setImmediate(visitSome)
      }
    },
  }
}
