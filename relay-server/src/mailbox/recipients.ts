/**
 * Changes the recipients of messages in memory, and notes the changes in the log. Removes a message together with its
 * last recipient.
 */
import type { Inbox } from './inboxes.ts'
import { type Client, isNamed } from './mailbox.ts'
import type { Change, MessageLog } from './message-log.ts'
import { type Entry, entryAt, type Topic } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { addWaiter, namedWaitersOf, releaseClient, releaseFrom, waitingAfter } from './waiters.ts'

const DONE = Promise.resolve()

export type Recipients = ReturnType<typeof createRecipients>

export const createRecipients = (index: TopicIndex, messages: MessageLog) => {
  /** Removes a message. */
  const drop = (entry: Entry): Promise<void> => {
    index.leave(entry)
    return messages.remove(entry, entry.seq)
  }

  /** Removes an expired message. */
  const expire = (entry: Entry): void => {
    index.leave(entry)
    messages.expire(entry)
  }

  const note = (entry: Entry, change: Change): Promise<void> =>
    entry.waiters > 0 || entry.isOpen ? messages.change(entry.seq, change) : drop(entry)

  /**
   * Returns the complete list of clients that the message waits for, without sockets, which do not survive a restart.
   */
  const waits = (entry: Entry): Change => ['waits', entry.isOpen, namedWaitersOf(entry)]

  /**
   * Gives an open message to a client. A client with a key closes it to later clients; a client without a key does not.
   */
  const claim = (client: Client, entry: Entry): void => {
    if (!entry.isOpen || entry.publisher === client) return
    if (isNamed(client) && namedWaitersOf(entry).length > 0) return
    addWaiter(entry, client)
    if (!isNamed(client)) return
    entry.isOpen = false
    void note(entry, waits(entry))
  }

  /** After an acknowledgement by a socket, the message is no longer open. */
  const acknowledge = (client: Client, inbox: Inbox, entry: Entry): Promise<void> => {
    if (!releaseFrom(entry, inbox)) return DONE
    if (isNamed(client)) return note(entry, ['acknowledged', client])
    // The acknowledgement consumes an open message, so sockets that subscribe later must not get it.
    const isConsumed = entry.isOpen
    entry.isOpen = false
    if (entry.waiters === 0) return drop(entry)
    return isConsumed ? note(entry, waits(entry)) : DONE
  }

  /** Removes a recipient that has not acknowledged the message. */
  const release = (client: Client, entry: Entry): void => {
    if (!releaseClient(entry, client)) return
    if (isNamed(client)) void note(entry, ['acknowledged', client])
    else if (entry.waiters === 0 && !entry.isOpen) void drop(entry)
  }

  /** Removes a client from the topic's messages after it unsubscribed. */
  const dismiss = (client: Client, topic: Topic): void => {
    for (const seq of [...waitingAfter(topic, client, 0)]) {
      const entry = entryAt(topic, seq)
      if (entry) release(client, entry)
    }
    index.strike(client, topic)
  }

  /** Undoes a subscription that was not stored. Messages that waited only for the client become open. */
  const withdraw = (client: Client, topic: Topic): void => {
    for (const seq of [...waitingAfter(topic, client, 0)]) {
      const entry = entryAt(topic, seq)
      if (!entry || !releaseClient(entry, client)) continue
      if (entry.waiters === 0) entry.isOpen = true
      void messages.change(entry.seq, waits(entry))
    }
    index.strike(client, topic)
  }

  return { drop, expire, waits, claim, acknowledge, dismiss, withdraw }
}
