/** Tracks the clients that a message waits for. */
import { type Inbox, inboxesOf, inboxOf } from './inboxes.ts'
import { type Client, isNamed } from './mailbox.ts'
import { hasNumber, indexAfter, NO_NUMBERS, same, withNumber, withoutNumber } from './sequence-numbers.ts'
import type { Entry, Topic } from './topic.ts'

/** Yields the sequence numbers after `seq` of messages that wait for the client. */
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

/** Returns the clients that the message waits for. */
export const waitersOf = (entry: Entry): Client[] => waitersAmong(entry, () => true)

/** Returns the clients with a key that the message waits for. On topics with many clients, most often have no key. */
export const namedWaitersOf = (entry: Entry): Client[] => waitersAmong(entry, isNamed)

const putIn = (inbox: Inbox, entry: Entry): void => {
  inbox.waiting = withNumber(inbox.waiting, entry.seq)
  if (inbox.state === 'unused') inbox.state = 'used'
  entry.waiters += 1
}

/** Makes the message wait for a client of its topic. */
export const addWaiter = (entry: Entry, client: Client): void => {
  const inbox = inboxOf(entry.topic, client)
  if (inbox && !hasNumber(inbox.waiting, entry.seq)) putIn(inbox, entry)
}

/**
 * Makes a new message wait for a client, unless the client published it or subscribed later. Returns 1 if the message
 * waits for the client and the client has a key, else 0.
 */
const addNewTo = (inbox: Inbox, entry: Entry): number => {
  if (inbox.client === entry.publisher || inbox.since >= entry.seq) return 0
  putIn(inbox, entry)
  return isNamed(inbox.client) ? 1 : 0
}

/**
 * Makes the message wait for all clients of its topic that subscribed before it was published, except its publisher.
 * Returns how many of them have a key.
 */
export const addWaiters = (entry: Entry): number => {
  const { inboxes } = entry.topic
  if (inboxes === undefined) return 0
  if (!(inboxes instanceof Map)) return addNewTo(inboxes, entry)
  let named = 0
  for (const inbox of inboxes.values()) named += addNewTo(inbox, entry)
  return named
}

/** Removes the message from the inbox's waiting messages. Returns false if it was not among them. */
export const releaseFrom = (entry: Entry, inbox: Inbox): boolean => {
  if (!hasNumber(inbox.waiting, entry.seq)) return false
  inbox.waiting = withoutNumber(inbox.waiting, entry.seq)
  entry.waiters -= 1
  return true
}

/** Makes the message no longer wait for a client. Returns false if it did not wait for the client. */
export const releaseClient = (entry: Entry, client: Client): boolean => {
  const inbox = inboxOf(entry.topic, client)
  return inbox !== undefined && releaseFrom(entry, inbox)
}
