/** Ids of subscriptions. */
import { createHash } from 'node:crypto'
import type { Client } from './mailbox/mailbox.ts'

/** The id that v2 clients compute for themselves; for a socket without a name nobody else can. */
export const subscriptionId = (topic: string, client: Client): string =>
  createHash('sha256')
    .update(topic + client)
    .digest('hex')
