/** Subscription ids. */
import { createHash } from 'node:crypto'
import type { Client } from '../mailbox/mailbox.ts'

/** The id as v2 clients compute it. That of a client without a key cannot be computed by others. */
export const subscriptionId = (topic: string, client: Client): string =>
  createHash('sha256')
    .update(topic + client)
    .digest('hex')
