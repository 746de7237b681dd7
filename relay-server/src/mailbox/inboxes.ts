/** A topic's inboxes by client. Most topics have one or two clients; a single inbox is stored without a map. */
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Place } from '@heliograph/shared/server/storage/blocks'
import type { Client } from './mailbox.ts'

/**
 * Sequence numbers of the messages that wait for a client on a topic, in order. `since` is the last sequence number
 * before it subscribed, `seenAt` the time of its last activity in Unix seconds. The inbox ends when the client is
 * unsubscribed, and a new subscription gets a new inbox.
 */
export type Inbox = Place & {
  client: Client
  since: number
  seenAt: number
  waiting: number[]
  /**
   * `unused` until the client has had a message, then `used`, and `noted` once the log records this. `over` once the
   * client is unsubscribed.
   */
  state: 'unused' | 'used' | 'noted' | 'over'
  payers: Payers
}

export type Inboxes = undefined | Inbox | Map<Client, Inbox>

type Holder = { inboxes: Inboxes }

export const inboxOf = ({ inboxes }: Holder, client: Client): Inbox | undefined => {
  if (inboxes instanceof Map) return inboxes.get(client)
  return inboxes?.client === client ? inboxes : undefined
}

const NONE: readonly Inbox[] = []

export const inboxesOf = ({ inboxes }: Holder): Iterable<Inbox> => {
  if (inboxes instanceof Map) return inboxes.values()
  return inboxes ? [inboxes] : NONE
}

export const inboxCount = ({ inboxes }: Holder): number => {
  if (inboxes instanceof Map) return inboxes.size
  return inboxes ? 1 : 0
}

/** Adds an inbox, or replaces the client's. */
export const putInbox = (holder: Holder, inbox: Inbox): void => {
  const { inboxes } = holder
  if (inboxes instanceof Map) inboxes.set(inbox.client, inbox)
  else if (!inboxes || inboxes.client === inbox.client) holder.inboxes = inbox
  else
    holder.inboxes = new Map([
      [inboxes.client, inboxes],
      [inbox.client, inbox],
    ])
}

/** Removes a client's inbox if there is one. */
export const removeInbox = (holder: Holder, client: Client): void => {
  const { inboxes } = holder
  if (!(inboxes instanceof Map)) {
    if (inboxes?.client === client) holder.inboxes = undefined
    return
  }
  inboxes.delete(client)
  if (inboxes.size <= 1) [holder.inboxes] = inboxes.values()
}
