/** What a mailbox knows in memory: topics, what waits for whom there, and of each message all but its text. */
import { createExpiry } from './expiry.ts'
import type { Client, MailboxSize } from './mailbox.ts'

/**
 * The log holds a topic's messages in the order of publishing. Each client has the sequence numbers of what waits for
 * it, in the same order: most messages wait for one client or for none yet, and cost no more than that.
 */
export type Topic = { name: string; clients: Map<Client, number[]>; log: Entry[]; bytes: number }

/** A message without its text. */
export type Entry = {
  seq: number
  topic: Topic
  publisher: Client
  /** Milliseconds of Unix time. */
  expiresAt: number
  /** Tells most messages apart without reading them. */
  digest: number
  /** Bytes of the message. */
  size: number
  /** How many clients it waits for. */
  waiters: number
  /** It waits, too, for the first other client that comes. */
  isOpen: boolean
}

export type TopicIndex = {
  /** The topic of that name, made if it is new. */
  topicOf: (name: string) => Topic
  find: (name: string) => Topic | undefined
  /** Adds a message at the end of its topic. */
  enter: (entry: Entry) => void
  /** Takes a message out, whoever waits for it. */
  leave: (entry: Entry) => void
  /** Adds a client to a topic. */
  enroll: (client: Client, topic: Topic) => void
  /** Takes a client off a topic. Nothing waits for it there any more. */
  strike: (client: Client, topic: Topic) => void
  /** How many topics a client has. */
  topicsOf: (client: Client) => number
  /** At most `limit` messages that have expired by `now`, each once. */
  takeExpired: (now: number, limit: number) => Entry[]
  size: () => MailboxSize
}

/** Index of the first of `items`, which lie in order, whose number is above `seq`. */
const indexAfter = <T>(items: readonly T[], seq: number, numberOf: (item: T) => number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && numberOf(item) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

const seqOf = ({ seq }: Entry): number => seq
const same = (seq: number): number => seq

/** The message with that sequence number. */
export const entryAt = (topic: Topic, seq: number): Entry | undefined => {
  const entry = topic.log[indexAfter(topic.log, seq - 1, seqOf)]
  return entry?.seq === seq ? entry : undefined
}

/** Sequence numbers of what waits for the client after that one. */
export const waitingAfter = function* (topic: Topic, client: Client, seq: number): Generator<number> {
  const pending = topic.clients.get(client) ?? []
  for (let at = indexAfter(pending, seq, same); at < pending.length; at++) {
    const next = pending[at]
    if (next !== undefined) yield next
  }
}

/** True if the message waits for the client. */
export const isWaiting = ({ topic, seq }: Entry, client: Client): boolean => {
  const pending = topic.clients.get(client) ?? []
  return pending[indexAfter(pending, seq - 1, same)] === seq
}

/** The clients the message waits for. */
export const waitersOf = (entry: Entry): Client[] =>
  entry.waiters === 0 ? [] : [...entry.topic.clients.keys()].filter(client => isWaiting(entry, client))

/** Makes the message wait for a client of its topic. */
export const awaitClient = (entry: Entry, client: Client): void => {
  const pending = entry.topic.clients.get(client)
  if (!pending || isWaiting(entry, client)) return
  pending.splice(indexAfter(pending, entry.seq, same), 0, entry.seq)
  entry.waiters += 1
}

/** Makes the message wait for the client no more. Returns whether it did. */
export const releaseClient = (entry: Entry, client: Client): boolean => {
  const pending = entry.topic.clients.get(client)
  if (!pending || !isWaiting(entry, client)) return false
  pending.splice(indexAfter(pending, entry.seq - 1, same), 1)
  entry.waiters -= 1
  return true
}

export const createTopicIndex = (startedAt: number): TopicIndex => {
  const topics = new Map<string, Topic>()
  const topicCounts = new Map<Client, number>()
  const expiry = createExpiry<Entry>(startedAt)
  let messages = 0
  let bytes = 0

  const tidy = ({ name, clients, log }: Topic): void => {
    if (clients.size === 0 && log.length === 0) topics.delete(name)
  }

  return {
    topicOf: name => {
      const topic = topics.get(name) ?? { name, clients: new Map(), log: [], bytes: 0 }
      topics.set(name, topic)
      return topic
    },
    find: name => topics.get(name),
    enter: entry => {
      entry.topic.log.push(entry)
      entry.topic.bytes += entry.size
      messages += 1
      bytes += entry.size
      expiry.add(entry, entry.expiresAt)
    },
    leave: entry => {
      const { topic, seq, size } = entry
      for (const client of waitersOf(entry)) releaseClient(entry, client)
      topic.log.splice(indexAfter(topic.log, seq - 1, seqOf), 1)
      topic.bytes -= size
      messages -= 1
      bytes -= size
      expiry.remove(entry, entry.expiresAt)
      tidy(topic)
    },
    enroll: (client, topic) => {
      topic.clients.set(client, [])
      topicCounts.set(client, (topicCounts.get(client) ?? 0) + 1)
    },
    strike: (client, topic) => {
      if (!topic.clients.delete(client)) return
      const count = (topicCounts.get(client) ?? 0) - 1
      if (count > 0) topicCounts.set(client, count)
      else topicCounts.delete(client)
      tidy(topic)
    },
    topicsOf: client => topicCounts.get(client) ?? 0,
    takeExpired: expiry.take,
    size: () => ({ topics: topics.size, messages, bytes }),
  }
}
