/** Sums up the totals of all shards, as far as this server knows them. */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { MailboxLimits, MailboxSize } from '../mailbox.ts'
import type { Totals } from './topic-script.ts'

const NOTHING: Totals = { topics: 0, messages: 0, bytes: 0, subscriptions: 0 }

type Room = Record<'messages' | 'bytes' | 'subscriptions', number>

export const createTotals = (limits: MailboxLimits) => {
  const shards = Array.from({ length: SHARDS }, () => NOTHING)
  const sums = { ...NOTHING }
  /** Upper bound of what in-flight calls may still add. */
  const asked: Room = { messages: 0, bytes: 0, subscriptions: 0 }

  const ask = (amounts: Partial<Room>, sign: 1 | -1): void => {
    for (const name of ['messages', 'bytes', 'subscriptions'] as const) asked[name] += sign * (amounts[name] ?? 0)
  }

  return {
    /** Called with the totals in each answer. With a single server the sums are therefore exact. */
    note: (shard: number, totals: Totals): void => {
      const before = shards[shard] ?? NOTHING
      for (const name of ['topics', 'messages', 'bytes', 'subscriptions'] as const)
        sums[name] += totals[name] - before[name]
      shards[shard] = totals
    },
    size: (): MailboxSize => ({ ...sums }),
    /** Returns how much the limits over all topics still allow, after in-flight calls have taken their maximum. */
    room: (): Room => ({
      messages: limits.storeMessages - sums.messages - asked.messages,
      bytes: limits.storeBytes - sums.bytes - asked.bytes,
      subscriptions: limits.subscriptions - sums.subscriptions - asked.subscriptions,
    }),
    /** Makes a call that may add at most `amounts`. Concurrent calls get the remaining room. */
    asking: async <T>(amounts: Partial<Room>, call: () => Promise<T>): Promise<T> => {
      ask(amounts, 1)
      try {
        return await call()
      } finally {
        ask(amounts, -1)
      }
    },
  }
}
