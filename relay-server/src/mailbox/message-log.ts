/**
 * The mailbox's log: the format of its notes and subscriptions. Strings are UTF-8. Numbers are little-endian doubles,
 * lengths integers. `message-record.ts` has the format of messages.
 */

import type { Place } from '@heliograph/shared/server/storage/blocks'
import type { NumberOf } from '@heliograph/shared/server/storage/check'
import { createLossTracker } from '@heliograph/shared/server/storage/damage'
import type { Log } from '@heliograph/shared/server/storage/log'
import { NOTE, type Payload } from '@heliograph/shared/server/storage/record'
import type { Client, Message, Textless } from './mailbox.ts'
import { type Head, readHead, readMessage, roomFor, seqIn, textIn, writeMessage } from './message-record.ts'

/** Kinds of records: a message, and a subscription. */
const MESSAGE = 1
const SUBSCRIBED = 2
/**
 * Kinds of notes: messages were removed; a client acknowledged a message; which clients a message waits for; a client
 * unsubscribed.
 */
const GONE = NOTE | 1
const ACKNOWLEDGED = NOTE | 2
const WAITS = NOTE | 3
const UNSUBSCRIBED = NOTE | 4

const NUMBER_BYTES = 8
/**
 * Byte offsets in a subscription: after a number, the time, the topic's length in UTF-16 code units, the used flag,
 * strings.
 */
const SEEN_AT = 8
const TOPIC_UNITS = 16
const IS_USED = 18
const STRINGS_AT = 19

/**
 * A change of a stored message: one client acknowledged it; or it waits for exactly these clients, and while it is open
 * the next client that subscribes gets it too.
 */
export type Change =
  | readonly [what: 'acknowledged', client: Client]
  | readonly [what: 'waits', isOpen: boolean, clients: readonly Client[]]

/**
 * `since` is as in `Inbox`, `seenAt` is Unix time in ms. `isUsed` is true once the client has had a message on the
 * topic.
 */
export type Subscribed = { topic: string; client: Client; since: number; seenAt: number; isUsed: boolean }

/** Receives the log's contents in order. */
export type Visitor = {
  message: (head: Head, place: Place) => void
  gone: (seq: number) => void
  changed: (seq: number, change: Change) => void
  subscribed: (subscribed: Subscribed, place: Place) => void
  unsubscribed: (topic: string, client: Client) => void
}

/** Locates live messages and subscriptions. `waits` returns the complete list of clients a message waits for. */
export type Owner = {
  message: (topic: string, seq: number) => Place | undefined
  subscription: (topic: string, client: Client) => Place | undefined
  waits: (place: Place) => readonly [seq: number, isOpen: boolean, clients: readonly Client[]]
}

export type MessageLog = {
  /** `onLoss` gets ranges of sequence numbers whose messages may be lost. `before` is undefined if it is not known. */
  load: (visitor: Visitor, onLoss: (after: number, before: number | undefined) => void) => void
  setOwner: (owner: Owner) => void
  retain: (place: Place) => void
  /**
   * Appends a message and sets its place. The message is readable at once, and written to disk at the end of the turn.
   */
  add: (place: Place, message: Textless, text: string, isOpen: boolean) => void
  /** Runs a function. All messages that it adds are stored, or none. */
  batch: (run: () => void) => void
  /** Removes a message. Resolves when the removal is durable. */
  remove: (place: Place, seq: number) => Promise<void>
  /** Removes an expired message. The log gets no note, because a restart skips expired messages. */
  expire: (place: Place) => void
  /** Records a change. Resolves when it is durable. */
  change: (seq: number, change: Change) => Promise<void>
  /** Writes a subscription and sets its place. Resolves when it is durable. */
  subscribe: (place: Place, subscribed: Subscribed) => Promise<void>
  /** Removes a subscription. Resolves when the removal is durable. */
  unsubscribe: (place: Place, topic: string, client: Client) => Promise<void>
  /** Resolves when everything written so far is durable. Rejects if the disk refuses it. */
  commit: () => Promise<void>
  /** Calls back before each write of the log. */
  beforeWrite: (prepare: () => void) => void
  /** Reads a message. Returns undefined if its record is damaged. */
  read: (place: Place) => Message | undefined
  /** Returns a message's text, valid until the next call. Returns undefined if its record is damaged. */
  textOf: (place: Place) => Buffer | undefined
}

/** Name of the mailbox's log. */
export const LOG_NAME = 'messages'

/** Returns the sequence number in a message record, for reports of missing messages. */
export const numberOf: NumberOf = (log, kind, payload) =>
  log === LOG_NAME && kind === MESSAGE ? seqIn(payload) : undefined

const writeSubscribed = (bytes: Buffer, at: number, { topic, client, since, seenAt, isUsed }: Subscribed): number => {
  bytes.writeDoubleLE(since, at)
  bytes.writeDoubleLE(seenAt, at + SEEN_AT)
  bytes.writeUInt16LE(topic.length, at + TOPIC_UNITS)
  bytes.writeUInt8(isUsed ? 1 : 0, at + IS_USED)
  return STRINGS_AT + bytes.write(topic + client, at + STRINGS_AT)
}

const readSubscribed = ({ bytes, start, end }: Payload): Subscribed => {
  const strings = bytes.toString('utf8', start + STRINGS_AT, end)
  const topicUnits = bytes.readUInt16LE(start + TOPIC_UNITS)
  return {
    topic: strings.slice(0, topicUnits),
    client: strings.slice(topicUnits) as Client,
    since: bytes.readDoubleLE(start),
    seenAt: bytes.readDoubleLE(start + SEEN_AT),
    isUsed: bytes.readUInt8(start + IS_USED) === 1,
  }
}

export const openMessageLog = (log: Log): MessageLog => {
  /** Sequence numbers of messages removed in this turn, which go into one note. */
  let gone: number[] = []

  log.beforeWrite(() => {
    if (gone.length === 0) return
    const { bytes, at } = log.reserve(NUMBER_BYTES * gone.length)
    let next = at
    for (const seq of gone) next = bytes.writeDoubleLE(seq, next)
    log.note(GONE, next - at)
    gone = []
  })

  const writeChange = (seq: number, change: Change): void => {
    const text = change[0] === 'acknowledged' ? change[1] : JSON.stringify(change.slice(1))
    const length = Buffer.byteLength(text)
    const { bytes, at } = log.reserve(NUMBER_BYTES + length)
    bytes.write(text, bytes.writeDoubleLE(seq, at))
    log.note(change[0] === 'acknowledged' ? ACKNOWLEDGED : WAITS, NUMBER_BYTES + length)
  }

  const readChange = (kind: number, { bytes, start, end }: Payload): Change => {
    const text = bytes.toString('utf8', start + NUMBER_BYTES, end)
    return kind === ACKNOWLEDGED
      ? ['acknowledged', text as Client]
      : ['waits', ...(JSON.parse(text) as [boolean, Client[]])]
  }

  return {
    load: (visitor, onLoss) => {
      const tracker = createLossTracker(onLoss)
      log.load((kind, payload, place) => {
        const { bytes, start, end } = payload
        if (kind === MESSAGE) {
          const head = readHead(payload)
          tracker.read(head.seq)
          visitor.message(head, place)
        } else if (kind === GONE)
          for (let at = start; at < end; at += NUMBER_BYTES) visitor.gone(bytes.readDoubleLE(at))
        else if (kind === SUBSCRIBED) visitor.subscribed(readSubscribed(payload), place)
        else if (kind === UNSUBSCRIBED) {
          const { topic, client } = readSubscribed(payload)
          visitor.unsubscribed(topic, client)
        } else if (kind === ACKNOWLEDGED || kind === WAITS)
          visitor.changed(bytes.readDoubleLE(start), readChange(kind, payload))
      }, tracker.damaged)
      tracker.end()
    },

    setOwner: ({ message, subscription, waits }) =>
      log.setOwner({
        find: (kind, payload) => {
          if (kind === MESSAGE) return message(readHead(payload).topic, seqIn(payload))
          const { topic, client } = readSubscribed(payload)
          return subscription(topic, client)
        },
        moved: (kind, place) => {
          if (kind !== MESSAGE) return
          const [seq, isOpen, clients] = waits(place)
          writeChange(seq, ['waits', isOpen, clients])
        },
      }),

    retain: log.retain,

    add: (place, message, text, isOpen) => {
      const { bytes, at } = log.reserve(roomFor(message, text))
      log.append(MESSAGE, writeMessage(bytes, at, message, text, isOpen), place)
    },
    batch: log.batch,
    remove: (place, seq) => {
      log.release(place)
      gone.push(seq)
      return log.noted()
    },
    expire: log.release,
    change: (seq, change) => {
      writeChange(seq, change)
      return log.noted()
    },
    subscribe: (place, subscribed) => {
      const { topic, client } = subscribed
      const { bytes, at } = log.reserve(STRINGS_AT + Buffer.byteLength(topic + client))
      log.append(SUBSCRIBED, writeSubscribed(bytes, at, subscribed), place)
      return log.commit()
    },
    unsubscribe: (place, topic, client) => {
      log.release(place)
      const { bytes, at } = log.reserve(STRINGS_AT + Buffer.byteLength(topic + client))
      log.note(UNSUBSCRIBED, writeSubscribed(bytes, at, { topic, client, since: 0, seenAt: 0, isUsed: false }))
      return log.commit()
    },
    commit: log.commit,
    beforeWrite: log.beforeWrite,
    read: place => {
      const payload = log.read(place)
      return payload && readMessage(payload)
    },
    textOf: place => {
      const payload = log.read(place)
      return payload && textIn(payload)
    },
  }
}
