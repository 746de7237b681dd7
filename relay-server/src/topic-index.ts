/** What a mailbox knows in memory: topics, their clients, and for each message all but its text. */
import { createExpiry } from './expiry.ts'
import type { Client, MailboxSize } from './mailbox.ts'
import type { Line } from './mailbox-record.ts'

/** The log holds a topic's messages in the order of publishing. */
export type Topic = { name: string; clients: Set<Client>; log: Entry[]; bytes: number }

/** A message without its text. `waiting` holds sockets, too; `size` is in bytes. */
export type Entry = Omit<Line, 'topic' | 'waiting'> & { seq: number; topic: Topic; waiting: Set<Client>; size: number }

export type TopicIndex = {
  /** The topic of that name, made if it is new. */
  topicOf: (name: string) => Topic
  find: (name: string) => Topic | undefined
  /** Adds a message at the end of its topic. */
  enter: (entry: Entry) => void
  /** Takes a message out. */
  leave: (entry: Entry) => void
  /** Adds a client to a topic. */
  enroll: (client: Client, topic: Topic) => void
  /** Takes a client off a topic. */
  strike: (client: Client, topic: Topic) => void
  /** How many topics a client has. */
  topicsOf: (client: Client) => number
  /** At most `limit` messages that have expired by `now`, each once. */
  takeExpired: (now: number, limit: number) => Entry[]
  size: () => MailboxSize
}

/** Index of the first message after `seq`. */
export const indexAfter = (log: readonly Entry[], seq: number): number => {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((log[middle]?.seq ?? Number.POSITIVE_INFINITY) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The message with that sequence number. */
export const entryAt = (topic: Topic, seq: number): Entry | undefined => {
  const entry = topic.log[indexAfter(topic.log, seq - 1)]
  return entry?.seq === seq ? entry : undefined
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
      const topic = topics.get(name) ?? { name, clients: new Set(), log: [], bytes: 0 }
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
      topic.log.splice(indexAfter(topic.log, seq - 1), 1)
      topic.bytes -= size
      messages -= 1
      bytes -= size
      expiry.remove(entry, entry.expiresAt)
      tidy(topic)
    },
    enroll: (client, topic) => {
      topic.clients.add(client)
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
