/** The inboxes of a topic by their clients. Most topics have one client or two; one alone takes no map. */
import type { Client } from './mailbox.ts'
import type { Inbox } from './topic.ts'

export type Inboxes = undefined | Inbox | Map<Client, Inbox>

/** Something that has inboxes: a topic. */
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

/** Adds an inbox, in the place of another of the same client. */
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

/** Takes out the inbox of a client, if it is there. */
export const removeInbox = (holder: Holder, client: Client): void => {
  const { inboxes } = holder
  if (!(inboxes instanceof Map)) {
    if (inboxes?.client === client) holder.inboxes = undefined
    return
  }
  inboxes.delete(client)
  if (inboxes.size <= 1) [holder.inboxes] = inboxes.values()
}
