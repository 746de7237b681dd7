/** Accepts published messages: assigns sequence numbers and recipients, and writes them to the log. */
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Client, Publication, Taken } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { createRepeats, startOf } from './repeats.ts'
import { withNumber } from './sequence-numbers.ts'
import { copyOf, type Entry, entryAt, entryOf, markAnnounced, type Topic, toSeconds } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { addWaiters } from './waiters.ts'

type Held = Taken & { readonly entry: Entry }
/** A new message, or the entry of the stored message that it repeats. */
export type Found = Held | { entry: Entry; seq?: undefined }

export const isNew = (found: Found): found is Held => found.seq !== undefined

export type IntakeOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Throws RpcError -32005 if there is no room for that many bytes. */
  refuseFull: (topic: Topic | undefined, size: number, payers: Payers) => void
  /** Highest assigned sequence number. */
  last: number
  /** Clock: Unix time in milliseconds. */
  now: () => number
}

export const createIntake = ({ index, messages, recipients, refuseFull, last, now }: IntakeOptions) => {
  const repeatOf = createRepeats(messages, now)
  let lastTaken = last

  /** Adds a new message for the topic's recipients. If none of them has a key, it also waits for the first new client. */
  const enter = (held: Held, json: string): void => {
    const { entry } = held
    index.enter(entry)
    const named = addWaiters(entry)
    entry.isOpen = named === 0 || named < entry.waiters
    messages.add(entry, held, json, entry.isOpen)
    entry.topic.unannounced = withNumber(entry.topic.unannounced, entry.seq)
  }

  const forget = (entry: Entry): void => {
    markAnnounced(entry.topic, entry.seq)
    if (entryAt(entry.topic, entry.seq)) void recipients.drop(entry)
  }

  /** Accepts a message unless it repeats a stored one. */
  const take = (publisher: Client, publication: Publication, payers: Payers): Found => {
    const { topic: name, json, size, ttl, tag, attestation } = publication
    const known = index.find(name)
    const start = startOf(json)
    const repeated = known && repeatOf(publisher, json, start, known, size)
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
    enter(held, json)
    return held
  }

  return {
    /** Accepts all messages or, if one is refused, none. They are durable when the log's current group is. */
    takeAll: (publisher: Client, publications: readonly Publication[], payers: Payers): Found[] => {
      const [first] = publications
      // Usually there is only one, which needs no list.
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
    /** Removes a message whose write failed. */
    forget,
    /** Highest assigned sequence number. */
    lastTaken: (): number => lastTaken,
  }
}
