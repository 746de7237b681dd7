/** A topic, its clients and its messages, as a mailbox has them in memory: of each message all but its text. */
import type { Payers } from '@heliograph/shared/server/shares'
import type { Place } from '@heliograph/shared/server/storage/blocks'
import type { Expiring } from './expiry.ts'
import type { Inboxes } from './inboxes.ts'
import type { Client } from './mailbox.ts'
import { hasNumber, indexAfter, withoutNumber } from './sequence-numbers.ts'

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
  /** Whether a message has waited in it, and whether that is stored; or that the client was taken off the topic. */
  state: 'unused' | 'used' | 'noted' | 'over'
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
  /** What the listener keeps with the topic: see `Mailbox.attach`. */
  attached: unknown
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

/** The log of all topics without messages. */
export const NO_ENTRIES: Entry[] = []
Object.freeze(NO_ENTRIES)

export const seqOf = ({ seq }: Entry): number => seq
/** Milliseconds as whole seconds, which are small numbers to V8. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** The message with that sequence number. */
export const entryAt = ({ log }: Topic, seq: number): Entry | undefined => {
  const entry = log[0]?.seq === seq ? log[0] : log[indexAfter(log, seq - 1, seqOf)]
  return entry?.seq === seq ? entry : undefined
}

/** Notes that listeners are told of the message now. Returns whether they know of all that came before it. */
export const takeAnnounced = (topic: Topic, seq: number): boolean => {
  const isNext = topic.unannounced[0] === seq
  if (isNext || hasNumber(topic.unannounced, seq)) topic.unannounced = withoutNumber(topic.unannounced, seq)
  return isNext
}
