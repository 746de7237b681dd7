/** Messages that are published again while they wait: clients do that when an answer was lost. */
import { crc32 } from 'node:zlib'
import type { Client } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Entry, Topic } from './topic.ts'

/** Messages whose text is compared with one that may repeat them. More of the same digest are no accident. */
const MOST_COMPARED = 16

/** UTF-16 units in which two messages mostly differ: what is encrypted begins with a nonce, and what is not with an id. */
const START = 24
const MULTIPLIER = 31

/** The start or the digest of a message for which it was not needed yet. */
export const UNKNOWN = -1

/** A number that tells apart most messages, at little cost. */
export const startOf = (message: string): number => {
  let start = 0
  for (let at = 0; at < START && at < message.length; at++)
    start = (Math.imul(start, MULTIPLIER) + message.charCodeAt(at)) | 0
  return start >>> 1
}

/** A number that tells apart those that start in the same way. */
const digestOf = (message: string): number => crc32(message)

export const createRepeats = (messages: MessageLog, now: () => number) => {
  const digestOfEntry = (entry: Entry): number => {
    if (entry.digest !== UNKNOWN) return entry.digest
    const stored = messages.read(entry)
    if (stored) entry.digest = digestOf(stored.message)
    return entry.digest
  }

  /** The message that waits already, if this is one of those. `start` is that of the message. */
  return (publisher: Client, message: string, start: number, topic: Topic, size: number): Entry | undefined => {
    let digest = UNKNOWN
    let compared = 0
    for (const entry of topic.log) {
      if (entry.size !== size || entry.publisher !== publisher) continue
      if (entry.start !== start && entry.start !== UNKNOWN) continue
      if (digest === UNKNOWN) digest = digestOf(message)
      if (digestOfEntry(entry) !== digest) continue
      if (entry.expiresAt > now() && messages.read(entry)?.message === message) return entry
      if (++compared === MOST_COMPARED) return undefined
    }
    return undefined
  }
}
