/** The calls of topic.lua. Each is atomic and concerns one topic, whose shard has the totals and expiry times. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crowdLua, type Held, heldIn } from '@heliograph/shared/server/limits/redis-accounts'
import { freeing, listOf, type Redis, type Reply, scriptOf } from '@heliograph/shared/server/redis/redis'
import { markLua, shardKey, shardOf } from '@heliograph/shared/server/redis/shards'
import type { Client, Message, Publication } from '../mailbox.ts'

/** The keys of a topic, in the order of topic.lua. */
const TOPIC_KEYS = [
  'meta',
  'messages',
  'states',
  'expiries',
  'repeats',
  'clients',
  'unused',
  'inbox',
  'crowd',
  'payers',
] as const

const topicScript = scriptOf(crowdLua + readFileSync(new URL('topic.lua', import.meta.url), 'utf8'))

/** Totals over the topics of a shard. */
export type Totals = { topics: number; messages: number; bytes: number; subscriptions: number }

/** Name of a limit in topic.lua, per topic or over all topics. */
export type Limit = 'topicMessages' | 'topicBytes' | 'storeMessages' | 'storeBytes' | 'topicClients' | 'subscriptions'
/** Name of a limit of one payer's part of a topic. */
export type Part = 'topicMessagesOfHolder' | 'topicBytesOfHolder' | 'topicClientsOfHolder'

/**
 * Answer to a call. The call also removes inactive clients (`gone`) and expired messages (`expired`: number and bytes).
 * `freed` is what each payer is refunded.
 */
export type Answer = {
  totals: Totals
  gone: readonly Client[]
  expired: { messages: number; bytes: number }
  freed: Held
  outcome: 'ok' | Limit | Part
  value: Reply
}

const keyOf = (shard: number, name: string): string => shardKey('relay', shard, name)

/** Returns the channel on which servers announce new messages of a topic. */
export const channelOf = (topic: string): string => keyOf(shardOf(topic), `channel:${topic}`)

const keysOf = (topic: string): [string, ...string[]] => {
  const shard = shardOf(topic)
  const [first, ...others] = TOPIC_KEYS.map(name => keyOf(shard, `${name}:${topic}`))
  return [first ?? '', ...others, keyOf(shard, 'totals'), keyOf(shard, 'due')]
}

export const digestOf = (publisher: Client, json: string): string =>
  createHash('sha1').update(publisher).update('\n').update(json).digest('hex')

const totalsOf = (reply: Reply | undefined): Totals => {
  const [topics = 0, messages = 0, bytes = 0, subscriptions = 0] = listOf(reply).map(Number)
  return { topics, messages, bytes, subscriptions }
}

/** Returns a shard's totals, some topics in which a message or a subscription has expired, and the shard's mark. */
const shardScript = scriptOf(`${markLua}
  local sums = redis.call('HMGET', KEYS[1], 'topics', 'messages', 'bytes', 'subscriptions')
  for index = 1, 4 do sums[index] = sums[index] or 0 end
  return { sums, redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2]), mark }`)

/**
 * Reads a shard's totals and mark, and at most `most` of its topics in which a message or a subscription has expired.
 */
export const readShard = async (
  redis: Redis,
  shard: number,
  now: number,
  most: number,
): Promise<{ totals: Totals; due: string[]; mark: string }> => {
  const keys: [string, string] = [keyOf(shard, 'totals'), keyOf(shard, 'due')]
  const [totals, due, mark] = listOf(await redis.run(freeing(shardScript), keys, [`${now}`, `${most}`, randomUUID()]))
  return { totals: totalsOf(totals), due: listOf(due).map(String), mark: String(mark) }
}

/** Returns all topics of a shard. */
export const topicsOf = async (redis: Redis, shard: number): Promise<string[]> => {
  const key = keyOf(shard, 'due')
  return listOf(await redis.send(key, ['ZRANGE', key, '0', '-1'])).map(String)
}

/** Calls that need memory and are refused when Redis has none left. The other calls free memory or need little. */
const NEEDING: readonly string[] = ['append', 'subscribe', 'restore'] satisfies readonly Call[]

type Call =
  | 'append'
  | 'subscribe'
  | 'unsubscribe'
  | 'acknowledge'
  | 'read'
  | 'clients'
  | 'retract'
  | 'sweep'
  | 'restore'
  | 'contents'
  | 'crowd'
  | 'records'

/** Calls topic.lua, and applies the totals, refunds and removals of the answer. Rejects with RedisUnavailable. */
export type Ask = (call: Call, topic: string, args: readonly (string | number)[]) => Promise<Answer>

/** Calls topic.lua and decodes the answer. */
export const callTopic = async (
  redis: Redis,
  call: Call,
  topic: string,
  now: number,
  args: readonly (string | number)[],
): Promise<Answer> => {
  const script = NEEDING.includes(call) ? topicScript : freeing(topicScript)
  const reply = await redis.run(script, keysOf(topic), [call, topic, `${now}`, ...args.map(String)])
  const [totals, gone, expired, freed, outcome, value = null] = listOf(reply)
  const [messages = 0, bytes = 0] = listOf(expired).map(Number)
  return {
    totals: totalsOf(totals),
    gone: listOf(gone).map(String) as Client[],
    expired: { messages, bytes },
    freed: heldIn(freed),
    outcome: String(outcome) as Answer['outcome'],
    value,
  }
}

/** Loads both scripts, so that the first calls keep their order. */
export const loadTopicScripts = async (redis: Redis): Promise<void> => {
  await Promise.all([redis.load(topicScript), redis.load(shardScript)])
}

/** Encodes a publication as arguments of `append`. */
export const argumentsOf = (publisher: Client, publication: Publication, now: number): (string | number)[] => {
  const { json, size, ttl, tag, attestation } = publication
  return [digestOf(publisher, json), size, now + ttl * 1000, tag, JSON.stringify(attestation), json]
}

const LINES_BEFORE_TEXT = 7

const readRecord = (topic: string, seq: number, record: string): Message => {
  const lines: string[] = []
  let at = 0
  for (let line = 0; line < LINES_BEFORE_TEXT; line++) {
    const end = record.indexOf('\n', at)
    lines.push(record.slice(at, end))
    at = end + 1
  }
  const [publisher = '', publishedAt, expiresAt, tag, size, , attestation = '""'] = lines
  return {
    topic,
    seq,
    publisher: publisher as Client,
    publishedAt: Number(publishedAt),
    expiresAt: Number(expiresAt),
    tag: Number(tag),
    size: Number(size),
    attestation: JSON.parse(attestation),
    json: record.slice(at),
  }
}

/** Decodes the messages in the value of `read` and `records`. */
export const messagesIn = (topic: string, value: Reply): Message[] => {
  const list = listOf(value).map(String)
  return list.flatMap((seq, index) => (index % 2 === 0 ? readRecord(topic, Number(seq), list[index + 1] ?? '') : []))
}

/** Returns the strings in the value of `append` and `clients`. */
export const stringsIn = (value: Reply): string[] => listOf(value).map(String)
