/** A topic with its clients and messages in memory, without the texts of the messages. */
import { addTo, type Payers, type Tally, tallyOf } from '@heliograph/shared/server/limits/shares'
import { NOWHERE, type Place } from '@heliograph/shared/server/storage/blocks'
import type { Expiring } from './expiry.ts'
import { type Inboxes, inboxesOf } from './inboxes.ts'
import type { Client } from './mailbox.ts'
import type { Head } from './message-record.ts'
import { hasNumber, indexAfter, withoutNumber } from './sequence-numbers.ts'

/** What each payer has stored on a topic. Computed only for topics so full that one payer could exceed its part. */
export type Crowd = Readonly<Record<'messages' | 'bytes' | 'clients', Tally>>

/**
 * `entries` has the topic's messages in the order of publishing. Each inbox has the sequence numbers of messages that
 * wait for its client, in the same order. Most messages wait for at most one client, which keeps the inboxes small.
 */
export type Topic = {
  name: string
  inboxes: Inboxes
  entries: Entry[]
  bytes: number
  /** Undefined until `crowdOf` is called. */
  crowd: Crowd | undefined
  /**
   * Sequence numbers of messages not announced yet, in order. Messages of one write can be announced in another order:
   * see `answerAfter` in publishing.ts.
   */
  unannounced: number[]
  /** The hub's value: see `Mailbox.attach`. */
  attached: unknown
  /** Unix time in seconds of the last publish or subscription; 0 if there was none since start. */
  usedAt: number
}

export type Entry = Expiring &
  Place & {
    seq: number
    topic: Topic
    publisher: Client
    payers: Payers
    /**
     * Hashes of the message's start and of the whole message. They usually rule out a repeat without reading the text.
     */
    start: number
    digest: number
    /** Length of the text in bytes. */
    size: number
    /** Number of clients it waits for. */
    waiters: number
    /** True while the next client that subscribes (except the publisher) also gets the message. */
    isOpen: boolean
  }

/** Value of a `start` or `digest` that is not computed yet. */
export const UNKNOWN = -1

/** Makes an entry from the head of a message. It has no place yet. */
export const entryOf = (head: Omit<Head, 'topic'>, topic: Topic, payers: Payers): Entry => ({
  seq: head.seq,
  topic,
  publisher: head.publisher,
  expiresAt: head.expiresAt,
  start: UNKNOWN,
  digest: UNKNOWN,
  size: head.size,
  waiters: 0,
  isOpen: head.isOpen,
  payers,
  block: NOWHERE,
  at: 0,
  length: 0,
  before: undefined,
  after: undefined,
})

/** Copies a string. A slice of a frame or record would keep all of it in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString()

/** The empty list that all topics without messages share. */
export const NO_ENTRIES: Entry[] = []
Object.freeze(NO_ENTRIES)

export const seqOf = ({ seq }: Entry): number => seq
/** Converts to whole seconds, which V8 stores as small integers. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

export const entryAt = ({ entries }: Topic, seq: number): Entry | undefined => {
  const entry = entries[0]?.seq === seq ? entries[0] : entries[indexAfter(entries, seq - 1, seqOf)]
  return entry?.seq === seq ? entry : undefined
}

/** Marks a message as announced. Returns true if all earlier messages of the topic were announced. */
export const markAnnounced = (topic: Topic, seq: number): boolean => {
  const isNext = topic.unannounced[0] === seq
  if (isNext || hasNumber(topic.unannounced, seq)) topic.unannounced = withoutNumber(topic.unannounced, seq)
  return isNext
}

/** Returns the topic's crowd, which is counted at the first call and kept up to date from then on. */
export const crowdOf = (topic: Topic): Crowd => {
  topic.crowd ??= {
    messages: tallyOf(topic.entries, () => 1),
    bytes: tallyOf(topic.entries, ({ size }) => size),
    clients: tallyOf(inboxesOf(topic), () => 1),
  }
  return topic.crowd
}

/**
 * Adds a message that entered its topic (1) to the crowd's counts, or subtracts a message that left it (-1). Does
 * nothing if the topic has no crowd.
 */
export const countEntry = ({ topic: { crowd }, payers, size }: Entry, change: 1 | -1): void => {
  if (!crowd) return
  addTo(crowd.messages, payers, change)
  addTo(crowd.bytes, payers, change * size)
}

/**
 * Adds a subscribed client to the crowd's counts, or subtracts it (-1). If a client's payers change, it is subtracted
 * for the earlier payers and added for the new ones.
 */
export const countClient = ({ crowd }: Topic, payers: Payers, change: 1 | -1): void => {
  if (crowd) addTo(crowd.clients, payers, change)
}
