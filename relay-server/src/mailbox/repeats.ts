/** Messages that are published again while they wait: clients do that when an answer was lost. */
import { crc32 } from 'node:zlib'
import type { Client } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Entry, Topic } from './topic-index.ts'

/** Messages whose text is compared with one that may repeat them. More of the same digest are no accident. */
const MOST_COMPARED = 16

/** Of a message that was not compared with another yet. */
export const NO_DIGEST = -1

/** A number that tells most messages apart without reading them. */
const digestOf = (message: string): number => crc32(message)

export const createRepeats = (messages: MessageLog, now: () => number) => {
  const digestOfEntry = (entry: Entry): number => {
    if (entry.digest === NO_DIGEST) entry.digest = digestOf(messages.read(entry.place).message)
    return entry.digest
  }

  /** The message that waits already, if this is one of those; else the digest of this one, where it was needed. */
  return (publisher: Client, message: string, topic: Topic, size: number): Entry | number => {
    let digest = NO_DIGEST
    let compared = 0
    for (const entry of topic.log) {
      if (entry.size !== size || entry.publisher !== publisher) continue
      if (digest === NO_DIGEST) digest = digestOf(message)
      if (digestOfEntry(entry) !== digest) continue
      if (entry.expiresAt > now() && messages.read(entry.place).message === message) return entry
      if (++compared === MOST_COMPARED) return digest
    }
    return digest
  }
}
