/** A topic's inboxes by client. Most topics have one or two clients; a single inbox is stored without a map. */
import type { Client } from './mailbox.ts'
import type { Inbox } from './topic.ts'

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
