/** The calls of topic.lua. Each is atomic and concerns one topic, whose shard has the totals. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crowdLua, type Held, heldIn } from '@heliograph/shared/server/limits/redis-accounts'
import { freeing, listOf, type Redis, type Reply, scriptOf } from '@heliograph/shared/server/redis/redis'
import { markLua, shardKey, shardOf } from '@heliograph/shared/server/redis/shards'
import type { QueueLimits } from '../frame-queue.ts'

const MICROSECONDS = 1000

export const topicScript = scriptOf(crowdLua + readFileSync(new URL('topic.lua', import.meta.url), 'utf8'))

/** The sums of a shard. `oldestAt` is Unix time in milliseconds, or 0 if there are no frames. */
export type Totals = { topics: number; frames: number; bytes: number; oldestAt: number }

const keyOf = (shard: number, name: string): string => shardKey('bridge', shard, name)

/** The channel on which the topic's new frames are published. */
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

/** Answers with the totals, with some topics of which frames have expired, and with the mark of the shard. */
const shardScript = scriptOf(`${markLua}
  local clock = redis.call('TIME')
  local before = tonumber(clock[1]) * 1000000 + tonumber(clock[2]) - tonumber(ARGV[1])
  local sums = redis.call('HMGET', KEYS[1], 'frames', 'bytes')
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', before), 'LIMIT', 0, ARGV[2])
  return { { redis.call('ZCARD', KEYS[2]), sums[1] or 0, sums[2] or 0, oldest or 0 }, old, mark }`)

/**
 * Reads the totals and the mark of a shard, and at most `most` of its topics with expired frames. One call, so that its answer
 * comes in order with those of `callTopic`.
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

/** All topics of a shard that have frames. */
export const topicsOf = async (redis: Redis, shard: number): Promise<string[]> => {
  const key = keyOf(shard, 'due')
  return listOf(await redis.send(key, ['ZRANGE', key, '0', '-1'])).map(String)
}

/** An answer: `expired` is the number of frames removed because of their age, `freed` what payers get back. */
export type Answer = { totals: Totals; expired: number; freed: Held; values: readonly Reply[] }

/** Makes a call of topic.lua. `life` is for how many milliseconds frames are kept. */
export const callTopic = async (
  redis: Redis,
  call: 'append' | 'read' | 'remove' | 'sweep' | 'restore',
  topic: string,
  life: number,
  args: readonly (string | number)[],
): Promise<Answer> => {
  // Only frames need memory. The other calls are not refused when that of Redis is full.
  const script = call === 'append' || call === 'restore' ? topicScript : freeing(topicScript)
  const reply = await redis.run(script, keysOf(topic), [call, topic, `${life * MICROSECONDS}`, ...args.map(String)])
  const [totals, expired, freed, ...values] = listOf(reply)
  return { totals: totalsOf(listOf(totals)), expired: Number(expired), freed: heldIn(freed), values }
}

/** The values of `append`. `limit` has no room for the next frame. */
export const appendedIn = ([accepted, limit]: readonly Reply[]) => ({
  accepted: Number(accepted),
  limit: limit === '' ? undefined : (String(limit) as keyof QueueLimits),
})

/** A frame as Redis has it. `publisher` has the server's id and the number of its session. */
export type FrameRecord = { seq: number; publisher: string; text: string }

/** The values of `read`. `end` is undefined if there are more frames. */
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

/** A message of a channel: sequence number, that of the topic's frame before, and publisher in a line, and the text. */
export const recordIn = (message: string): FrameRecord & { before: number } => {
  const [line] = message.split('\n', 1)
  const [seq, before, publisher = ''] = (line ?? '').split(' ')
  return { seq: Number(seq), before: Number(before), publisher, text: message.slice((line ?? '').length + 1) }
}
