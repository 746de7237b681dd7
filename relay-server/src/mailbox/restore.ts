/** Restores a mailbox from its log. */

import { NOBODY, type Payers } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Place } from '@heliograph/shared/server/storage/blocks'
import { inboxesOf } from './inboxes.ts'
import type { Client } from './mailbox.ts'
import type { Change, MessageLog, Visitor } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { copyOf, type Entry, entryOf, type Topic } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { addWaiter, addWaiters, releaseClient, waitersOf } from './waiters.ts'

const NO_CHANGES: readonly Change[] = []

const put = (what: Place, { block, at, length }: Place): void => {
  what.block = block
  what.at = at
  what.length = length
}

export type RestoreOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Returns the accounts charged for a client's existing data. */
  payersOf: (client: Client) => Payers
  log: Logger
  /** Unix time in milliseconds. */
  now: number
}

/**
 * Loads all subscriptions and messages into the index. A message waits for the clients that subscribed before it,
 * unless its changes in the log differ. Returns the highest assigned sequence number.
 */
export const restore = ({ index, messages, recipients, payersOf, log, now }: RestoreOptions): number => {
  const entries = new Map<number, Entry>()
  const changes = new Map<number, Change[]>()
  const publishers = new Map<string, Client>()
  let last = 0

  /** Returns the same string object for the same client, to save memory. */
  const known = (name: Client): Client => {
    const found = publishers.get(name)
    if (found) return found
    const client = copyOf(name) as Client
    publishers.set(client, client)
    return client
  }
  const topicOf = (name: string): Topic => index.find(name) ?? index.topicOf(copyOf(name))

  const visitor: Visitor = {
    message: (head, place) => {
      last = Math.max(last, head.seq)
      head.publisher = known(head.publisher)
      const entry = entries.get(head.seq) ?? entryOf(head, topicOf(head.topic), NOBODY)
      entries.set(head.seq, entry)
      put(entry, place)
    },
    gone: seq => {
      last = Math.max(last, seq)
      entries.delete(seq)
      changes.delete(seq)
    },
    changed: (seq, change) => {
      last = Math.max(last, seq)
      const list = changes.get(seq)
      if (list) list.push(change)
      else changes.set(seq, [change])
    },
    subscribed: ({ topic: name, client: stored, since, seenAt, isUsed }, place) => {
      last = Math.max(last, since)
      const client = known(stored)
      index.strike(client, topicOf(name))
      const inbox = index.enroll(client, topicOf(name), since, seenAt, payersOf(client))
      if (isUsed) inbox.state = 'noted'
      put(inbox, place)
    },
    unsubscribed: (name, client) => {
      const topic = index.find(name)
      if (topic) index.strike(client, topic)
    },
  }
  messages.load(visitor, (after, before) =>
    log.error({ after, ...(before !== undefined && { before }) }, 'messages between these numbers may be lost'),
  )

  for (const topic of index.all()) for (const inbox of inboxesOf(topic)) messages.retain(inbox)

  /** Applies the changes of a message. Returns true if it certainly has no recipients left. */
  const apply = (entry: Entry, list: readonly Change[]): boolean => {
    /** The remaining clients, if a change listed them completely. */
    let waiting: Set<Client> | undefined
    for (const [what, detail, clients] of list) {
      if (what === 'acknowledged') {
        releaseClient(entry, detail)
        waiting?.delete(detail)
      } else {
        for (const client of waitersOf(entry)) releaseClient(entry, client)
        for (const client of clients) addWaiter(entry, client)
        entry.isOpen = detail
        waiting = new Set(clients)
      }
    }
    return waiting?.size === 0 && !entry.isOpen
  }

  const done: Entry[] = []
  for (const entry of entries.values()) {
    if (entry.expiresAt <= now) continue
    // The index removes a topic with its last client, so `entry.topic` may be an object that the index no longer has.
    entry.topic = index.topicOf(entry.topic.name)
    // The account may have been dropped and created again since the record was read, so it is looked up here.
    entry.payers = payersOf(entry.publisher)
    index.enter(entry)
    messages.retain(entry)
    addWaiters(entry)
    const isDone = changes.size > 0 && apply(entry, changes.get(entry.seq) ?? NO_CHANGES)
    if (isDone) done.push(entry)
    // The log has lost the record of the message's recipients, so the next client that subscribes gets the message.
    else if (entry.waiters === 0) entry.isOpen = true
  }
  // Completed messages are removed after all reads, because a removal can delete a file.
  for (const entry of done) void recipients.drop(entry)
  index.prune()
  return last
}
