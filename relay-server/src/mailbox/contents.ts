/** The contents of a topic, as a transfer moves them from one kind of store to the other. */
import type { Client, Message } from './mailbox.ts'

/** A client with a key. `seenAt` is the Unix time of its last activity in ms. `isUsed` is true once a message was for it. */
export type StoredClient = { client: Client; seenAt: number; isUsed: boolean }

/** A message with the clients with a key that it waits for. `isOpen` is true if it also waits for the first other client. */
export type StoredMessage = Message & { isOpen: boolean; waiting: readonly Client[] }

/** A topic's clients, and its messages in order. */
export type TopicContents = {
  topic: string
  clients: readonly StoredClient[]
  messages: Iterable<StoredMessage> | AsyncIterable<StoredMessage>
}

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Milliseconds of inactivity until a client is unsubscribed, after it had a message and before. */
export type Patience = { subscriptionMs: number; unusedMs: number }

export const patienceOf = (limits: { subscriptionDays: number; unusedHours: number }): Patience => ({
  subscriptionMs: limits.subscriptionDays * DAY,
  unusedMs: limits.unusedHours * HOUR,
})

/** Milliseconds for which the account and the topics of an inactive client are kept. */
export const lifetimeOf = ({ subscriptionMs }: Patience): number => subscriptionMs + DAY
