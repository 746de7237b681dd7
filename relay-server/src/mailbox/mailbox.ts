/**
 * The mailbox stores messages until their recipients acknowledge them. This interface states the relay's guarantees.
 *
 * A client is a did:key, or a random name for one socket. A recipient of a message is a client that subscribed to its
 * topic and has not unsubscribed, other than its publisher.
 */
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { DidKey } from '@heliograph/shared/wire/did-key'

/** A client: its authenticated key, or a random name that lasts as long as its socket. */
export type Client = DidKey | `socket:${string}`

/** True for a client with a key, which is the same across sockets. */
export const isNamed = (client: Client): boolean => !client.startsWith('socket:')

/** A message to store. `json` is its text as JSON with quotes, `size` bytes long. `ttl` is in seconds. */
export type Publication = {
  topic: string
  json: string
  size: number
  ttl: number
  tag: number
  attestation: string
}

/** A stored message. `seq` increases with each message. Times are Unix time in milliseconds. */
export type Message = Omit<Publication, 'ttl'> & {
  seq: number
  publisher: Client
  publishedAt: number
  expiresAt: number
}

/** A message without its text. */
export type Textless = Omit<Message, 'json'>

/**
 * Messages that become durable together, or are refused together: usually all that were accepted in one turn of the event
 * loop; with Redis those of one call. New messages of one write have one object in common. `durable` rejects with RpcError
 * -32002 if the store refuses them, and with Redis also with -32005 for an exceeded limit.
 */
export type Commit = { readonly durable: Promise<void> }

/** A new commit, durable when the other one is and the work has resolved. */
export const joined = ({ durable }: Commit, work: Promise<unknown>): Commit => ({
  durable: Promise.all([durable, work]).then(() => undefined),
})

/** `accepted` has the new messages, without repeats. With Redis it is empty until they are durable. */
export type Appended = { accepted: readonly Accepted[]; commit: Commit }

/** An accepted message. Its text is in the mailbox. `entry` is private to the mailbox. */
export type Accepted = Textless & { readonly entry: unknown }

/** Limits, each a configuration row. */
export type MailboxLimits = {
  topicMessages: number
  topicBytes: number
  topicClients: number
  clientTopics: number
  storeMessages: number
  storeBytes: number
  subscriptions: number
  /** Days of inactivity after which a client with a key is unsubscribed from a topic. */
  subscriptionDays: number
  /** The same in hours for a topic that has never had a message for the client. */
  unusedHours: number
}

/**
 * `active` is the number of topics used in the last hour, `oldestAt` the time of the oldest stored message. Both lag
 * a little and are missing at first.
 */
export type MailboxSize = {
  topics: number
  messages: number
  bytes: number
  subscriptions: number
  active?: number
  oldestAt?: number | undefined
}

export type Mailbox = {
  /**
   * Stores messages, all or none, each for its topic's recipients and, unless there are some and all have keys, for the first
   * other client that subscribes. A repeat of a stored message by the same client is ignored. Throws RpcError -32005 that names
   * the exceeded limit or share, and -32002 with the reason if the store is failing, or rejects the commit with it. The
   * messages are charged to `payers` until they are removed.
   */
  append: (publisher: Client, publications: readonly Publication[], payers?: Payers) => Appended
  /**
   * Marks an accepted message as announced, after its publisher was answered. Returns it if it is the next one of its topic.
   * Undefined if earlier ones are not announced yet or the message was removed: its recipients must then read the topic.
   */
  announce: (accepted: Accepted) => Accepted | undefined
  /**
   * The JSON text of an accepted message in UTF-8, valid until the next call of any method. Undefined if
   * the message was removed.
   */
  textOf: (accepted: Accepted) => Buffer | undefined
  /** Returns the value attached to a topic. */
  attached: (topic: string) => unknown
  /**
   * Attaches a value to a topic, replacing the previous one; undefined detaches it. The mailbox does not use the value. The
   * hub attaches its subscriptions, because a separate map would take more memory.
   */
  attach: (topic: string, what: unknown) => void
  /**
   * Makes the client a recipient of the topic, and of stored messages that wait for the first client. Resolves with the
   * last sequence number before the subscription, once that is durable (for a client with a key). Throws RpcError like
   * `append`. The subscription is charged to `payers`; a repeated one changes the payers without checking their share.
   */
  subscribe: (client: Client, topic: string, payers?: Payers) => Promise<number>
  /** Unsubscribes the client and removes messages that wait for no one else. */
  unsubscribe: (client: Client, topic: string) => Promise<void>
  /** Subscribed clients of a topic. */
  clients: (topic: string) => Promise<readonly Client[]>
  /** At most `limit` messages that wait for the client, in order, starting after `seq`. */
  read: (client: Client, topic: string, seq: number, limit: number) => Promise<readonly Message[]>
  /**
   * Acknowledges a message, which is then not delivered to the client again. Resolves when that is durable; while the
   * store is failing, a crash can undo it.
   */
  acknowledge: (client: Client, topic: string, seq: number) => Promise<void>
  /** Returns `acknowledge` for a client and a topic, with a cached lookup. */
  acknowledger: (client: Client, topic: string) => (seq: number) => Promise<void>
  /**
   * Removes expired messages and inactive clients. Called once a second; expired messages are not delivered in any
   * case.
   */
  sweep: () => Promise<void>
  /** The stored messages and subscriptions, as far as this server knows. */
  size: () => MailboxSize
  /** Ends the subscriptions of this server's sockets, where they would outlive it. */
  close: () => Promise<void>
}
