/**
 * The mailbox of one process. Messages lie in LMDB in the order of their arrival, which it writes fastest; who waits for
 * what, the order of each topic and the expiry index are in memory, and read back from the records at start-up.
 */
import { hash } from 'node:crypto'
import { rpcError } from '@heliograph/shared/errors'
import type { Logger } from '@heliograph/shared/server/log'
import type { Store, Write } from '@heliograph/shared/server/store'
import { type Client, isNamed, type Mailbox, type MailboxLimits, type Message, type Publication } from './mailbox.ts'
import { decodeLine, decodeMessage, encodeRecord, type Line } from './mailbox-record.ts'
import { createRecent } from './recent.ts'
import {
  awaitClient,
  createTopicIndex,
  type Entry,
  entryAt,
  isWaiting,
  releaseClient,
  type Topic,
  waitersOf,
  waitingAfter,
} from './topic-index.ts'

/** Characters of messages kept in memory besides the store. */
const RECENT_CHARACTERS = 16 * 1024 * 1024
/** Messages that one sweep takes out; more wait for the next. */
const SWEEP_MESSAGES = 10_000

export type LmdbMailboxOptions = {
  store: Store
  limits: MailboxLimits
  log: Logger
  /** Milliseconds of Unix time. */
  now?: () => number
}

/** A message that is not safe yet, in memory and as it will be stored. */
type Taken = { entry: Entry; message: Message }

/** The first 30 bits of the hash of a message, as a number that costs no memory of its own. */
const digestOf = (message: string): number => hash('sha256', message, 'buffer').readUInt32BE(0) >>> 2

const lineOf = (entry: Entry): Line => ({
  topic: entry.topic.name,
  publisher: entry.publisher,
  waiting: waitersOf(entry).filter(isNamed),
  isOpen: entry.isOpen,
  expiresAt: entry.expiresAt,
  digest: entry.digest,
})

/** Reads the store back and opens the mailbox on it. */
export const openLmdbMailbox = ({ store, limits, log, now = Date.now }: LmdbMailboxOptions): Mailbox => {
  const records = store.table<Buffer, number>('messages', 'binary')
  const subscriptions = store.table<true, [topic: string, client: Client]>('subscriptions', 'msgpack')
  const index = createTopicIndex(now())
  const listeners: ((topic: string) => void)[] = []
  /** Sequence numbers: of the last message taken, and of the last that is safe, up to which messages are handed out. */
  let lastTaken = 0
  let lastSafe = 0
  /** The commits of messages that are not safe yet. */
  const commits = new Map<number, Promise<void>>()
  const recent = createRecent(RECENT_CHARACTERS, seq => seq <= lastSafe)

  const durable = async (writes: readonly Write[]): Promise<void> => {
    try {
      await store.write(writes)
    } catch (err) {
      log.error({ err }, 'the store does not take writes')
      throw rpcError('resourceUnavailable', 'the store does not take writes')
    }
  }

  const messageOf = ({ seq }: Entry): Message => {
    const kept = recent.get(seq)
    if (kept) return kept
    const bytes = records.get(seq)
    if (!bytes) throw new Error(`message ${seq} is not in the store`)
    return decodeMessage(seq, bytes)
  }

  const put =
    (entry: Entry, message: Message): Write =>
    () =>
      records.put(entry.seq, encodeRecord(lineOf(entry), message))

  const drop = (entry: Entry): Write => {
    index.leave(entry)
    recent.remove(entry.seq)
    return () => records.remove(entry.seq)
  }

  /** The write after a change of who waits. */
  const settle = (entry: Entry): Write =>
    entry.waiters > 0 || entry.isOpen ? put(entry, messageOf(entry)) : drop(entry)

  /** What waits for the first to come is a named client's alone once that comes; those without a name share it. */
  const claim = (client: Client, entry: Entry): Write[] => {
    if (!entry.isOpen || entry.publisher === client) return []
    if (!isNamed(client)) {
      awaitClient(entry, client)
      return []
    }
    if (waitersOf(entry).some(isNamed)) return []
    awaitClient(entry, client)
    entry.isOpen = false
    return [settle(entry)]
  }

  /** The client waits for the message no more. */
  const release = (client: Client, entry: Entry): Write[] => {
    if (!releaseClient(entry, client)) return []
    return isNamed(client) || (entry.waiters === 0 && !entry.isOpen) ? [settle(entry)] : []
  }

  /** The message that is kept already, if this is one of those. */
  const repeatOf = ({ topic, publisher, message }: Publication, digest: number): Entry | undefined =>
    index
      .find(topic)
      ?.log.find(
        entry =>
          entry.digest === digest &&
          entry.publisher === publisher &&
          entry.expiresAt > now() &&
          messageOf(entry).message === message,
      )

  const refuseFull = (topic: Topic | undefined, size: number): void => {
    const { topicMessages, topicBytes } = limits
    if ((topic?.log.length ?? 0) >= topicMessages)
      throw rpcError('limitExceeded', `a topic holds at most ${topicMessages} messages (topic-messages)`)
    if ((topic?.bytes ?? 0) + size > topicBytes)
      throw rpcError('limitExceeded', `a topic holds at most ${topicBytes} bytes (topic-bytes)`)
  }

  const refuseCrowd = (client: Client, topic: Topic | undefined): void => {
    const { topicClients, clientTopics } = limits
    if ((topic?.clients.size ?? 0) >= topicClients)
      throw rpcError('limitExceeded', `a topic has at most ${topicClients} clients (topic-clients)`)
    if (index.topicsOf(client) >= clientTopics)
      throw rpcError('limitExceeded', `a client has at most ${clientTopics} topics (client-topics)`)
  }

  /** A new message waits for those who listen to the topic, and for the first to come if one of them may not return. */
  const enter = (entry: Entry): void => {
    index.enter(entry)
    for (const client of entry.topic.clients.keys()) if (client !== entry.publisher) awaitClient(entry, client)
    entry.isOpen = entry.waiters === 0 || !waitersOf(entry).every(isNamed)
  }

  /** Gives a message its place, in memory only. */
  const take = ({ topic: name, message, ttl, tag, attestation, publisher }: Publication, digest: number): Taken => {
    const size = Buffer.byteLength(message)
    refuseFull(index.find(name), size)
    const topic = index.topicOf(name)
    lastTaken += 1
    const seq = lastTaken
    const publishedAt = now()
    const expiresAt = publishedAt + ttl * 1000
    const entry = { seq, topic, publisher, expiresAt, digest, size, waiters: 0, isOpen: false }
    const stored = { seq, message, tag, attestation, publishedAt }
    enter(entry)
    recent.add(stored)
    return { entry, message: stored }
  }

  const commit = async (taken: readonly Taken[]): Promise<void> => {
    try {
      await durable(taken.map(({ entry, message }) => put(entry, message)))
      for (const { entry } of taken) lastSafe = entry.seq
    } catch (refusal) {
      for (const { entry } of taken) if (entryAt(entry.topic, entry.seq)) drop(entry)
      throw refusal
    } finally {
      for (const { entry } of taken) commits.delete(entry.seq)
    }
  }

  const load = (): void => {
    for (const [topic, client] of subscriptions.getKeys()) index.enroll(client, index.topicOf(topic))
    const over: Write[] = []
    for (const { key: seq, value } of records.getRange()) {
      const { topic: name, publisher, waiting, isOpen, expiresAt, digest, size } = decodeLine(value)
      lastTaken = seq
      if (waiting.length > 0 || isOpen) {
        const entry = { seq, topic: index.topicOf(name), publisher, expiresAt, digest, size, waiters: 0, isOpen }
        index.enter(entry)
        for (const client of waiting) awaitClient(entry, client)
      } else over.push(() => records.remove(seq))
    }
    lastSafe = lastTaken
    durable(over).catch(() => undefined)
  }

  load()

  return {
    append: async (...publications) => {
      const taken: Taken[] = []
      const safe: (Promise<void> | undefined)[] = []
      try {
        for (const publication of publications) {
          const digest = digestOf(publication.message)
          const repeat = repeatOf(publication, digest)
          if (repeat) safe.push(commits.get(repeat.seq))
          else taken.push(take(publication, digest))
        }
      } catch (refusal) {
        for (const { entry } of taken) drop(entry)
        throw refusal
      }
      if (taken.length > 0) {
        const committed = commit(taken)
        for (const { entry } of taken) commits.set(entry.seq, committed)
        safe.push(committed)
      }
      await Promise.all(safe)
    },

    announce: topic => {
      for (const listener of listeners) listener(topic)
    },

    listen: listener => {
      listeners.push(listener)
    },

    subscribe: async (client, name) => {
      const known = index.find(name)
      if (!known?.clients.has(client)) refuseCrowd(client, known)
      const topic = index.topicOf(name)
      if (!topic.clients.has(client)) index.enroll(client, topic)
      const writes = topic.log.flatMap(entry => claim(client, entry))
      if (isNamed(client)) await durable([() => subscriptions.put([name, client], true), ...writes])
    },

    unsubscribe: async (client, name) => {
      const topic = index.find(name)
      if (!topic?.clients.has(client)) return
      const entries = [...waitingAfter(topic, client, 0)].flatMap(seq => entryAt(topic, seq) ?? [])
      const writes = entries.flatMap(entry => release(client, entry))
      index.strike(client, topic)
      if (isNamed(client)) await durable([() => subscriptions.remove([name, client]), ...writes])
      else if (writes.length > 0) await durable(writes)
    },

    read: async (client, name, seq, limit) => {
      const topic = index.find(name)
      const messages: Message[] = []
      if (!topic) return messages
      for (const next of waitingAfter(topic, client, seq)) {
        if (messages.length === limit || next > lastSafe) break
        const entry = entryAt(topic, next)
        if (entry && entry.expiresAt > now()) messages.push(messageOf(entry))
      }
      return messages
    },

    acknowledge: async (client, name, seq) => {
      const topic = index.find(name)
      const entry = topic && entryAt(topic, seq)
      if (!entry || !isWaiting(entry, client)) return
      // What waits for the first to come has come, for all without a name that follow.
      const isConsumed = entry.isOpen && !isNamed(client)
      if (isConsumed) entry.isOpen = false
      const writes = release(client, entry)
      if (isConsumed && writes.length === 0) writes.push(settle(entry))
      if (writes.length > 0) await durable(writes)
    },

    sweep: () => {
      const expired = index.takeExpired(now(), SWEEP_MESSAGES)
      if (expired.length > 0) durable(expired.map(drop)).catch(() => undefined)
    },

    size: index.size,
  }
}
