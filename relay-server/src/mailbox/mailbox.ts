/**
 * The mailbox: who waits for which message. The relay's promise to its clients is kept here, whatever the store is.
 *
 * A client is a did:key, or a name made for one socket. A recipient of a message is a client that subscribed to its
 * topic and has not unsubscribed, other than its publisher.
 */
import type { Payers } from '@heliograph/shared/server/shares'
import type { DidKey } from '@heliograph/shared/wire/did-key'

/** A client: the key it proved, or, without a proof, a name that lives as long as its socket. */
export type Client = DidKey | `socket:${string}`

/** True for a client that is the same on another socket. */
export const isNamed = (client: Client): boolean => !client.startsWith('socket:')

/** What a client asks to store. `message` is its JSON text, quotes included, of `size` bytes; `ttl` is in seconds. */
export type Publication = {
  topic: string
  message: string
  size: number
  ttl: number
  tag: number
  attestation: string
}

/** A stored message. `seq` grows from message to message; times are in milliseconds of Unix time. */
export type Message = Omit<Publication, 'ttl'> & {
  seq: number
  publisher: Client
  publishedAt: number
  expiresAt: number
}

/** All of a message but its text. */
export type Textless = Omit<Message, 'message'>

/**
 * `safe` resolves when what was taken in survives the end of the process, or rejects with RpcError -32002 when the store
 * does not take it; it is one promise for all that is stored together, and no other. `taken` has, for each
 * publication, the new message, or undefined for one that repeats another.
 */
export type Appended = { taken: readonly (Taken | undefined)[]; safe: Promise<void> }

/** A message that was taken in, whose text the mailbox has. `entry` is its own. */
export type Taken = Textless & { readonly entry: unknown }

/** Bounds, each a configuration row. */
export type MailboxLimits = {
  topicMessages: number
  topicBytes: number
  topicClients: number
  clientTopics: number
  storeMessages: number
  storeBytes: number
  subscriptions: number
  /** Days after which a named client that has not come to a topic is taken off it. */
  subscriptionDays: number
  /** Hours after which it is taken off a topic that has never had a message for it. */
  unusedHours: number
}

/**
 * `active` counts the topics that were used in the last hour, `oldestAt` is when the oldest message that waits was
 * published. Both are a little late, and absent until they are known.
 */
export type MailboxSize = {
  topics: number
  messages: number
  bytes: number
  subscriptions: number
  active?: number
  oldestAt?: number | undefined
}

/**
 * Hears that a topic has something new: the message that is the next one of the topic; without it, what is new may have
 * come with others, or to another process, and is to be looked for.
 */
export type Listener = (topic: string, message?: Taken) => void

export type Mailbox = {
  /**
   * Takes messages in, all or none, each for its topic's recipients or, if there is none, for the first other client that
   * subscribes. The same text by the same client is not taken again while it waits. Throws RpcError -32005 that names
   * the bound or the share it would break, -32002 that says why the store takes nothing. The messages are charged to
   * `payers` until they leave.
   */
  append: (publisher: Client, publications: readonly Publication[], payers?: Payers) => Appended
  /** Tells every listener of a message that was taken in. The publisher has its answer by then. */
  announce: (taken: Taken) => void
  /**
   * The text of a message that was taken in, its JSON in UTF-8, good until the mailbox does anything else; undefined once
   * the message has gone.
   */
  textOf: (taken: Taken) => Buffer | undefined
  /** Hears of every announcement, by this process or another. */
  listen: (listener: Listener) => void
  /** What is attached to a topic; undefined if nothing is. */
  attached: (topic: string) => unknown
  /**
   * Attaches something to a topic, in place of what was; undefined detaches it. The mailbox does not look into it. The
   * listener keeps its subscriptions there, because a map of its own would take more memory.
   */
  attach: (topic: string, what: unknown) => void
  /**
   * Makes the client a recipient of the topic, and of what waits there for the first one to come. Resolves when that
   * survives the end of the process, for a named client, with the number of the last message before it. Throws RpcError
   * as `append`. The subscription is charged to `payers`; a client that comes again is charged anew, whatever its share.
   */
  subscribe: (client: Client, topic: string, payers?: Payers) => Promise<number>
  /** Takes the client off the topic, and what waits for nobody else out of the store. */
  unsubscribe: (client: Client, topic: string) => Promise<void>
  /** The clients of a topic: who is a recipient of what is published there. */
  clients: (topic: string) => Iterable<Client>
  /** At most `limit` messages of the topic that wait for the client, in order, from the first one after `seq`. */
  read: (client: Client, topic: string, seq: number, limit: number) => Promise<readonly Message[]>
  /**
   * The client has the message. It is not handed to it again; after a crash neither, once this has resolved, unless the
   * store takes no writes.
   */
  acknowledge: (client: Client, topic: string, seq: number) => Promise<void>
  /** `acknowledge` for a client and a topic, which are looked up once. */
  acknowledger: (client: Client, topic: string) => (seq: number) => Promise<void>
  /**
   * Gives back the room of what has expired and of clients that do not come any more; called once a second. Expired
   * messages are not handed out in any case.
   */
  sweep: () => void
  size: () => MailboxSize
}
