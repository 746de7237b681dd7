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
let folder: string
/** The bridge and the relays of each database. */
let bridges: Server[]
let relays: Server[][]
const startOn = (name: 'relay-server' | 'bridge-server', database: number, directory: string): Promise<Server> =>
  startServer(name, { dataDir: join(folder, directory), args: ['--redis-url', `${redis.url}/${database}`] })
beforeAll(async () => {
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'databases-'))
  bridges = await Promise.all([0, 1, 2].map(database => startOn('bridge-server', database, `bridge ${database}`)))
  const relaysOn = (database: number) =>
    Promise.all([1, 2].map(number => startOn('relay-server', database, `relay ${database} ${number}`)))
  relays = await Promise.all([relaysOn(0), relaysOn(1)])
})
afterAll(async () => {
  await Promise.all([...bridges, ...relays.flat()].map(server => server.stop()))
  await redis.stop()
  await rm(folder, { recursive: true })
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

test.each([
  [0, 1],
  [1, 0],
  [1, 2],
])('frames published on database %i reach a subscriber there, but not on database %i', async (at, other) => {
  const topic = `from ${at} to ${other}`
  const urlOf = (database: number) => bridges[database]?.url ?? ''
  const [publisher, own, foreign] = [
    await connectBridge(urlOf(at)),
    await connectBridge(urlOf(at)),
    await connectBridge(urlOf(other)),
  ]
  ends.push(publisher.close, own.close, foreign.close)
  for (const client of [own, foreign]) {
    client.sub(topic)
    await client.rest()
  }
  for (const frame of FRAMES) publisher.pub(topic, frame)
  expect(await own.payloads(FRAMES.length)).toEqual(FRAMES)
  expect([await own.rest(), await foreign.rest()]).toEqual([[], []])
})

test.each([
  [0, 1],
  [1, 0],
])('relays on database %i exchange messages, and a relay on database %i gets none', async (at, other) => {
  const topic = `from ${at}`
  const urlOf = (database: number, number: number) => relays[database]?.[number]?.url ?? ''
  const [ann, ben, eve] = [
    await connectRelay(urlOf(at, 0), 1),
    await connectRelay(urlOf(at, 1), 2),
    await connectRelay(urlOf(other, 0), 3),
  ]
  ends.push(ann.close, ben.close, eve.close)
  for (const client of [ben, eve]) await client.call('relay_subscribe', { topic })
  await ann.call('relay_publish', { topic, message: `of ${at}`, ttl: 300 })
  const push = await ben.push()
  ben.acknowledge(push)
  expect(push.params.data.message).toBe(`of ${at}`)
  expect(await eve.rest()).toEqual([])
})

test('a cluster URL with a database number is refused, and so are URLs of several databases', async () => {
  const cluster = await startRedisCluster()
  ends.push(cluster.stop)
  const [first = ''] = cluster.urls
  await expect(openRedis([`${first}/1`], { durability: 'process' })).rejects.toThrow('no numbered databases')
  await expect(openRedis([redis.url, `${redis.url}/1`], { durability: 'process' })).rejects.toThrow('the same database')
})
