/**
 * Messages on their way to the many subscriptions of a topic, of which each is visited once for all that came until then:
 * what is touched for one is in the processor's cache for all its messages, and they leave with one system call. Between
 * two slices of visits the event loop turns: many pushes hold up nobody's.
 */
import { flushConnections } from '@heliograph/shared/server/connection'
import type { Subscription } from './delivery.ts'
import type { Taken } from './mailbox/mailbox.ts'

/** A slice of visits: at least so many, and at least this part of those that a message takes. */
const SLICE = 16
const SLICE_PART = 1 / 32

/** All subscriptions of a topic, one after the other. */
type Round = {
  topic: string
  subscriptions: readonly Subscription[]
  /** The next to be visited. */
  at: number
  /** Those that all have at the end of this round. */
  messages: Taken[]
  /** Those that came in its course: they get another. */
  late: Taken[]
}

const roundOf = (topic: string, messages: Taken[]): Round => ({ topic, subscriptions: [], at: 0, messages, late: [] })

export type FanOutOptions = {
  subscriptionsOf: (topic: string) => readonly Subscription[]
  offer: (subscription: Subscription, message: Taken) => void
  onFault: (fault: unknown) => void
}

export type FanOut = {
  /** True while messages of the topic are on their way. What comes meanwhile has to follow them. */
  isUnderWay: (topic: string) => boolean
  /** Offers the message to all subscriptions of the topic, after those that are on their way. */
  add: (topic: string, message: Taken) => void
}

export const createFanOut = ({ subscriptionsOf, offer, onFault }: FanOutOptions): FanOut => {
  /** By their topics; the first in order is the next that has a slice. */
  const rounds = new Map<string, Round>()

  const visit = (subscription: Subscription, { messages, late }: Round): void => {
    try {
      for (const message of messages) offer(subscription, message)
      for (const message of late) offer(subscription, message)
    } catch (fault) {
      onFault(fault)
    }
  }

  /** The round after this one, if any message came in its course. */
  const follow = ({ topic, late }: Round): void => {
    if (late.length > 0) rounds.set(topic, roundOf(topic, late))
  }

  const visitSlice = (round: Round): void => {
    // Whoever comes later has no part in what came before.
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
