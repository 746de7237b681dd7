/** Who waits for a message: changes of it are kept in the topics and noted in the log, and with the last it goes. */
import { type Client, isNamed } from './mailbox.ts'
import type { Change, MessageLog } from './message-log.ts'
import { type Entry, entryAt, type Inbox, type Topic } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'
import { awaitClient, namedWaitersOf, releaseClient, releaseFrom, waitingAfter } from './waiters.ts'

const DONE = Promise.resolve()

export type Recipients = ReturnType<typeof createRecipients>

export const createRecipients = (index: TopicIndex, messages: MessageLog) => {
  /** The message goes, whoever waits for it. */
  const drop = (entry: Entry): Promise<void> => {
    index.leave(entry)
    return messages.remove(entry, entry.seq)
  }

  /** The message has expired. */
  const expire = (entry: Entry): void => {
    index.leave(entry)
    messages.expire(entry)
  }

  const note = (entry: Entry, change: Change): Promise<void> =>
    entry.waiters > 0 || entry.isOpen ? messages.change(entry.seq, change) : drop(entry)

  /** Who waits, in full. Sockets do not outlive the process. */
  const waits = (entry: Entry): Change => ['waits', entry.isOpen, namedWaitersOf(entry)]

  /** What waits for the first to come is a named client's alone once that comes; those without a name share it. */
  const claim = (client: Client, entry: Entry): void => {
    if (!entry.isOpen || entry.publisher === client) return
    if (isNamed(client) && namedWaitersOf(entry).length > 0) return
    awaitClient(entry, client)
    if (!isNamed(client)) return
    entry.isOpen = false
    void note(entry, waits(entry))
  }

  /** The client has the message: it waits for it no more. What waits for the first to come has come to a socket then. */
  const deliver = (client: Client, inbox: Inbox, entry: Entry): Promise<void> => {
    if (!releaseFrom(entry, inbox)) return DONE
    if (isNamed(client)) return note(entry, ['acknowledged', client])
    // Those without a name that follow do not get it, too.
    const isConsumed = entry.isOpen
    entry.isOpen = false
    if (entry.waiters === 0) return drop(entry)
    return isConsumed ? note(entry, waits(entry)) : DONE
  }

  /** The client waits for the message no more, without having it. */
  const release = (client: Client, entry: Entry): void => {
    if (!releaseClient(entry, client)) return
    if (isNamed(client)) void note(entry, ['acknowledged', client])
    else if (entry.waiters === 0 && !entry.isOpen) void drop(entry)
  }

  /** The client has gone from the topic: nothing waits for it there. */
  const dismiss = (client: Client, topic: Topic): void => {
    for (const seq of [...waitingAfter(topic, client, 0)]) {
      const entry = entryAt(topic, seq)
      if (entry) release(client, entry)
    }
    index.strike(client, topic)
  }

  /** The client has never come: what waits for it alone waits for the first to come. */
  const withdraw = (client: Client, topic: Topic): void => {
    for (const seq of [...waitingAfter(topic, client, 0)]) {
      const entry = entryAt(topic, seq)
      if (!entry || !releaseClient(entry, client)) continue
      if (entry.waiters === 0) entry.isOpen = true
      void messages.change(entry.seq, waits(entry))
    }
    index.strike(client, topic)
  }

  return { drop, expire, waits, claim, deliver, dismiss, withdraw }
}
