/** What a mailbox knows in memory: topics, what waits for whom there, and of each message all but its text. */
import { NOBODY, type Payers, type Shares } from '@heliograph/shared/server/shares'
import { NOWHERE, type Place } from '@heliograph/shared/server/storage/log'
import { createExpiry, type Expiring } from './expiry.ts'
import { type Inboxes, inboxesOf, inboxOf, putInbox, removeInbox } from './inboxes.ts'
import { type Client, isNamed, type MailboxSize } from './mailbox.ts'
import { hasNumber, indexAfter, NO_NUMBERS, same, withNumber, withoutNumber } from './sequence-numbers.ts'

/**
 * What waits for a client on a topic, in order. `since` is the last message taken before it came, `seenAt` when it was
 * last known to care, in seconds of Unix time. It is over when the client has been taken off the topic: if it comes
 * again, it gets another.
 */
export type Inbox = Place & {
  client: Client
  since: number
  seenAt: number
  waiting: number[]
  isOver: boolean
  /** A message has waited in it; `isNoted` tells that this is stored. */
  isUsed: boolean
  isNoted: boolean
  payers: Payers
}

/**
 * The log holds a topic's messages in the order of publishing. Each client has the sequence numbers of what waits for
 * it, in the same order: most messages wait for one client or for none yet, and cost no more than that.
 */
export type Topic = {
  name: string
  inboxes: Inboxes
  log: Entry[]
  bytes: number
  /** Sequence numbers of what its listeners have not been told of, in order. */
  unannounced: number[]
  /** When it was last published or subscribed to, in seconds of Unix time; 0 if not since the start. */
  usedAt: number
}

/** A message without its text. */
export type Entry = Expiring &
  Place & {
    seq: number
    topic: Topic
    publisher: Client
    payers: Payers
    /** Tells most messages apart without reading them, and those that it does not, once they are: see repeats.ts. */
    start: number
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
  /** All topics; one that comes or goes meanwhile may be among them or not. */
  all: () => IterableIterator<Topic>
  /** Adds a message to its topic. */
  enter: (entry: Entry) => void
  /** Takes a message out, whoever waits for it. */
  leave: (entry: Entry) => void
  /** Adds a client to a topic; `since` is the last message that it does not wait for, `seenAt` in ms of Unix time. */
  enroll: (client: Client, topic: Topic, since: number, seenAt: number, payers?: Payers) => Inbox
  /** Charges a client's place on a topic to others than before. */
  charge: (inbox: Inbox, payers: Payers) => void
  /** Takes a client off a topic. Nothing waits for it there any more. */
  strike: (client: Client, topic: Topic) => void
  /** How many topics a client has. */
  topicsOf: (client: Client) => number
  /** Removes topics that have neither clients nor messages. */
  prune: () => void
  /** At most `limit` messages that have expired by `now`. They stay until they leave. */
  expired: (now: number, limit: number) => Entry[]
  /** The next of all topics, at most so many; after the last the first again. */
  walk: (limit: number) => readonly Topic[]
  totals: Readonly<Totals>
  size: () => MailboxSize
}

/** What all topics have together. */
export type Totals = { messages: number; bytes: number; subscriptions: number }

/** The log of all topics without messages. */
const NO_ENTRIES: Entry[] = []
Object.freeze(NO_ENTRIES)

const seqOf = ({ seq }: Entry): number => seq
/** Milliseconds as whole seconds, which are small numbers to V8. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** The message with that sequence number. */
export const entryAt = ({ log }: Topic, seq: number): Entry | undefined => {
  const entry = log[0]?.seq === seq ? log[0] : log[indexAfter(log, seq - 1, seqOf)]
  return entry?.seq === seq ? entry : undefined
}

/** Sequence numbers of what waits for the client after that one. */
export const waitingAfter = function* (topic: Topic, client: Client, seq: number): Generator<number> {
  const waiting = inboxOf(topic, client)?.waiting ?? NO_NUMBERS
  for (let at = indexAfter(waiting, seq, same); at < waiting.length; at++) {
    const next = waiting[at]
    if (next !== undefined) yield next
  }
}

const waitersAmong = (entry: Entry, suits: (client: Client) => boolean): Client[] => {
  const clients: Client[] = []
  if (entry.waiters === 0) return clients
  for (const { client, waiting } of inboxesOf(entry.topic))
    if (suits(client) && hasNumber(waiting, entry.seq)) clients.push(client)
  return clients
}

/** The clients the message waits for. */
export const waitersOf = (entry: Entry): Client[] => waitersAmong(entry, () => true)

/** Those of them that have a name. Most of the many that a topic may have are often sockets, of which each costs little. */
export const namedWaitersOf = (entry: Entry): Client[] => waitersAmong(entry, isNamed)

const putIn = (inbox: Inbox, entry: Entry): void => {
  inbox.waiting = withNumber(inbox.waiting, entry.seq)
  inbox.isUsed = true
  entry.waiters += 1
}

/** Makes the message wait for a client of its topic. */
export const awaitClient = (entry: Entry, client: Client): void => {
  const inbox = inboxOf(entry.topic, client)
  if (inbox && !hasNumber(inbox.waiting, entry.seq)) putIn(inbox, entry)
}

/**
 * Makes the message wait for all clients of its topic that came before it, but its publisher. Returns how many of them
 * have a name.
 */
export const awaitAll = (entry: Entry): number => {
  let named = 0
  if (entry.topic.inboxes === undefined) return named
  for (const inbox of inboxesOf(entry.topic)) {
    if (inbox.client === entry.publisher || inbox.since >= entry.seq) continue
    putIn(inbox, entry)
    if (isNamed(inbox.client)) named += 1
  }
  return named
}

/** Makes the message wait no more for the client whose inbox that is. Returns whether it did. */
export const releaseFrom = (entry: Entry, inbox: Inbox): boolean => {
  if (!hasNumber(inbox.waiting, entry.seq)) return false
  inbox.waiting = withoutNumber(inbox.waiting, entry.seq)
  entry.waiters -= 1
  return true
}

/** Makes the message wait for the client no more. Returns whether it did. */
export const releaseClient = (entry: Entry, client: Client): boolean => {
  const inbox = inboxOf(entry.topic, client)
  return inbox !== undefined && releaseFrom(entry, inbox)
}

/** Notes that listeners are told of the message now. Returns whether they know of all that came before it. */
export const takeAnnounced = (topic: Topic, seq: number): boolean => {
  const isNext = topic.unannounced[0] === seq
  if (isNext || hasNumber(topic.unannounced, seq)) topic.unannounced = withoutNumber(topic.unannounced, seq)
  return isNext
}

export const createTopicIndex = (startedAt: number, shares: Shares): TopicIndex => {
  const topics = new Map<string, Topic>()
  const topicCounts = new Map<Client, number>()
  const expiry = createExpiry<Entry>(startedAt)
  const totals: Totals = { messages: 0, bytes: 0, subscriptions: 0 }
  let walker = topics.values()

  const tidy = ({ name, inboxes, log }: Topic): void => {
    if (inboxes === undefined && log.length === 0) topics.delete(name)
  }

  const create = (name: string): Topic => {
    const topic: Topic = {
      name,
      inboxes: undefined,
      log: NO_ENTRIES,
      bytes: 0,
      unannounced: NO_NUMBERS,
      usedAt: 0,
    }
    topics.set(name, topic)
    return topic
  }

  return {
    topicOf: name => topics.get(name) ?? create(name),
    find: name => topics.get(name),
    all: () => topics.values(),
    enter: entry => {
      const { log } = entry.topic
      if (log.length === 0) entry.topic.log = [entry]
      else if ((log.at(-1)?.seq ?? 0) < entry.seq) log.push(entry)
      else log.splice(indexAfter(log, entry.seq, seqOf), 0, entry)
      entry.topic.bytes += entry.size
      totals.messages += 1
      totals.bytes += entry.size
      shares.take(entry.payers, 'messages', 1)
      shares.take(entry.payers, 'bytes', entry.size)
      expiry.add(entry)
    },
    leave: entry => {
      const { topic, seq, size } = entry
      for (const client of waitersOf(entry)) releaseClient(entry, client)
      if (topic.log.length === 1) topic.log = NO_ENTRIES
      else if (topic.log[0] === entry) topic.log.shift()
      else topic.log.splice(indexAfter(topic.log, seq - 1, seqOf), 1)
      topic.bytes -= size
      totals.messages -= 1
      totals.bytes -= size
      shares.give(entry.payers, 'messages', 1)
      shares.give(entry.payers, 'bytes', size)
      expiry.remove(entry)
      tidy(topic)
    },
    enroll: (client, topic, since, seenAt, payers = NOBODY) => {
      const inbox: Inbox = {
        client,
        since,
        seenAt: toSeconds(seenAt),
        waiting: NO_NUMBERS,
        isOver: false,
        block: NOWHERE,
        at: 0,
        length: 0,
        isUsed: false,
        isNoted: false,
        payers,
      }
      putInbox(topic, inbox)
      totals.subscriptions += 1
      shares.take(payers, 'subscriptions', 1)
      topicCounts.set(client, (topicCounts.get(client) ?? 0) + 1)
      return inbox
    },
    charge: (inbox, payers) => {
      if (payers === inbox.payers) return
      shares.take(payers, 'subscriptions', 1)
      shares.give(inbox.payers, 'subscriptions', 1)
      inbox.payers = payers
    },
    strike: (client, topic) => {
      const inbox = inboxOf(topic, client)
      if (!inbox) return
      inbox.isOver = true
      removeInbox(topic, client)
      totals.subscriptions -= 1
      shares.give(inbox.payers, 'subscriptions', 1)
      const count = (topicCounts.get(client) ?? 0) - 1
      if (count > 0) topicCounts.set(client, count)
      else topicCounts.delete(client)
      tidy(topic)
    },
    prune: () => {
      for (const topic of topics.values()) tidy(topic)
    },
    topicsOf: client => topicCounts.get(client) ?? 0,
    expired: expiry.expired,
    walk: limit => {
      const walked: Topic[] = []
      // An iterator that nobody uses would keep all that has gone.
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
