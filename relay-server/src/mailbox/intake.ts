/**
 * Accepts published messages: assigns sequence numbers and recipients, appends them to the log, tracks which are
 * durable, and keeps announcements in order. Messages that the log writes together become durable together.
 */
import { NOBODY, type Payers } from '@heliograph/shared/server/limits/shares'
import type { Accepted, Client, Commit, Mailbox, Publication } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { createRepeats, startOf } from './repeats.ts'
import { withNumber } from './sequence-numbers.ts'
import { copyOf, type Entry, entryAt, entryOf, markAnnounced, type Topic, toSeconds } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { addWaiters } from './waiters.ts'

/** `accepted` is undefined if the message repeats a stored one. `entry` is then the stored message's entry. */
type Entered = { entry: Entry; accepted: Accepted | undefined }

const NONE: readonly Accepted[] = []

/** Returns the messages that are not repeats. Usually there is only one. */
const acceptedOf = (all: readonly Entered[]): readonly Accepted[] => {
  const [first] = all
  if (all.length > 1) return all.flatMap(({ accepted }) => accepted ?? NONE)
  return first?.accepted ? [first.accepted] : NONE
}

/** Messages that the log writes together, and their commit. */
type Write = { entries: Entry[]; commit: Commit }

export type IntakeOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Throws RpcError -32002 while the store is failing. */
  refuseFailing: () => void
  /** Throws RpcError -32005 if there is no room for that many bytes. */
  refuseMessage: (topic: Topic | undefined, size: number, payers: Payers) => void
  /** Resolves when the promise does. Rejects with RpcError -32002 if it rejects. */
  asUnavailable: (written: Promise<void>) => Promise<void>
  /** Highest assigned sequence number. */
  last: number
  /** Returns Unix time in milliseconds. */
  now: () => number
}

export type Intake = Pick<Mailbox, 'append' | 'announce' | 'textOf'> & {
  /** Highest assigned sequence number. */
  lastSeq: () => number
  /** Highest durable sequence number. Later messages are not delivered yet. */
  lastDurable: () => number
}

/** Returns the entry of a message that this mailbox accepted. */
const entryIn = ({ entry }: Accepted): Entry => entry as Entry

export const createIntake = (options: IntakeOptions): Intake => {
  const { index, messages, recipients, refuseFailing, refuseMessage, asUnavailable, last, now } = options
  const repeatOf = createRepeats(messages, now)
  let lastSeq = last
  let lastDurable = last
  /** The next write, once it has messages. */
  let next: Write | undefined
  /** Writes that are not durable yet, usually one or two. */
  const pending = new Set<Write>()

  messages.beforeWrite(() => {
    next = undefined
  })

  /**
   * Adds a new message for the topic's recipients. If there are none, or if one has no key, the next client that
   * subscribes gets it too.
   */
  const enter = (entry: Entry, accepted: Accepted, json: string): void => {
    index.enter(entry)
    const named = addWaiters(entry)
    entry.isOpen = named === 0 || named < entry.waiters
    messages.add(entry, accepted, json, entry.isOpen)
    entry.topic.unannounced = withNumber(entry.topic.unannounced, entry.seq)
  }

  const forget = (entry: Entry): void => {
    markAnnounced(entry.topic, entry.seq)
    if (entryAt(entry.topic, entry.seq)) void recipients.drop(entry)
  }

  /** Accepts a message unless it repeats a stored one, which needs no room. */
  const take = (publisher: Client, publication: Publication, payers: Payers): Entered => {
    const { topic: name, json, size, ttl, tag, attestation } = publication
    const known = index.find(name)
    const start = startOf(json)
    const repeated = known && repeatOf(publisher, json, start, known, size)
    if (repeated) return { entry: repeated, accepted: undefined }
    refuseMessage(known, size, payers)
    const topic = known ?? index.topicOf(copyOf(name))
    lastSeq += 1
    const seq = lastSeq
    const publishedAt = now()
    topic.usedAt = toSeconds(publishedAt)
    const expiresAt = publishedAt + ttl * 1000
    const entry = entryOf({ seq, publisher, expiresAt, size, isOpen: false }, topic, payers)
    entry.start = start
    const accepted = { entry, seq, topic: topic.name, publisher, publishedAt, expiresAt, tag, attestation, size }
    enter(entry, accepted, json)
    return { entry, accepted }
  }

  const takeAll = (publisher: Client, publications: readonly Publication[], payers: Payers): Entered[] => {
    const [first] = publications
    // A single message, which is the usual case, needs no batch.
    if (first && publications.length === 1) return [take(publisher, first, payers)]
    const all: Entered[] = []
    try {
      messages.batch(() => {
        for (const publication of publications) all.push(take(publisher, publication, payers))
      })
      return all
    } catch (refusal) {
      for (const { entry, accepted } of all) if (accepted) forget(entry)
      throw refusal
    }
  }

  const finish = async (entries: readonly Entry[], written: Promise<void>): Promise<void> => {
    try {
      await asUnavailable(written)
    } catch (refusal) {
      for (const entry of entries) forget(entry)
      throw refusal
    }
    lastDurable = Math.max(lastDurable, entries.at(-1)?.seq ?? 0)
  }

  const startWrite = (): Write => {
    const entries: Entry[] = []
    const write = { entries, commit: { durable: finish(entries, messages.commit()) } }
    const remove = (): void => {
      pending.delete(write)
    }
    pending.add(write)
    write.commit.durable.then(remove, remove)
    return write
  }

  /** Returns a commit that is durable once the pending writes of all these messages are. */
  const commitOfAll = (all: readonly Entered[]): Commit => {
    const writes = [...pending].filter(({ entries }) => all.some(({ entry }) => entries.includes(entry)))
    return { durable: Promise.all(writes.map(({ commit }) => commit.durable)).then(() => undefined) }
  }

  /** Returns the commit of these messages, and of messages that they repeat unless these are durable already. */
  const commitOf = (all: readonly Entered[]): Commit => {
    for (const { entry, accepted } of all) {
      if (!accepted) continue
      next ??= startWrite()
      next.entries.push(entry)
    }
    return next && all.every(({ accepted }) => accepted) ? next.commit : commitOfAll(all)
  }

  return {
    append: (publisher, publications, payers = NOBODY) => {
      refuseFailing()
      const all = takeAll(publisher, publications, payers)
      return { accepted: acceptedOf(all), commit: commitOf(all) }
    },

    announce: accepted => {
      const { seq, topic } = entryIn(accepted)
      if (!markAnnounced(topic, seq)) return undefined
      return entryAt(topic, seq) ? accepted : undefined
    },

    textOf: accepted => messages.textOf(entryIn(accepted)),

    lastSeq: () => lastSeq,
    lastDurable: () => lastDurable,
  }
}
