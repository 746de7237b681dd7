/**
 * The mailbox of one process. Messages lie in LMDB in the order of their arrival, which it writes fastest; who waits for
 * what, the order of each topic and the expiry index are in memory, and read back at start-up: a message waits for all
 * who subscribed before it, but for what the log says has changed since.
 */

import { crc32 } from 'node:zlib'
import { rpcError } from '@heliograph/shared/errors'
import type { Logger } from '@heliograph/shared/server/log'
import type { Store } from '@heliograph/shared/server/store'
import { type Client, isNamed, type Mailbox, type MailboxLimits, type Message, type Publication } from './mailbox.ts'
import { type Change, openMessageLog, type Place } from './message-log.ts'
import type { Head } from './message-record.ts'
import {
  awaitAll,
  awaitClient,
  createTopicIndex,
  type Entry,
  entryAt,
  releaseClient,
  type Topic,
  takeAnnounced,
  waitersOf,
  waitingAfter,
} from './topic-index.ts'

/** Messages that one sweep takes out; more wait for the next. */
const SWEEP_MESSAGES = 10_000
/** Messages that one sweep moves out of chunks with little left. */
const SWEEP_MOVES = 1000
/** Messages whose text is compared with one that may repeat them. More of the same digest are no accident. */
const MOST_COMPARED = 16

export type LmdbMailboxOptions = {
  store: Store
  limits: MailboxLimits
  log: Logger
  /** Milliseconds of Unix time. */
  now?: () => number
}

const DONE = Promise.resolve()

/** Before it is written down. */
const NOWHERE: Place = { chunk: { id: 0, bytes: undefined, isStored: false, messages: 0, live: 0, lists: 0 }, at: 0 }

/** The text in memory of its own: as a part of a frame or of a record it would keep that there, too. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/** What is stored in one commit. */
type Group = { entries: Entry[]; written: Promise<void>; safe: Promise<void> }

/** Of a message read back: the digest is made when it is asked for. */
const NO_DIGEST = -1

/** Reads the store back and opens the mailbox on it. */
export const openLmdbMailbox = ({ store, limits, log, now = Date.now }: LmdbMailboxOptions): Mailbox => {
  const messages = openMessageLog(store)
  const subscriptions = store.table<number, [topic: string, client: Client]>('subscriptions', 'msgpack')
  const index = createTopicIndex(now())
  const listeners: Parameters<Mailbox['listen']>[0][] = []
  /** The last message taken, and the last that is safe, up to which messages are handed out. */
  let lastTaken = 0
  let lastSafe = 0

  /** Throws RpcError -32002 when the store does not take the writes. */
  const durable = async (written: Promise<void>): Promise<void> => {
    try {
      await written
    } catch (err) {
      log.error({ err }, 'the store does not take writes')
      throw rpcError('resourceUnavailable', 'the store does not take writes')
    }
  }

  const drop = (entry: Entry): Promise<void> => {
    index.leave(entry)
    return messages.remove(entry.place)
  }

  const note = (entry: Entry, change: Change): Promise<void> =>
    entry.waiters > 0 || entry.isOpen ? messages.change(entry.place, change) : drop(entry)

  /** Who waits, in full. Sockets do not outlive the process. */
  const waits = (entry: Entry): Change => ['waits', entry.isOpen, waitersOf(entry).filter(isNamed)]

  /** What waits for the first to come is a named client's alone once that comes; those without a name share it. */
  const claim = (client: Client, entry: Entry): void => {
    if (!entry.isOpen || entry.publisher === client) return
    if (isNamed(client) && waitersOf(entry).some(isNamed)) return
    awaitClient(entry, client)
    if (!isNamed(client)) return
    entry.isOpen = false
    void note(entry, waits(entry))
  }

  /** The client waits for the message no more, without having it. */
  const release = (client: Client, entry: Entry): void => {
    if (!releaseClient(entry, client)) return
    if (isNamed(client)) void note(entry, ['acknowledged', client])
    else if (entry.waiters === 0 && !entry.isOpen) void drop(entry)
  }

  /** The client has never come: what waits for it alone waits for the first to come. */
  const withdraw = (client: Client, topic: Topic): void => {
    for (const seq of [...waitingAfter(topic, client, 0)]) {
      const entry = entryAt(topic, seq)
      if (!entry || !releaseClient(entry, client)) continue
      if (entry.waiters === 0) entry.isOpen = true
      void messages.change(entry.place, waits(entry))
    }
    index.strike(client, topic)
  }

  const digestOf = (entry: Entry): number => {
    if (entry.digest === NO_DIGEST) entry.digest = crc32(messages.read(entry.place).message)
    return entry.digest
  }

  /** The message that is kept already, if this is one of those. */
  const repeatOf = (publisher: Client, message: string, topic: Topic, size: number, digest: number) => {
    let compared = 0
    for (const entry of topic.log) {
      if (entry.size !== size || entry.publisher !== publisher || digestOf(entry) !== digest) continue
      if (entry.expiresAt > now() && messages.read(entry.place).message === message) return entry
      if (++compared === MOST_COMPARED) return undefined
    }
    return undefined
  }

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

  /** A message that is new waits for those who listen to its topic; or for the first to come, if all may not come back. */
  const enter = (message: Message, topic: Topic, digest: number): Entry => {
    const { seq, publisher, expiresAt, size } = message
    const entry: Entry = {
      seq,
      topic,
      publisher,
      expiresAt,
      digest,
      size,
      waiters: 0,
      isOpen: false,
      place: NOWHERE,
      before: undefined,
      after: undefined,
    }
    index.enter(entry)
    const named = awaitAll(entry)
    entry.isOpen = named === 0 || named < entry.waiters
    entry.place = messages.add(message, entry.isOpen)
    topic.unannounced.push(seq)
    return entry
  }

  const forget = (entry: Entry): void => {
    takeAnnounced(entry.topic, entry.seq)
    if (entryAt(entry.topic, entry.seq)) void drop(entry)
  }

  /**
   * Takes a message in and returns its entry, or that of the message it repeats. It is safe when the group that it goes
   * into is committed.
   */
  const take = (publisher: Client, publication: Publication): Entry => {
    const { topic: name, message, size, ttl, tag, attestation } = publication
    const digest = crc32(message)
    const known = index.find(name)
    const repeat = known && repeatOf(publisher, message, known, size, digest)
    if (repeat) return repeat
    refuseFull(known, size)
    const topic = known ?? index.topicOf(copyOf(name))
    lastTaken += 1
    const seq = lastTaken
    const publishedAt = now()
    const expiresAt = publishedAt + ttl * 1000
    const stored = { seq, topic: topic.name, publisher, message, publishedAt, expiresAt, tag, attestation, size }
    return enter(stored, topic, digest)
  }

  /** A message read back waits for those who subscribed before it; then for whom the changes name. */
  const restore = (head: Head, publisher: Client, place: Place, changes: readonly Change[]): void => {
    const { seq, topic: name, expiresAt, isOpen, size } = head
    const topic = index.find(name) ?? index.topicOf(copyOf(name))
    const moved = entryAt(topic, seq)
    if (moved) void drop(moved)
    const entry: Entry = {
      seq,
      topic,
      publisher,
      expiresAt,
      digest: NO_DIGEST,
      size,
      waiters: 0,
      isOpen,
      place,
      before: undefined,
      after: undefined,
    }
    index.enter(entry)
    awaitAll(entry)
    for (const [what, detail, clients] of changes) {
      if (what === 'acknowledged') releaseClient(entry, detail)
      if (what !== 'waits') continue
      for (const client of waitersOf(entry)) releaseClient(entry, client)
      for (const client of clients) awaitClient(entry, client)
      entry.isOpen = detail
    }
    if (entry.waiters === 0 && !entry.isOpen) void drop(entry)
  }

  const load = (): void => {
    const publishers = new Map<string, Client>()
    const known = (name: Client): Client => {
      const publisher = publishers.get(name) ?? (copyOf(name) as Client)
      publishers.set(publisher, publisher)
      return publisher
    }
    for (const { key, value: since } of subscriptions.getRange()) {
      const [topic, client] = key
      index.enroll(client, index.topicOf(topic), since)
      lastTaken = Math.max(lastTaken, since)
    }
    messages.load((head, place, changes) => {
      lastTaken = Math.max(lastTaken, head.seq)
      restore(head, known(head.publisher), place, changes)
    })
  }

  /** Moves a message to where new ones are stored, and takes it out where it was once it is safe there. */
  const move = async (entry: Entry): Promise<void> => {
    const from = entry.place
    entry.place = messages.add(messages.read(from), entry.isOpen)
    void messages.change(entry.place, waits(entry))
    try {
      await messages.save()
      void messages.remove(from)
    } catch {
      const isHere = entryAt(entry.topic, entry.seq) === entry
      void messages.remove(isHere ? entry.place : from)
      entry.place = from
    }
  }

  /** Moves what is left of nearly empty chunks, so that disk use follows what waits. */
  const tidy = (): void => {
    let moves = 0
    for (const { chunk, heads } of messages.takeSparse()) {
      for (const { topic: name, seq } of heads) {
        const topic = index.find(name)
        const entry = topic && entryAt(topic, seq)
        if (entry?.place.chunk === chunk && ++moves) void move(entry)
      }
      if (moves >= SWEEP_MOVES) return
    }
  }

  /** Takes all in or, when one is refused, none. Those that are new come after what was taken before. */
  const takeAll = (publisher: Client, publications: readonly Publication[]): Entry[] => {
    const before = lastTaken
    const entries: Entry[] = []
    try {
      for (const publication of publications) entries.push(take(publisher, publication))
      return entries
    } catch (refusal) {
      for (const entry of entries) if (entry.seq > before) forget(entry)
      throw refusal
    }
  }

  /** What goes into the next commit. */
  let group: Group = { entries: [], written: DONE, safe: DONE }

  const settle = async (settled: Group): Promise<void> => {
    try {
      await durable(settled.written)
    } catch (refusal) {
      for (const entry of settled.entries) forget(entry)
      throw refusal
    }
    lastSafe = Math.max(lastSafe, settled.entries.at(-1)?.seq ?? 0)
  }

  /** Stores what was taken in; with none, waits for what is on its way. */
  const save = (entries: readonly Entry[]): Promise<void> => {
    const written = messages.save()
    if (group.written !== written) {
      group = { entries: [], written, safe: DONE }
      group.safe = settle(group)
    }
    for (const entry of entries) group.entries.push(entry)
    return group.safe
  }

  load()
  lastSafe = lastTaken

  return {
    append: (publisher, publications) => {
      let newest = lastTaken
      const entries = takeAll(publisher, publications)
      const fresh: Entry[] = []
      const taken = entries.map(entry => {
        if (entry.seq <= newest) return undefined
        newest = entry.seq
        fresh.push(entry)
        return entry
      })
      const isSafe = fresh.length === 0 && entries.every(({ seq }) => seq <= lastSafe)
      return { taken, safe: isSafe ? Promise.resolve() : save(fresh) }
    },

    announce: taken => {
      const entry = taken as Entry
      const { topic, seq } = entry
      const isNext = takeAnnounced(topic, seq) && entryAt(topic, seq) === entry
      const read = isNext ? () => messages.read(entry.place) : undefined
      for (const listener of listeners) listener(topic.name, read)
    },

    listen: listener => {
      listeners.push(listener)
    },

    subscribe: async (client, name) => {
      const known = index.find(name)
      const since = lastTaken
      const isNew = !known?.clients.has(client)
      if (isNew) refuseCrowd(client, known)
      const topic = index.topicOf(name)
      if (isNew) index.enroll(client, topic, since)
      for (const entry of [...topic.log]) claim(client, entry)
      if (!isNamed(client)) return since
      if (!isNew) {
        // What the client acknowledged before it came again is safe, too, when it has its answer.
        await durable(messages.save())
        return since
      }
      try {
        await durable(messages.write(() => subscriptions.put([name, client], since)))
      } catch (refusal) {
        withdraw(client, topic)
        throw refusal
      }
      return since
    },

    unsubscribe: async (client, name) => {
      const topic = index.find(name)
      if (!topic?.clients.has(client)) return
      for (const seq of [...waitingAfter(topic, client, 0)]) {
        const entry = entryAt(topic, seq)
        if (entry) release(client, entry)
      }
      index.strike(client, topic)
      if (isNamed(client)) await durable(messages.write(() => subscriptions.remove([name, client])))
    },

    clients: name => index.find(name)?.clients.keys() ?? [],

    read: async (client, name, seq, limit) => {
      const topic = index.find(name)
      const found: Message[] = []
      if (!topic) return found
      for (const next of waitingAfter(topic, client, seq)) {
        if (found.length === limit || next > lastSafe) break
        const entry = entryAt(topic, next)
        if (entry && entry.expiresAt > now()) found.push(messages.read(entry.place))
      }
      return found
    },

    acknowledge: (client, name, seq) => {
      const topic = index.find(name)
      const entry = topic && entryAt(topic, seq)
      if (!entry || !releaseClient(entry, client)) return DONE
      if (isNamed(client)) return note(entry, ['acknowledged', client])
      // What waits for the first to come has come, for all without a name that follow.
      const isConsumed = entry.isOpen
      entry.isOpen = false
      if (entry.waiters === 0) return drop(entry)
      return isConsumed ? note(entry, waits(entry)) : DONE
    },

    sweep: () => {
      for (const entry of index.takeExpired(now(), SWEEP_MESSAGES)) void drop(entry)
      tidy()
    },

    size: index.size,
  }
}
