/** Stores published frames in Redis, and charges their payers. */

import { type Accounts, payerNames } from '@heliograph/shared/server/limits/redis-accounts'
import { NOBODY } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Nodes } from '@heliograph/shared/server/redis/nodes'
import { type Redis, RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { shardOf } from '@heliograph/shared/server/redis/shards'
import type { Publication } from '../frame-queue.ts'
import type { Sent } from './outbox.ts'
import { type Answer, appendedIn, callTopic, channelOf } from './topic-script.ts'
import type { createTotals } from './totals.ts'

export type AppendingOptions = {
  redis: Redis
  nodes: Nodes
  accounts: Accounts
  totals: ReturnType<typeof createTotals>
  /** Milliseconds until a frame expires. */
  life: number
  log: Logger
  /** Applies the totals, expiries and refunds of an answer. Returns its values. */
  note: (topic: string, answer: Answer) => Answer['values']
}

const sizeOf = (frames: readonly Publication[]) => ({
  messages: frames.length,
  bytes: frames.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
})

export const createAppending = ({ redis, nodes, accounts, totals, life, log, note }: AppendingOptions) => {
  /** Stores frames until one is refused. Rejects with RedisUnavailable. `payers` has the payers' names in JSON. */
  const store = async (topic: string, frames: readonly Publication[], payers: string): Promise<Sent> => {
    const shard = shardOf(topic)
    const room = totals.limitsOf(shard)
    const { messages, bytes } = sizeOf(frames)
    const answered = (): void => totals.send(shard, -messages, -bytes)
    totals.send(shard, messages, bytes)
    try {
      const channel = redis.channel(channelOf(topic))
      const args = [
        ...[...room, channel, payers],
        ...frames.flatMap(({ publisher, text }) => [`${nodes.id}:${publisher}`, text]),
      ]
      const answer = await redis.storing(channel, () => callTopic(redis, 'append', topic, life, args))
      answered()
      const { accepted, limit } = appendedIn(note(topic, answer))
      return { accepted, refusal: limit && { limit } }
    } catch (err) {
      answered()
      throw err
    }
  }

  /** Charges the payers, which all frames have in common, and stores the frames. Rejects with RedisUnavailable. */
  const buy = async (topic: string, frames: readonly Publication[]): Promise<Sent> => {
    const { payers } = frames[0] ?? { payers: NOBODY }
    const spent = await accounts.take(payers, sizeOf(frames))
    if (spent) return { accepted: 0, refusal: { spent } }
    let accepted = 0
    try {
      const sent = await store(topic, frames, payerNames(payers))
      accepted = sent.accepted
      return sent
    } finally {
      if (accepted < frames.length) accounts.giveBack(payers, sizeOf(frames.slice(accepted)))
    }
  }

  /** Stores frames of one topic with the same payers, until one is refused. Never rejects. */
  return async (topic: string, frames: readonly Publication[]): Promise<Sent> => {
    try {
      return await buy(topic, frames)
    } catch (err) {
      const level = err instanceof RedisUnavailable ? 'warn' : 'error'
      log[level]({ err }, 'Redis did not store a frame')
      return { accepted: 0, refusal: 'storageUnavailable' }
    }
  }
}
