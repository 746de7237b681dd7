/** Recomputes the usage of each payer, after a transfer has changed topics without charging anybody. */
import { type Amounts, heldIn, setHeld } from '@heliograph/shared/server/limits/redis-accounts'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { each } from '@heliograph/shared/server/transfer/each'
import { callTopic } from './topic-script.ts'

/** Sets the accounts of all payers. `topics` must be all topics. `lifetime` is an account's lifetime in ms. */
export const recountPayers = async (redis: Redis, topics: readonly string[], lifetime: number): Promise<void> => {
  const accounts = new Map<string, Amounts>()
  await each(topics, async topic => {
    const { value } = await callTopic(redis, 'crowd', topic, Date.now(), [])
    for (const { payer, resource, amount } of heldIn(value)) {
      const held = accounts.get(payer) ?? {}
      held[resource] = (held[resource] ?? 0) + amount
      accounts.set(payer, held)
    }
  })
  await each(accounts, ([payer, amounts]) => setHeld({ redis, prefix: 'relay', lifetime }, payer, amounts))
}
