/** The sums of all shards, as far as this server knows them. */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { MailboxLimits, MailboxSize } from '../mailbox.ts'
import type { Totals } from './topic-script.ts'

const NOTHING: Totals = { topics: 0, messages: 0, bytes: 0, subscriptions: 0 }

export const createTotals = (limits: MailboxLimits) => {
  const shards = Array.from({ length: SHARDS }, () => NOTHING)
  const sums = { ...NOTHING }

  return {
    /** Called with each answer, so that the sums are exact as long as there is one server. */
    note: (shard: number, totals: Totals): void => {
      const before = shards[shard] ?? NOTHING
      for (const name of ['topics', 'messages', 'bytes', 'subscriptions'] as const)
        sums[name] += totals[name] - before[name]
      shards[shard] = totals
    },
    size: (): MailboxSize => ({ ...sums }),
    /** The room that the limits of all topics leave. */
    room: () => ({
      messages: limits.storeMessages - sums.messages,
      bytes: limits.storeBytes - sums.bytes,
      subscriptions: limits.subscriptions - sums.subscriptions,
    }),
  }
}
