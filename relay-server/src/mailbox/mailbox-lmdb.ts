/**
 * The mailbox of one process. Messages lie in LMDB in the order of their arrival, which it writes fastest; who waits for
 * what, the order of each topic and the expiry index are in memory, and read back at start-up: a message waits for all
 * who subscribed before it, but for what the log says has changed since.
 */

import { rpcError } from '@heliograph/shared/errors'
import type { Logger } from '@heliograph/shared/server/log'
import { NOBODY, type Payers, type Shares } from '@heliograph/shared/server/shares'
import type { Store } from '@heliograph/shared/server/store'
import { createCensus } from './census.ts'
import {
  type Client,
  isNamed,
  type Mailbox,
  type MailboxLimits,
  type Message,
  type Publication,
  type Taken,
} from './mailbox.ts'
import { createRefusals } from './mailbox-limits.ts'
import { type MessageLogOptions, openMessageLog, type Place } from './message-log.ts'
import { createChunk } from './message-tables.ts'
import { createRecipients } from './recipients.ts'
import { createRepeats, startOf, UNKNOWN } from './repeats.ts'
import { copyOf, restoreMessages } from './restore.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTidying } from './tidying.ts'
import { awaitAll, createTopicIndex, type Entry, entryAt, takeAnnounced, waitingAfter } from './topic-index.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** Messages that one sweep takes out; more wait for the next. */
const SWEEP_MESSAGES = 10_000

export type LmdbMailboxOptions = {
  store: Store
  ahead: WriteAheadLog
  /** As in `MessageLogOptions`. */
  durability: MessageLogOptions['durability']
  limits: MailboxLimits
  shares: Shares
  log: Logger
  /** Milliseconds of Unix time. */
  now?: () => number
}

const DONE = Promise.resolve()

/** Before it is written down. */
const NOWHERE: Place = { chunk: createChunk(0, undefined), at: 0 }

/** A new message. */
type Held = Taken & { readonly entry: Entry }
/** What was taken in: a new message, or the entry of the one that it repeats. */
type Found = Held | { entry: Entry; seq?: undefined }

const isNew = (found: Found): found is Held => found.seq !== undefined

/** What becomes safe together. */
type Group = { entries: Entry[]; written: Promise<void>; safe: Promise<void> }

/** Reads the store back and opens the mailbox on it. */
export const openLmdbMailbox = (options: LmdbMailboxOptions): Mailbox => {
  const { store, ahead, durability, limits, shares, log, now = Date.now } = options
  const messages = openMessageLog({ store, ahead, durability })
  const index = createTopicIndex(now(), shares)
  const recipients = createRecipients(index, messages)
  const { subscriptionDays, unusedHours } = limits
  /** From what address a client came before the start is not stored. */
  const payersOf = (client: Client): Payers => shares.accountOf('client', client).alone
  const subscriptions = createSubscriptions({
    store,
    index,
    messages,
    recipients,
    subscriptionDays,
    unusedHours,
    payersOf,
    now,
  })
  const repeatOf = createRepeats(messages, now)
  const tidy = createTidying(index, messages, recipients)
  const { refuseFull, refuseCrowd } = createRefusals(index, limits, shares)
  const listeners: Parameters<Mailbox['listen']>[0][] = []
  /** The last message taken, and the last that is safe, up to which messages are handed out. */
  let lastTaken = Math.max(subscriptions.load(), restoreMessages(index, messages, recipients, payersOf))
  let lastSafe = lastTaken

  const census = createCensus(index.all, (topic, seq) => {
    const entry = entryAt(topic, seq)
    return entry && messages.read(entry.place).publishedAt
  })

  const unavailable = (reason: string) => rpcError('resourceUnavailable', `the store does not take writes: ${reason}`)

  /** Throws RpcError -32002 when the store does not take the writes. */
  const durable = async (written: Promise<void>): Promise<void> => {
    try {
      await written
    } catch (err) {
      log.error({ err }, 'the store does not take writes')
      throw unavailable(store.failure() ?? 'see the log')
    }
  }

  /** While the store is full it is left to those who take something out. */
  const refuseFailing = (): void => {
    const reason = store.failure()
    if (reason !== undefined) throw unavailable(reason)
  }

  /** A message that is new waits for those who listen to its topic; or for the first to come, if all may not come back. */
  const enter = (held: Held, text: string): void => {
    const { entry } = held
    index.enter(entry)
    const named = awaitAll(entry)
    entry.isOpen = named === 0 || named < entry.waiters
    entry.place = messages.add(held, text, entry.isOpen)
    entry.topic.unannounced.push(entry.seq)
  }

  const forget = (entry: Entry): void => {
    takeAnnounced(entry.topic, entry.seq)
    if (entryAt(entry.topic, entry.seq)) void recipients.drop(entry)
  }

  /** Takes a message in, unless it repeats one that waits. It is safe when the group that it goes into is. */
  const take = (publisher: Client, publication: Publication, payers: Payers): Found => {
    const { topic: name, message, size, ttl, tag, attestation } = publication
    const known = index.find(name)
    const start = startOf(message)
    const repeated = known && repeatOf(publisher, message, start, known, size)
    if (repeated) return { entry: repeated }
    refuseFull(known, size, payers)
    const topic = known ?? index.topicOf(copyOf(name))
    lastTaken += 1
    const seq = lastTaken
    const publishedAt = now()
    topic.usedAt = publishedAt
    const expiresAt = publishedAt + ttl * 1000
    const entry: Entry = {
      seq,
      topic,
      publisher,
      expiresAt,
      start,
      digest: UNKNOWN,
      size,
      waiters: 0,
      isOpen: false,
      place: NOWHERE,
      payers,
      before: undefined,
      after: undefined,
    }
    const held: Held = {
      entry,
      seq,
      topic: topic.name,
      publisher,
      publishedAt,
      expiresAt,
      tag,
      attestation,
      size,
    }
    enter(held, message)
    return held
  }

  /** Takes all in or, when one is refused, none. */
  const takeAll = (publisher: Client, publications: readonly Publication[], payers: Payers): Found[] => {
    const [first] = publications
    // Mostly it is one, and then there is no list that grows.
    if (first && publications.length === 1) return [take(publisher, first, payers)]
    const all: Found[] = []
    try {
      for (const publication of publications) all.push(take(publisher, publication, payers))
      return all
    } catch (refusal) {
      for (const { entry } of all.filter(isNew)) forget(entry)
      throw refusal
    }
  }

  /** What becomes safe next. */
  let group: Group = { entries: [], written: DONE, safe: DONE }
  /** What is not safe, one or two as a rule. */
  const unsafe = new Set<Group>()

  const settle = async (settled: Group): Promise<void> => {
    try {
      await durable(settled.written)
    } catch (refusal) {
      for (const entry of settled.entries) forget(entry)
      throw refusal
    } finally {
      unsafe.delete(settled)
    }
    lastSafe = Math.max(lastSafe, settled.entries.at(-1)?.seq ?? 0)
  }

  /** Resolves when what was taken in before, and is repeated now, is safe. */
  const safeWith = async (repeated: readonly Entry[]): Promise<void> => {
    const groups = [...unsafe].filter(({ entries }) => repeated.some(entry => entries.includes(entry)))
    await Promise.all([group, ...groups].map(({ safe }) => safe))
  }

  /** Stores what was taken in; with none, waits for what is on its way. */
  const save = (all: readonly Found[]): Promise<void> => {
    const written = messages.save()
    if (group.written !== written) {
      group = { entries: [], written, safe: DONE }
      unsafe.add(group)
      group.safe = settle(group)
    }
    for (const found of all) if (isNew(found)) group.entries.push(found.entry)
    if (all.every(isNew)) return group.safe
    return safeWith(all.filter(found => !isNew(found)).map(({ entry }) => entry))
  }

  const acknowledger: Mailbox['acknowledger'] = (client, name) => {
    let topic = index.find(name)
    let inbox = topic?.clients.get(client)
    return seq => {
      if (!inbox || inbox.isOver) {
        topic = index.find(name)
        inbox = topic?.clients.get(client)
      }
      const entry = topic && entryAt(topic, seq)
      return entry && inbox ? recipients.deliver(client, inbox, entry) : DONE
    }
  }

  return {
    append: (publisher, publications, payers = NOBODY) => {
      refuseFailing()
      const all = takeAll(publisher, publications, payers)
      const isSafe = all.every(({ entry }) => entry.seq <= lastSafe)
      return {
        taken: all.map(found => (isNew(found) ? found : undefined)),
        safe: isSafe ? Promise.resolve() : save(all),
      }
    },

    announce: taken => {
      const { seq, topic } = taken.entry as Entry
      const isNext = takeAnnounced(topic, seq) && entryAt(topic, seq)
      for (const listener of listeners) listener(topic.name, isNext ? taken : undefined)
    },

    textOf: taken => messages.textAt((taken.entry as Entry).place),

    listen: listener => {
      listeners.push(listener)
    },

    subscribe: async (client, name, payers = NOBODY) => {
      const known = index.find(name)
      const inbox = known?.clients.get(client)
      if (!inbox) refuseCrowd(client, known, payers)
      const topic = known ?? index.topicOf(name)
      const since = lastTaken
      topic.usedAt = now()
      const enrolled = inbox ?? index.enroll(client, topic, since, now(), payers)
      if (inbox) index.charge(inbox, payers)
      for (const entry of topic.log.filter(({ isOpen }) => isOpen)) recipients.claim(client, entry)
      if (!isNamed(client)) return since
      if (inbox) {
        // What the client acknowledged before it came again is safe, too, when it has its answer.
        await durable(subscriptions.see(client, topic, inbox) ?? messages.save())
        return since
      }
      try {
        await durable(subscriptions.enlist(client, topic, enrolled))
      } catch (refusal) {
        recipients.withdraw(client, topic)
        throw refusal
      }
      return since
    },

    unsubscribe: async (client, name) => {
      const topic = index.find(name)
      if (topic?.clients.has(client)) await durable(subscriptions.leave(client, topic))
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

    acknowledge: (client, name, seq) => acknowledger(client, name)(seq),

    acknowledger,

    sweep: () => {
      for (const entry of index.takeExpired(now(), SWEEP_MESSAGES)) void recipients.drop(entry)
      tidy()
      messages.tryAgain()
      subscriptions.forgetAbsent()
      census.step(now())
    },

    size: () => ({ ...index.size(), ...census.found() }),
  }
}
