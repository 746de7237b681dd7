/** Reads a mailbox back from its store. */
import type { Payers } from '@heliograph/shared/server/shares'
import type { Client } from './mailbox.ts'
import type { MessageLog, Place } from './message-log.ts'
import type { Head } from './message-record.ts'
import type { Change } from './message-tables.ts'
import type { Recipients } from './recipients.ts'
import { UNKNOWN } from './repeats.ts'
import { awaitAll, awaitClient, type Entry, entryAt, releaseClient, type TopicIndex, waitersOf } from './topic-index.ts'

/** The text in memory of its own: as a part of a frame or of a record it would keep that there, too. */
export const copyOf = (text: string): string => Buffer.from(text).toString()

/** Puts all messages of the log into the index, charged to their publishers. Returns the number of the last one. */
export const restoreMessages = (
  index: TopicIndex,
  messages: MessageLog,
  { drop }: Recipients,
  payersOf: (client: Client) => Payers,
): number => {
  /** A message read back waits for those who subscribed before it; then for whom the changes name. */
  const restore = (head: Head, publisher: Client, place: Place, changes: readonly Change[]): void => {
    const { seq, topic: name, expiresAt, isOpen, size } = head
    const before = index.find(name)
    const moved = before && entryAt(before, seq)
    // With its last message a topic without clients goes, and a new one takes its place.
    if (moved) void drop(moved)
    const topic = index.find(name) ?? index.topicOf(copyOf(name))
    const entry: Entry = {
      seq,
      topic,
      publisher,
      expiresAt,
      start: UNKNOWN,
      digest: UNKNOWN,
      size,
      waiters: 0,
      isOpen,
      place,
      payers: payersOf(publisher),
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

  const publishers = new Map<string, Client>()
  const known = (name: Client): Client => {
    const publisher = publishers.get(name) ?? (copyOf(name) as Client)
    publishers.set(publisher, publisher)
    return publisher
  }
  let last = 0
  messages.load((head, place, changes) => {
    last = Math.max(last, head.seq)
    restore(head, known(head.publisher), place, changes)
  })
  return last
}
