/** Takes published messages in: each gets a number, its recipients and a record of the log. */
import type { Payers } from '@heliograph/shared/server/shares'
import type { Client, Publication, Taken } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { createRepeats, startOf } from './repeats.ts'
import { copyOf, entryOf } from './restore.ts'
import { withNumber } from './sequence-numbers.ts'
import { type Entry, entryAt, type Topic, takeAnnounced, toSeconds } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { awaitAll } from './waiters.ts'

/** A new message. */
type Held = Taken & { readonly entry: Entry }
/** What was taken in: a new message, or the entry of the one that it repeats. */
export type Found = Held | { entry: Entry; seq?: undefined }

export const isNew = (found: Found): found is Held => found.seq !== undefined

export type IntakeOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Throws RpcError -32005 if there is no room for so many bytes. */
  refuseFull: (topic: Topic | undefined, size: number, payers: Payers) => void
  /** The last number that was given to a message. */
  last: number
  /** Milliseconds of Unix time. */
  now: () => number
}

export const createIntake = ({ index, messages, recipients, refuseFull, last, now }: IntakeOptions) => {
  const repeatOf = createRepeats(messages, now)
  let lastTaken = last

  /** A message that is new waits for those who listen to its topic; or for the first to come, if all may not come back. */
  const enter = (held: Held, text: string): void => {
    const { entry } = held
    index.enter(entry)
    const named = awaitAll(entry)
    entry.isOpen = named === 0 || named < entry.waiters
    messages.add(entry, held, text, entry.isOpen)
    entry.topic.unannounced = withNumber(entry.topic.unannounced, entry.seq)
  }

  const forget = (entry: Entry): void => {
    takeAnnounced(entry.topic, entry.seq)
    if (entryAt(entry.topic, entry.seq)) void recipients.drop(entry)
  }

  /** Takes a message in, unless it repeats one that waits. */
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
    topic.usedAt = toSeconds(publishedAt)
    const expiresAt = publishedAt + ttl * 1000
    const entry = entryOf({ seq, publisher, expiresAt, size, isOpen: false }, topic, payers)
    entry.start = start
    const held: Held = { entry, seq, topic: topic.name, publisher, publishedAt, expiresAt, tag, attestation, size }
    enter(held, message)
    return held
  }

  return {
    /** Takes all in or, when one is refused, none. They are safe when the group of the log that they go into is. */
    takeAll: (publisher: Client, publications: readonly Publication[], payers: Payers): Found[] => {
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
    },
    /** Takes a message out that was refused. */
    forget,
    /** The last number that was given to a message. */
    lastTaken: (): number => lastTaken,
  }
}
