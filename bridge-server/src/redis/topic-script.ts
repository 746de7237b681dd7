/** The calls of topic.lua. Each is atomic and concerns one topic, whose shard has the totals. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crowdLua, type Held, heldIn } from '@heliograph/shared/server/limits/redis-accounts'
import { freeing, listOf, type Redis, type Reply, scriptOf } from '@heliograph/shared/server/redis/redis'
import { markLua, shardKey, shardOf } from '@heliograph/shared/server/redis/shards'
import type { QueueLimits } from '../frame-queue.ts'

const MICROSECONDS = 1000

export const topicScript = scriptOf(crowdLua + readFileSync(new URL('topic.lua', import.meta.url), 'utf8'))

/** Totals over the topics of a shard. `oldestAt` is Unix time in milliseconds, or 0 if there are no frames. */
export type Totals = { topics: number; frames: number; bytes: number; oldestAt: number }

const keyOf = (shard: number, name: string): string => shardKey('bridge', shard, name)

/** Returns the channel on which the topic's new frames are published. */
export const channelOf = (topic: string): string => keyOf(shardOf(topic), `channel:${topic}`)

const keysOf = (topic: string): [string, ...string[]] => {
  const shard = shardOf(topic)
  const names = [`meta:${topic}`, `frames:${topic}`, `crowd:${topic}`, 'totals', 'due']
  return names.map(name => keyOf(shard, name)) as [string]
}

const totalsOf = (reply: readonly Reply[]): Totals => {
  const [topics = 0, frames = 0, bytes = 0, oldest = 0] = reply.map(Number)
  return { topics, frames, bytes, oldestAt: Math.floor(oldest / MICROSECONDS) }
}

/** Returns a shard's totals, some topics with expired frames, and the shard's mark. */
const shardScript = scriptOf(`${markLua}
  local clock = redis.call('TIME')
  local before = tonumber(clock[1]) * 1000000 + tonumber(clock[2]) - tonumber(ARGV[1])
  local sums = redis.call('HMGET', KEYS[1], 'frames', 'bytes')
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', before), 'LIMIT', 0, ARGV[2])
  return { { redis.call('ZCARD', KEYS[2]), sums[1] or 0, sums[2] or 0, oldest or 0 }, old, mark }`)

/**
 * Reads a shard's totals and mark, and at most `most` of its topics with expired frames. It is a single call, so that
 * its answer keeps its order among the answers of `callTopic`.
 */
export const readShard = async (
  redis: Redis,
  shard: number,
  life: number,
  most: number,
): Promise<{ totals: Totals; due: string[]; mark: string }> => {
  const keys: [string, string] = [keyOf(shard, 'totals'), keyOf(shard, 'due')]
  const args = [`${life * MICROSECONDS}`, `${most}`, randomUUID()]
  const [totals, due, mark] = listOf(await redis.run(freeing(shardScript), keys, args))
  return { totals: totalsOf(listOf(totals)), due: listOf(due).map(String), mark: String(mark) }
}

/** Returns all topics of a shard that have frames. */
export const topicsOf = async (redis: Redis, shard: number): Promise<string[]> => {
  const key = keyOf(shard, 'due')
  return listOf(await redis.send(key, ['ZRANGE', key, '0', '-1'])).map(String)
}

/** Answer to a call. `expired` is the number of expired frames that it removed, `freed` what each payer is refunded. */
export type Answer = { totals: Totals; expired: number; freed: Held; values: readonly Reply[] }

/** Calls topic.lua and decodes the answer. `life` is the time in milliseconds for which frames are kept. */
export const callTopic = async (
  redis: Redis,
  call: 'append' | 'read' | 'remove' | 'sweep' | 'restore',
  topic: string,
  life: number,
  args: readonly (string | number)[],
): Promise<Answer> => {
  // Only calls that store frames need memory. The other calls also work when Redis has no memory left.
  const script = call === 'append' || call === 'restore' ? topicScript : freeing(topicScript)
  const reply = await redis.run(script, keysOf(topic), [call, topic, `${life * MICROSECONDS}`, ...args.map(String)])
  const [totals, expired, freed, ...values] = listOf(reply)
  return { totals: totalsOf(listOf(totals)), expired: Number(expired), freed: heldIn(freed), values }
}

/** Decodes the values of `append`. `limit` is the limit that refused the next frame, if any. */
export const appendedIn = ([accepted, limit]: readonly Reply[]) => ({
  accepted: Number(accepted),
  limit: limit === '' ? undefined : (String(limit) as keyof QueueLimits),
})

/** A frame as stored in Redis. `publisher` is the publishing server's id and the number of its session. */
export type FrameRecord = { seq: number; publisher: string; text: string }

/** Decodes the values of `read`. `end` is undefined if there are more frames to read. */
export const readIn = ([found, last, isLast]: readonly Reply[]): {
  records: FrameRecord[]
  end: number | undefined
} => {
  const list = listOf(found).map(String)
  const records = list.flatMap((seq, index) =>
    index % 3 === 0 ? { seq: Number(seq), publisher: list[index + 1] ?? '', text: list[index + 2] ?? '' } : [],
  )
  return { records, end: isLast === 1 ? Number(last) : undefined }
}

/**
 * Decodes a channel's message: a line with the sequence number, the sequence number of the topic's previous frame, and
 * the publisher, then the text.
 */
export const recordIn = (message: string): FrameRecord & { before: number } => {
  const [line] = message.split('\n', 1)
  const [seq, before, publisher = ''] = (line ?? '').split(' ')
  return { seq: Number(seq), before: Number(before), publisher, text: message.slice((line ?? '').length + 1) }
}
