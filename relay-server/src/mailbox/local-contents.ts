/** Reads and writes the mailbox of a data folder, for a transfer between a data folder and Redis. */
import { createShares, NOBODY, resources, type ShareLimits } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import { NOWHERE, type Place } from '@heliograph/shared/server/storage/blocks'
import type { Log } from '@heliograph/shared/server/storage/log'
import type { StoredClient, StoredMessage, TopicContents } from './contents.ts'
import { inboxesOf } from './inboxes.ts'
import { isNamed } from './mailbox.ts'
import { openMessageLog } from './message-log.ts'
import { createRecipients } from './recipients.ts'
import { restore } from './restore.ts'
import type { Topic } from './topic.ts'
import { createTopicIndex } from './topic-index.ts'
import { namedWaitersOf } from './waiters.ts'

/** Infinite shares, because nobody is charged while a folder is read. */
export const UNLIMITED = Object.fromEntries(
  resources.map(resource => [resource, Number.POSITIVE_INFINITY]),
) as ShareLimits

/** Number of messages after which the writer waits for a commit. */
const PAGE = 1000

const clientsOf = (topic: Topic): StoredClient[] =>
  [...inboxesOf(topic)]
    .filter(({ client }) => isNamed(client))
    .map(({ client, seenAt, state }) => ({ client, seenAt: seenAt * 1000, isUsed: state !== 'unused' }))

/** Yields the contents of all topics, including expired messages and subscriptions. */
export const readLocalContents = function* (storage: Log, log: Logger): Generator<TopicContents> {
  const messages = openMessageLog(storage)
  const index = createTopicIndex(0, createShares(UNLIMITED))
  const recipients = createRecipients(index, messages)
  restore({ index, messages, recipients, payersOf: () => NOBODY, log, now: 0 })

  const messagesOf = function* (topic: Topic): Generator<StoredMessage> {
    for (const entry of topic.entries) {
      const message = messages.read(entry)
      if (message) yield { ...message, isOpen: entry.isOpen, waiting: namedWaitersOf(entry) }
    }
  }
  for (const topic of index.all()) yield { topic: topic.name, clients: clientsOf(topic), messages: messagesOf(topic) }
}

const nowhere = (): Place => ({ block: NOWHERE, at: 0, length: 0 })

/** Returns a function that writes a topic to an empty folder. It rejects if the disk refuses the records. */
export const createLocalWriter = (storage: Log): ((contents: TopicContents) => Promise<void>) => {
  const log = openMessageLog(storage)
  log.load({ message: ignore, gone: ignore, changed: ignore, subscribed: ignore, unsubscribed: ignore }, ignore)
  /** Sequence numbers in use. They are unique in a data folder, but in Redis only within a topic. */
  const numbers = new Set<number>()

  const numberAfter = (last: number, wanted: number): number => {
    let seq = Math.max(wanted, last + 1)
    while (numbers.has(seq)) seq += 1
    numbers.add(seq)
    return seq
  }

  return async ({ topic, clients, messages }) => {
    let last = 0
    let count = 0
    for await (const message of messages) {
      last = numberAfter(last, message.seq)
      log.add(nowhere(), { ...message, seq: last }, message.json, message.isOpen)
      void log.change(last, ['waits', message.isOpen, message.waiting])
      count += 1
      if (count % PAGE === 0) await log.commit()
    }
    for (const { client, seenAt, isUsed } of clients) {
      // An unused client has never had a message, so its subscription starts after the last of these messages.
      const since = isUsed ? 0 : last
      void log.subscribe(nowhere(), { topic, client, since, seenAt, isUsed }).catch(ignore)
    }
    await log.commit()
  }
}

const ignore = (): void => undefined
