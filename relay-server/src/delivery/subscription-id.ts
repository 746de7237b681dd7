/** Subscription ids. */
import { createHash } from 'node:crypto'
import type { Client } from '../mailbox/mailbox.ts'

/** The id as v2 clients compute it. For a client without a key nobody else can compute it. */
export const subscriptionId = (topic: string, client: Client): string =>
  createHash('sha256')
    .update(topic + client)
    .digest('hex')
