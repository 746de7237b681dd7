/** Detects messages published again while they are stored, as clients do when a response was lost. */
import { crc32 } from 'node:zlib'
import type { Client } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import { type Entry, type Topic, UNKNOWN } from './topic.ts'

/** Maximum number of texts to compare. More messages with the same digest cannot be accidental. */
const MOST_COMPARED = 16

/** Number of UTF-16 code units at the start, in which messages usually differ: they begin with a nonce or an id. */
const START = 24
const MULTIPLIER = 31

/** Returns a cheap hash of a message's start. */
export const startOf = (json: string): number => {
  let start = 0
  for (let at = 0; at < START && at < json.length; at++)
    start = (Math.imul(start, MULTIPLIER) + json.charCodeAt(at)) | 0
  return start >>> 1
}

/** Returns a hash of the whole message. */
const digestOf = (json: string): number => crc32(json)

export const createRepeats = (messages: MessageLog, now: () => number) => {
  const digestOfEntry = (entry: Entry): number => {
    if (entry.digest !== UNKNOWN) return entry.digest
    const stored = messages.read(entry)
    if (stored) entry.digest = digestOf(stored.json)
    return entry.digest
  }

  /** Returns the stored message that this message repeats, if any. `start` is the hash of the new message's start. */
  return (publisher: Client, json: string, start: number, topic: Topic, size: number): Entry | undefined => {
    let digest = UNKNOWN
    let compared = 0
    const { entries } = topic
    // This runs for every message, and an iterator would allocate an object for each entry.
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]
      if (entry === undefined || entry.size !== size || entry.publisher !== publisher) continue
      if (entry.start !== start && entry.start !== UNKNOWN) continue
      if (digest === UNKNOWN) digest = digestOf(json)
      if (digestOfEntry(entry) !== digest) continue
      if (entry.expiresAt > now() && messages.read(entry)?.json === json) return entry
      if (++compared === MOST_COMPARED) return undefined
    }
    return undefined
  }
}
