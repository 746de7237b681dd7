/**
 * The mailbox stores messages until their recipients acknowledge them. This interface states the relay's guarantees.
 *
 * A client is a did:key, or a random name for one socket. A recipient of a message is a client that subscribed to its
 * topic and has not unsubscribed, other than its publisher.
 */
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { DidKey } from '@heliograph/shared/wire/did-key'

/** A client's authenticated key, or a random name that lasts as long as its socket. */
export type Client = DidKey | `socket:${string}`

/** True for a client with a key, which is the same across sockets. */
export const isNamed = (client: Client): boolean => !client.startsWith('socket:')

/**
 * A message to store. `json` is its text as a JSON string with quotes, `size` its length in bytes. `ttl` is in seconds.
 */
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
 * Messages that become durable together or are refused together: usually all messages accepted in one turn of the event
 * loop, or with Redis the messages of one call. They share one object. `durable` rejects with RpcError -32002 if the
 * store refuses them, and with Redis also with -32005 for an exceeded limit.
 */
export type Commit = { readonly durable: Promise<void> }

/** Returns a commit that is durable once the given commit is and the work has resolved. */
export const joined = ({ durable }: Commit, work: Promise<unknown>): Commit => ({
  durable: Promise.all([durable, work]).then(() => undefined),
})

/** `accepted` has the new messages, without repeats. With Redis it is empty until they are durable. */
export type Appended = { accepted: readonly Accepted[]; commit: Commit }

/** An accepted message. Its text stays in the mailbox. `entry` is private to the mailbox. */
export type Accepted = Textless & { readonly entry: unknown }

/** Limits, each of which is a setting. */
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
  /**
   * Hours of inactivity after which a client with a key is unsubscribed from a topic that has never had a message for
   * the client.
   */
  unusedHours: number
}

/**
 * `active` is the number of topics used in the last hour, `oldestAt` the Unix time in ms at which the oldest stored
 * message was published. Both lag a little and are missing at first.
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
   * Stores messages, all or none, for the recipients of their topics. If a topic has no recipient, or a recipient
   * without a key, the first other client that subscribes also gets the message. Ignores a repeat of a stored message
   * by the same client.
   *
   * The messages are charged to `payers` until they are removed. Throws RpcError -32005, which names the exceeded limit
   * or share. Throws RpcError -32002 with the reason if the store is failing, or rejects the commit with it.
   */
  append: (publisher: Client, publications: readonly Publication[], payers?: Payers) => Appended
  /**
   * Marks an accepted message as announced, after its publisher was answered. Returns the message if it is the next one
   * of its topic. Returns undefined if earlier messages are not announced yet, or if the message was removed. The
   * recipients must then read the topic.
   */
  announce: (accepted: Accepted) => Accepted | undefined
  /**
   * Returns an accepted message's JSON text in UTF-8, valid until the next call of any method. Returns undefined if the
   * message was removed.
   */
  textOf: (accepted: Accepted) => Buffer | undefined
  /** Returns the value attached to a topic. */
  attached: (topic: string) => unknown
  /**
   * Attaches a value to a topic, replacing the previous one; undefined detaches it. The mailbox does not use the value.
   * The hub attaches its subscriptions, because a separate map would take more memory.
   */
  attach: (topic: string, what: unknown) => void
  /**
   * Makes the client a recipient of the topic, and of stored messages that the next subscriber gets. Resolves with the
   * last sequence number before the subscription. For a client with a key, the subscription is then durable. Throws
   * RpcError like `append`. The subscription is charged to `payers`; repeating it changes the payers without checking
   * their share.
   */
  subscribe: (client: Client, topic: string, payers?: Payers) => Promise<number>
  /** Unsubscribes the client, and removes messages that wait for no other client. */
  unsubscribe: (client: Client, topic: string) => Promise<void>
  /** Returns the subscribed clients of a topic. */
  clients: (topic: string) => Promise<readonly Client[]>
  /** Returns at most `limit` messages that wait for the client, in order, starting after `seq`. */
  read: (client: Client, topic: string, seq: number, limit: number) => Promise<readonly Message[]>
  /**
   * Acknowledges a message, which is then not delivered to the client again. Resolves when the acknowledgement is
   * durable. While the store is failing, a crash can undo it.
   */
  acknowledge: (client: Client, topic: string, seq: number) => Promise<void>
  /** Returns `acknowledge` for a client and a topic, which looks the two up only once. */
  acknowledger: (client: Client, topic: string) => (seq: number) => Promise<void>
  /**
   * Removes expired messages and inactive clients. Called once a second; expired messages are not delivered in any
   * case.
   */
  sweep: () => Promise<void>
  /** Returns the numbers of stored topics, messages and subscriptions, as far as this server knows them. */
  size: () => MailboxSize
  /** Ends the subscriptions of this server's sockets if the store would keep them after the server exits. */
  close: () => Promise<void>
}
