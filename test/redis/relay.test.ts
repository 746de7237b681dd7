/**
 * Several relays on one Redis server: each relay serves any client, and Redis may be slow, full, restarted or replaced.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type RedisServer, startRedis, startRedisCluster, startReplica, untilCaughtUp } from '../support/redis.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const [ANN, BEN] = [1, 2]
const TOPIC = 'a topic'
const ENDS: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

const redisOf = async (args: readonly string[] = []): Promise<RedisServer> => {
  const server = await startRedis(args)
  ENDS.push(server.stop)
  return server
}

/** Starts a relay on these Redis servers. */
const relayOn = async (servers: readonly { url: string }[], args: readonly string[] = []): Promise<Server> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'relay-redis-'))
  ENDS.push(() => rm(dataDir, { recursive: true }))
  const urls = servers.map(({ url }) => url).join(',')
  const relay = await startServer('relay-server', { dataDir, args: ['--redis-url', urls, ...NO_REDELIVERY, ...args] })
  ENDS.push(() => relay.stop('SIGKILL'))
  return relay
}

const connect = async (relay: Server, seed: number): Promise<RelayClient> => {
  const client = await connectRelay(relay.url, seed)
  ENDS.push(client.close)
  return client
}

const subscribed = async (relay: Server, seed: number, topic = TOPIC): Promise<RelayClient> => {
  const client = await connect(relay, seed)
  expect(await client.call('relay_subscribe', { topic })).toHaveProperty('result')
  return client
}

const publish = (client: RelayClient, message: string, topic = TOPIC) =>
  client.call('relay_publish', { topic, message, ttl: 300 })

const nextText = async (client: RelayClient): Promise<string> => {
  const push = await client.push()
  client.acknowledge(push)
  return push.params.data.message
}

/** Returns all messages that are stored for a client, fetched without a push. */
const waitingAt = async (relay: Server, seed: number): Promise<string[]> => {
  const client = await connect(relay, seed)
  const { result } = await client.call('relay_fetchMessages', { topic: TOPIC })
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

const readiness = async ({ url }: Server): Promise<number> => (await fetch(`${url}/ready`)).status

test('a message published on one relay is pushed on another, once, and its acknowledgement counts for all', async () => {
  const redis = await redisOf()
  const [first, second] = [await relayOn([redis]), await relayOn([redis])]
  const ben = await subscribed(second, BEN)
  const ann = await connect(first, ANN)
  for (const text of ['one', 'two', 'three']) expect((await publish(ann, text)).result).toBe(true)
  expect([await nextText(ben), await nextText(ben), await nextText(ben)]).toEqual(['one', 'two', 'three'])
  // A response proves that the relay has read the earlier acknowledgements.
  expect(await ben.rest()).toEqual([])
  await expect.poll(() => waitingAt(first, BEN)).toEqual([])
})

test('a client finds its messages on any relay, even after the relay that accepted them was killed', async () => {
  const redis = await redisOf()
  const [first, second] = [await relayOn([redis]), await relayOn([redis])]
  await (await subscribed(first, BEN)).close()
  const ann = await connect(first, ANN)
  for (const text of ['one', 'two']) expect((await publish(ann, text)).result).toBe(true)
  await first.stop('SIGKILL')
  const ben = await subscribed(second, BEN)
  expect([await nextText(ben), await nextText(ben)]).toEqual(['one', 'two'])
})

test("writers on several relays: every reader gets each writer's messages in order", async () => {
  const redis = await redisOf()
  const relays = [await relayOn([redis]), await relayOn([redis])]
  const readers = await Promise.all(relays.map((relay, index) => subscribed(relay, 10 + index)))
  const texts = Array.from({ length: 100 }, (_, index) => `${index}`)
  await Promise.all(
    relays.map(async (relay, writer) => {
      const client = await connect(relay, 20 + writer)
      const answers = await Promise.all(texts.map(text => publish(client, `${writer} ${text}`)))
      expect(answers.map(({ result }) => result)).toEqual(texts.map(() => true))
    }),
  )
  const orders: string[][] = []
  for (const reader of readers) {
    const got: string[] = []
    while (got.length < 2 * texts.length) got.push(await nextText(reader))
    for (const writer of [0, 1])
      expect(got.filter(text => text.startsWith(`${writer} `))).toEqual(texts.map(text => `${writer} ${text}`))
    orders.push(got)
  }
  expect(orders[0]).toEqual(orders[1])
})

test('Redis is killed and restarted: sockets stay open, publishes get a retryable error, and no acknowledged publish is lost', async () => {
  const redis = await redisOf(['--appendfsync', 'always'])
  const [first, second] = [await relayOn([redis]), await relayOn([redis])]
  const ben = await subscribed(second, BEN)
  const ann = await connect(first, ANN)
  expect((await publish(ann, 'before')).result).toBe(true)
  expect(await nextText(ben)).toBe('before')
  await redis.kill()
  const { error } = await publish(ann, 'meanwhile')
  expect(error).toMatchObject({ code: -32002 })
  expect(await readiness(first)).toBe(503)
  await redis.restart()
  await expect.poll(() => readiness(first)).toBe(200)
  await expect.poll(async () => (await publish(ann, 'meanwhile')).result).toBe(true)
  expect((await publish(ann, 'after')).result).toBe(true)
  expect([await nextText(ben), await nextText(ben)]).toEqual(['meanwhile', 'after'])
})

test('while Redis does not respond, publishes wait within their time limit, and succeed once it does', async () => {
  const redis = await redisOf()
  const relay = await relayOn([redis])
  const ben = await subscribed(relay, BEN)
  const ann = await connect(relay, ANN)
  redis.pause()
  const publishing = publish(ann, 'm')
  // The relay responds to other requests while the publish waits for Redis.
  expect(await readiness(relay)).toBe(200)
  redis.resume()
  expect((await publishing).result).toBe(true)
  expect(await nextText(ben)).toBe('m')
})

test('with the memory of Redis full, publishes are refused, but acknowledgements are not', async () => {
  const redis = await redisOf()
  const relay = await relayOn([redis])
  const ben = await subscribed(relay, BEN)
  const ann = await connect(relay, ANN)
  expect((await publish(ann, 'kept')).result).toBe(true)
  const push = await ben.push()
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')
  expect((await publish(ann, 'refused')).error).toMatchObject({ code: -32002 })
  ben.acknowledge(push)
  await expect.poll(() => waitingAt(relay, BEN)).toEqual([])
  await redis.command('CONFIG', 'SET', 'maxmemory', '0')
  expect((await publish(ann, 'refused')).result).toBe(true)
  expect(await nextText(ben)).toBe('refused')
})

test('when the primary is lost, the relay continues with the promoted replica', async () => {
  const primary = await redisOf()
  const replica = await startReplica(primary)
  ENDS.push(replica.stop)
  const relay = await relayOn([primary, replica])
  await (await subscribed(relay, BEN)).close()
  const ann = await connect(relay, ANN)
  expect((await publish(ann, 'm')).result).toBe(true)
  await untilCaughtUp(replica, primary)
  await primary.kill()
  await replica.command('REPLICAOF', 'NO', 'ONE')
  await expect.poll(async () => (await publish(ann, 'n')).result).toBe(true)
  const ben = await subscribed(relay, BEN)
  expect([await nextText(ben), await nextText(ben)]).toEqual(['m', 'n'])
})

test('on a cluster, relays deliver across all slots, and killing and restarting one primary loses nothing', async () => {
  const cluster = await startRedisCluster(['--appendfsync', 'always'])
  ENDS.push(cluster.stop)
  const [first, second] = [await relayOn(cluster.servers), await relayOn(cluster.servers)]
  const topics = Array.from({ length: 12 }, (_, index) => `topic ${index}`)
  const ben = await connect(second, BEN)
  expect(await ben.call('relay_batchSubscribe', { topics })).toHaveProperty('result')
  const ann = await connect(first, ANN)
  const publishAll = async (text: string): Promise<void> => {
    for (const topic of topics) await expect.poll(async () => (await publish(ann, text, topic)).result).toBe(true)
  }
  const readAll = async (): Promise<string[]> => {
    const got: string[] = []
    while (got.length < topics.length) {
      const push = await ben.push()
      ben.acknowledge(push)
      got.push(push.params.data.topic)
    }
    return got.toSorted()
  }
  await publishAll('before')
  expect(await readAll()).toEqual(topics.toSorted())
  await cluster.servers[1]?.kill()
  await cluster.servers[1]?.restart()
  await publishAll('after')
  expect(await readAll()).toEqual(topics.toSorted())
})

test('relays on one Redis server share a port, and when one stops, the others accept its clients', async () => {
  const redis = await redisOf()
  const port = ['--port', `${await freePort()}`]
  const [first, second] = [await relayOn([redis], port), await relayOn([redis], port)]
  expect(second.url).toBe(first.url)
  await first.stop()
  const ben = await subscribed(second, BEN)
  expect((await publish(await connect(second, ANN), 'm')).result).toBe(true)
  expect(await nextText(ben)).toBe('m')
})

test.each([
  ['evicts data', ['--maxmemory-policy', 'allkeys-lru'], [], 'set maxmemory-policy to noeviction, it is allkeys-lru'],
  [
    'does not fsync each write, with durability disk',
    [],
    ['--durability', 'disk'],
    'durability disk requires appendonly yes and appendfsync always in Redis',
  ],
])('a relay does not start on a Redis server that %s', async (_, settings, args, reason) => {
  const redis = await redisOf(settings)
  await expect(relayOn([redis], args)).rejects.toThrow(reason)
})

test.each([
  ['cannot be reached', 'redis://user:secret@127.0.0.1:1', 'Redis cannot be used at 127.0.0.1:1'],
  ['has another scheme', 'http://user:secret@127.0.0.1:1', 'the value must be URLs such as redis://127.0.0.1:6379'],
])('the error about a Redis server that %s does not contain its password', async (_, url, reason) => {
  const starting = relayOn([{ url }])
  await expect(starting).rejects.toThrow(reason)
  await expect(starting).rejects.not.toThrow('secret')
})
