/** All topics of a mailbox, their totals, and the expiry of their messages. */
import { NOBODY, type Payers, type Shares } from '@heliograph/shared/server/limits/shares'
import { NOWHERE } from '@heliograph/shared/server/storage/blocks'
import { createExpiry } from './expiry.ts'
import { type Inbox, inboxOf, putInbox, removeInbox } from './inboxes.ts'
import type { Client, MailboxSize } from './mailbox.ts'
import { indexAfter, NO_NUMBERS } from './sequence-numbers.ts'
import { countClient, countEntry, type Entry, NO_ENTRIES, seqOf, type Topic, toSeconds } from './topic.ts'
import { releaseClient, waitersOf } from './waiters.ts'

export type TopicIndex = {
  /** Returns the topic with that name, creating it if needed. */
  topicOf: (name: string) => Topic
  find: (name: string) => Topic | undefined
  /** Iterates over all topics. May or may not include topics added or removed meanwhile. */
  all: () => IterableIterator<Topic>
  enter: (entry: Entry) => void
  /** Removes a message, with or without pending recipients. */
  leave: (entry: Entry) => void
  /** Adds a client. `since` is the last sequence number before its subscription, `seenAt` is Unix time in ms. */
  enroll: (client: Client, topic: Topic, since: number, seenAt: number, payers?: Payers) => Inbox
  /** Changes the payers of a subscription to the topic. */
  charge: (topic: Topic, inbox: Inbox, payers: Payers) => void
  /** Removes a client. No message of the topic may wait for it any more. */
  strike: (client: Client, topic: Topic) => void
  /** Returns the number of topics to which a client is subscribed. */
  topicsOf: (client: Client) => number
  /** See `Mailbox.attach`. */
  attach: (name: string, what: unknown) => void
  /** Removes topics without clients, messages and attachments. */
  prune: () => void
  /** Returns at most `limit` messages that expired by `now`. They stay until removed. */
  expired: (now: number, limit: number) => Entry[]
  /**
   * Returns at most `limit` topics, which follow the topics of the previous call. Starts again after the last topic.
   */
  walk: (limit: number) => readonly Topic[]
  totals: Readonly<Totals>
  size: () => MailboxSize
}

/** Sums over all topics. */
export type Totals = { messages: number; bytes: number; subscriptions: number }

export const createTopicIndex = (startedAt: number, shares: Shares): TopicIndex => {
  const topics = new Map<string, Topic>()
  const topicCounts = new Map<Client, number>()
  const expiry = createExpiry<Entry>(startedAt)
  const totals: Totals = { messages: 0, bytes: 0, subscriptions: 0 }
  let walker = topics.values()

  const tidy = ({ name, inboxes, entries, attached }: Topic): void => {
    if (inboxes === undefined && entries.length === 0 && attached === undefined) topics.delete(name)
  }

  const create = (name: string): Topic => {
    const topic: Topic = {
      name,
      inboxes: undefined,
      entries: NO_ENTRIES,
      bytes: 0,
      crowd: undefined,
      unannounced: NO_NUMBERS,
      attached: undefined,
      usedAt: 0,
    }
    topics.set(name, topic)
    return topic
  }

  const topicOf = (name: string): Topic => topics.get(name) ?? create(name)

  return {
    topicOf,
    find: name => topics.get(name),
    all: () => topics.values(),
    enter: entry => {
      const { entries } = entry.topic
      if (entries.length === 0) entry.topic.entries = [entry]
      else if ((entries.at(-1)?.seq ?? 0) < entry.seq) entries.push(entry)
      else entries.splice(indexAfter(entries, entry.seq, seqOf), 0, entry)
      entry.topic.bytes += entry.size
      totals.messages += 1
      totals.bytes += entry.size
      shares.take(entry.payers, 'messages', 1)
      shares.take(entry.payers, 'bytes', entry.size)
      countEntry(entry, 1)
      expiry.add(entry)
    },
    leave: entry => {
      const { topic, seq, size } = entry
      for (const client of waitersOf(entry)) releaseClient(entry, client)
      if (topic.entries.length === 1) topic.entries = NO_ENTRIES
      else if (topic.entries[0] === entry) topic.entries.shift()
      else topic.entries.splice(indexAfter(topic.entries, seq - 1, seqOf), 1)
      topic.bytes -= size
      totals.messages -= 1
      totals.bytes -= size
      shares.give(entry.payers, 'messages', 1)
      shares.give(entry.payers, 'bytes', size)
      countEntry(entry, -1)
      expiry.remove(entry)
      tidy(topic)
    },
    enroll: (client, topic, since, seenAt, payers = NOBODY) => {
      const inbox: Inbox = {
        client,
        since,
        seenAt: toSeconds(seenAt),
        waiting: NO_NUMBERS,
        block: NOWHERE,
        at: 0,
        length: 0,
        state: 'unused',
        payers,
      }
      putInbox(topic, inbox)
      countClient(topic, payers, 1)
      totals.subscriptions += 1
      shares.take(payers, 'subscriptions', 1)
      topicCounts.set(client, (topicCounts.get(client) ?? 0) + 1)
      return inbox
    },
    charge: (topic, inbox, payers) => {
      if (payers === inbox.payers) return
      countClient(topic, payers, 1)
      countClient(topic, inbox.payers, -1)
      shares.take(payers, 'subscriptions', 1)
      shares.give(inbox.payers, 'subscriptions', 1)
      inbox.payers = payers
    },
    strike: (client, topic) => {
      const inbox = inboxOf(topic, client)
      if (!inbox) return
      inbox.state = 'over'
      removeInbox(topic, client)
      countClient(topic, inbox.payers, -1)
      totals.subscriptions -= 1
      shares.give(inbox.payers, 'subscriptions', 1)
      const count = (topicCounts.get(client) ?? 0) - 1
      if (count > 0) topicCounts.set(client, count)
      else topicCounts.delete(client)
      tidy(topic)
    },
    attach: (name, what) => {
      const topic = topicOf(name)
      topic.attached = what
      tidy(topic)
    },
    prune: () => {
      for (const topic of topics.values()) tidy(topic)
    },
    topicsOf: client => topicCounts.get(client) ?? 0,
    expired: expiry.expired,
    walk: limit => {
      const walked: Topic[] = []
      // The iterator is replaced, because a suspended iterator keeps removed topics in memory.
      if (topics.size === 0) walker = topics.values()
      while (walked.length < Math.min(limit, topics.size)) {
        const { value, done } = walker.next()
        if (done) walker = topics.values()
        else walked.push(value)
      }
      return walked
    },
    totals,
    size: () => ({ topics: topics.size, ...totals }),
  }
}
