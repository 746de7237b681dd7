/**
 * The calls of topic.lua. Each is atomic and concerns one topic. A topic belongs to one of `SHARDS` shards, whose keys
 * are in one slot of a cluster, together with the totals and the expiry times of its topics.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { freeing, type Redis, type Reply, scriptOf } from '@heliograph/shared/server/redis/redis'
import type { Client, Message, Publication } from '../mailbox.ts'
import type { Stored } from './accounts.ts'

/** More than a cluster has primaries. Changing it loses the contents. */
export const SHARDS = 256

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

export const topicScript = scriptOf(readFileSync(new URL('topic.lua', import.meta.url), 'utf8'))

/** The sums of a shard. */
export type Totals = { topics: number; messages: number; bytes: number; subscriptions: number }

/** A limit of topic.lua: of the topic or of all topics, or of the part that one payer may have of the topic. */
export type Limit = 'topicMessages' | 'topicBytes' | 'storeMessages' | 'storeBytes' | 'topicClients' | 'subscriptions'
export type Part = 'topicMessagesOfHolder' | 'topicBytesOfHolder' | 'topicClientsOfHolder'

/** Amounts that payers have stored, or get back. */
export type Held = readonly { payer: string; resource: Stored; amount: number }[]

/**
 * An answer: `gone` are the clients that were inactive, `expired` the number and bytes of expired messages, `freed` what
 * payers get back.
 */
export type Answer = {
  totals: Totals
  gone: readonly Client[]
  expired: { messages: number; bytes: number }
  freed: Held
  outcome: 'ok' | Limit | Part
  value: Reply
  /** Whether the client had subscribed before, for `subscribe`. */
  wasKnown: boolean
}

export const shardOf = (topic: string): number => createHash('sha1').update(topic).digest().readUInt8(0) % SHARDS

/** All keys of a shard have this start, whose braces make it their slot. */
export const shardKey = (shard: number, name: string): string => `relay:{${shard}}:${name}`

/** The channel that tells all servers of new messages of a topic. */
export const channelOf = (topic: string): string => shardKey(shardOf(topic), `channel:${topic}`)

const keysOf = (topic: string): [string, ...string[]] => {
  const shard = shardOf(topic)
  const [first, ...others] = TOPIC_KEYS.map(name => shardKey(shard, `${name}:${topic}`))
  return [first ?? '', ...others, shardKey(shard, 'totals'), shardKey(shard, 'due')]
}

export const digestOf = (publisher: Client, json: string): string =>
  createHash('sha1').update(publisher).update('\n').update(json).digest('hex')

export const listOf = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : [])

const totalsOf = (reply: Reply | undefined): Totals => {
  const [topics = 0, messages = 0, bytes = 0, subscriptions = 0] = listOf(reply).map(Number)
  return { topics, messages, bytes, subscriptions }
}

/** The totals of a shard as HMGET has them. */
export const readTotals = async (redis: Redis, shard: number): Promise<Totals> => {
  const key = shardKey(shard, 'totals')
  return totalsOf(await redis.send(key, ['HMGET', key, 'topics', 'messages', 'bytes', 'subscriptions']))
}

/** All topics of a shard. */
export const topicsOf = async (redis: Redis, shard: number): Promise<string[]> => {
  const key = shardKey(shard, 'due')
  return listOf(await redis.send(key, ['ZRANGE', key, '0', '-1'])).map(String)
}

/** The topics of a shard in which something has expired, some at a time. */
export const dueTopics = async (redis: Redis, shard: number, now: number, most: number): Promise<string[]> => {
  const key = shardKey(shard, 'due')
  return listOf(await redis.send(key, ['ZRANGEBYSCORE', key, '-inf', `${now}`, 'LIMIT', '0', `${most}`])).map(String)
}

/** Amounts by payer and resource, in turn, as `crowd` and all other calls answer them. */
export const heldIn = (reply: Reply | undefined): Held => {
  const list = listOf(reply).map(String)
  return list.flatMap((field, index) => {
    if (index % 2 === 1) return []
    const end = field.lastIndexOf(' ')
    const resource = field.slice(end + 1) as Stored
    return { payer: field.slice(0, end), resource, amount: Number(list[index + 1]) }
  })
}

/** Calls that need memory, and are refused when that of Redis is full. The others free some or need little. */
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

/** A call of topic.lua whose side effects are taken care of. Rejects with RedisUnavailable. */
export type Ask = (call: Call, topic: string, args: readonly (string | number)[]) => Promise<Answer>

/** Makes a call of topic.lua. */
export const callTopic = async (
  redis: Redis,
  call: Call,
  topic: string,
  now: number,
  args: readonly (string | number)[],
): Promise<Answer> => {
  const script = NEEDING.includes(call) ? topicScript : freeing(topicScript)
  const reply = await redis.run(script, keysOf(topic), [call, topic, `${now}`, ...args.map(String)])
  const [totals, gone, expired, freed, outcome, value = null, known] = listOf(reply)
  const [messages = 0, bytes = 0] = listOf(expired).map(Number)
  return {
    totals: totalsOf(totals),
    gone: listOf(gone).map(String) as Client[],
    expired: { messages, bytes },
    freed: heldIn(freed),
    outcome: String(outcome) as Answer['outcome'],
    value,
    wasKnown: known === 1,
  }
}

/** A publication as arguments of `append`. */
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

/** The messages in the value of `read` and `records`. */
export const messagesIn = (topic: string, value: Reply): Message[] => {
  const list = listOf(value).map(String)
  return list.flatMap((seq, index) => (index % 2 === 0 ? readRecord(topic, Number(seq), list[index + 1] ?? '') : []))
}

/** The strings in the value of `append` and `clients`. */
export const stringsIn = (value: Reply): string[] => listOf(value).map(String)
