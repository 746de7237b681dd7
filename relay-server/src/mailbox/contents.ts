/** The contents of a topic, as a transfer moves them from one kind of store to the other. */
import type { Client, Message } from './mailbox.ts'

/**
 * A client with a key. `seenAt` is the Unix time of its last activity in ms. `isUsed` is true once it has had a
 * message.
 */
export type StoredClient = { client: Client; seenAt: number; isUsed: boolean }

/**
 * A message, and the clients with a key that have not acknowledged it. `isOpen` is true while the next client that
 * subscribes (except the publisher) also gets the message.
 */
export type StoredMessage = Message & { isOpen: boolean; waiting: readonly Client[] }

/** A topic's clients, and its messages in the order of publishing. */
export type TopicContents = {
  topic: string
  clients: readonly StoredClient[]
  messages: Iterable<StoredMessage> | AsyncIterable<StoredMessage>
}

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/**
 * Milliseconds of inactivity until a client is unsubscribed: if it has had a message on the topic, and if it has not.
 */
export type Patience = { subscriptionMs: number; unusedMs: number }

export const patienceOf = (limits: { subscriptionDays: number; unusedHours: number }): Patience => ({
  subscriptionMs: limits.subscriptionDays * DAY,
  unusedMs: limits.unusedHours * HOUR,
})

/** Milliseconds for which the account and the topics of an inactive client are kept. */
export const lifetimeOf = ({ subscriptionMs }: Patience): number => subscriptionMs + DAY
