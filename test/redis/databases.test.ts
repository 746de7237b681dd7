/** Deployments on two databases of one Redis server share nothing. A cluster has only one database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedis } from '@heliograph/shared/server/redis/open'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'
import { connectRelay } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const FRAMES = Array.from({ length: 30 }, (_, index) => `frame ${index}`)
const ends: (() => Promise<unknown>)[] = []

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const serverOn = async (name: 'relay-server' | 'bridge-server', database: number): Promise<Server> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'databases-'))
  ends.push(() => rm(dataDir, { recursive: true }))
  const server = await startServer(name, { dataDir, args: ['--redis-url', `${redis.url}/${database}`] })
  ends.push(() => server.stop())
  return server
}

test.each([
  [0, 1],
  [1, 0],
  [1, 2],
])('frames published on database %i reach a subscriber there, but not on database %i', async (at, other) => {
  const [bridge, stranger] = [await serverOn('bridge-server', at), await serverOn('bridge-server', other)]
  const [publisher, own, foreign] = [
    await connectBridge(bridge.url),
    await connectBridge(bridge.url),
    await connectBridge(stranger.url),
  ]
  ends.push(publisher.close, own.close, foreign.close)
  for (const client of [own, foreign]) {
    client.sub('t')
    await client.rest()
  }
  for (const frame of FRAMES) publisher.pub('t', frame)
  expect(await own.payloads(FRAMES.length)).toEqual(FRAMES)
  expect([await own.rest(), await foreign.rest()]).toEqual([[], []])
})

test.each([0, 1])('relays on database %i exchange messages, and a relay on database 2 gets none', async database => {
  const [first, second, stranger] = [
    await serverOn('relay-server', database),
    await serverOn('relay-server', database),
    await serverOn('relay-server', 2),
  ]
  const [ann, ben, eve] = [
    await connectRelay(first.url, 1),
    await connectRelay(second.url, 2),
    await connectRelay(stranger.url, 3),
  ]
  ends.push(ann.close, ben.close, eve.close)
  for (const client of [ben, eve]) await client.call('relay_subscribe', { topic: 't' })
  await ann.call('relay_publish', { topic: 't', message: `of ${database}`, ttl: 300 })
  const push = await ben.push()
  ben.acknowledge(push)
  expect(push.params.data.message).toBe(`of ${database}`)
  expect(await eve.rest()).toEqual([])
})

test('a cluster URL with a database number is refused, and so are URLs of several databases', async () => {
  const cluster = await startRedisCluster()
  ends.push(cluster.stop)
  const [first = ''] = cluster.urls
  await expect(openRedis([`${first}/1`], { durability: 'process' })).rejects.toThrow('no numbered databases')
  await expect(openRedis([redis.url, `${redis.url}/1`], { durability: 'process' })).rejects.toThrow('the same database')
})
