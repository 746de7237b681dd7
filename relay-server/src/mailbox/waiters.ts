/** Which clients of its topic a message waits for. */
import { inboxesOf, inboxOf } from './inboxes.ts'
import { type Client, isNamed } from './mailbox.ts'
import { hasNumber, indexAfter, NO_NUMBERS, same, withNumber, withoutNumber } from './sequence-numbers.ts'
import type { Entry, Inbox, Topic } from './topic.ts'

/** Sequence numbers of what waits for the client after that one. */
export const waitingAfter = function* (topic: Topic, client: Client, seq: number): Generator<number> {
  const waiting = inboxOf(topic, client)?.waiting ?? NO_NUMBERS
  for (let at = indexAfter(waiting, seq, same); at < waiting.length; at++) {
    const next = waiting[at]
    if (next !== undefined) yield next
  }
}

const waitersAmong = (entry: Entry, suits: (client: Client) => boolean): Client[] => {
  const clients: Client[] = []
  if (entry.waiters === 0) return clients
  for (const { client, waiting } of inboxesOf(entry.topic))
    if (suits(client) && hasNumber(waiting, entry.seq)) clients.push(client)
  return clients
}

/** The clients the message waits for. */
export const waitersOf = (entry: Entry): Client[] => waitersAmong(entry, () => true)

/** Those of them that have a name. Most of the many that a topic may have are often sockets, of which each costs little. */
export const namedWaitersOf = (entry: Entry): Client[] => waitersAmong(entry, isNamed)

const putIn = (inbox: Inbox, entry: Entry): void => {
  inbox.waiting = withNumber(inbox.waiting, entry.seq)
  if (inbox.state === 'unused') inbox.state = 'used'
  entry.waiters += 1
}

/** Makes the message wait for a client of its topic. */
export const awaitClient = (entry: Entry, client: Client): void => {
  const inbox = inboxOf(entry.topic, client)
  if (inbox && !hasNumber(inbox.waiting, entry.seq)) putIn(inbox, entry)
}

/**
 * Makes the message wait for all clients of its topic that came before it, but its publisher. Returns how many of them
 * have a name.
 */
export const awaitAll = (entry: Entry): number => {
  let named = 0
  if (entry.topic.inboxes === undefined) return named
  for (const inbox of inboxesOf(entry.topic)) {
    if (inbox.client === entry.publisher || inbox.since >= entry.seq) continue
    putIn(inbox, entry)
    if (isNamed(inbox.client)) named += 1
  }
  return named
}

/** Makes the message wait no more for the client whose inbox that is. Returns whether it did. */
export const releaseFrom = (entry: Entry, inbox: Inbox): boolean => {
  if (!hasNumber(inbox.waiting, entry.seq)) return false
  inbox.waiting = withoutNumber(inbox.waiting, entry.seq)
  entry.waiters -= 1
  return true
}

/** Makes the message wait for the client no more. Returns whether it did. */
export const releaseClient = (entry: Entry, client: Client): boolean => {
  const inbox = inboxOf(entry.topic, client)
  return inbox !== undefined && releaseFrom(entry, inbox)
}
