/** Two bridge processes on one Redis server, and on a cluster: each bridge serves any client. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BridgeClient, connectBridge } from '../support/bridge-client.ts'
import { metricOf } from '../support/metrics.ts'
import { type RedisCluster, type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'
import { type Server, startServer } from '../support/server.ts'

type Store = Pick<RedisCluster, 'servers' | 'untilWhole' | 'stop'>

const stores: Record<string, () => Promise<Store>> = {
  'one Redis': async () => {
    const server = await startRedis(['--appendfsync', 'always'])
    return { servers: [server], untilWhole: async () => undefined, stop: server.stop }
  },
  'a cluster of three primaries': async () => startRedisCluster(['--appendfsync', 'always']),
}

/** Publishes frames until all subscribers receive new frames live. Afterwards the subscribers have no unread frames. */
const meet = async (publisher: BridgeClient, topic: string, subscribers: readonly BridgeClient[]): Promise<void> => {
  for (const subscriber of subscribers) subscriber.sub(topic)
  const readers = subscribers.map(({ payloads }) => ({ payloads, next: payloads(1), count: 0 }))
  while (readers.some(({ count }) => count < 3)) {
    publisher.pub(topic, 'greeting')
    const reader = await Promise.race(readers.map(one => one.next.then(() => one)))
    reader.count += 1
    reader.next = reader.payloads(1)
  }
  publisher.pub(topic, 'met')
  for (const reader of readers) while ((await reader.next)[0] !== 'met') reader.next = reader.payloads(1)
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

/** Returns the code and the reason with which a client was closed. */
const closing = async ({ socket }: BridgeClient): Promise<[code: number, reason: string]> => {
  const [code, reason] = await once(socket, 'close')
  return [code, `${reason}`]
}

/**
 * Kills the connections that are subscribed to at least this number of channels. Each bridge subscribes to one channel,
 * and the second bridge also to the topic's channel. On a cluster, subscriptions have separate connections.
 */
const killListeners = async (server: RedisServer, channels: number): Promise<void> => {
  const list = `${await server.command('CLIENT', 'LIST', 'TYPE', 'pubsub')}`.split('\n')
  const ids = list.flatMap(line => {
    const [, id = '', count = 0] = /\bid=(\d+) .*\bssub=(\d+)/.exec(line) ?? []
    return Number(count) >= channels ? id : []
  })
  await Promise.all(ids.map(id => server.command('CLIENT', 'KILL', 'ID', id)))
}

describe.each(Object.entries(stores))('two bridges on %s', (_, startStore) => {
  let redis: Store
  let folder: string
  let bridges: Server[]
  beforeAll(async () => {
    redis = await startStore()
  })
  afterAll(() => redis.stop())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridges-'))
    bridges = []
    await Promise.all(redis.servers.map(server => server.command('FLUSHALL')))
  })
  afterEach(async () => {
    await Promise.all(bridges.map(bridge => bridge.stop()))
    await rm(folder, { recursive: true })
  })

  /** Starts both bridges. */
  const start = async (...args: string[]): Promise<[Server, Server]> => {
    const urls = redis.servers.map(({ url }) => url).join(',')
    const open = (name: string) =>
      startServer('bridge-server', { dataDir: join(folder, name), args: ['--redis-url', urls, ...args] })
    const pair: [Server, Server] = await Promise.all([open('first'), open('second')])
    bridges = pair
    return pair
  }
  /** Waits until a bridge reports this number of frames in Redis. */
  const queued = (bridge: Server, frames: number) =>
    expect.poll(() => metricOf(bridge.url, 'heliograph_queue_frames')).toBe(frames)

  test('a frame is delivered to the subscribers on both bridges, but not to its publisher', async () => {
    const [first, second] = await start()
    const [ann, ben, cat] = await Promise.all([first, first, second].map(({ url }) => connectBridge(url)))
    if (!ann || !ben || !cat) throw new Error('a client is missing')
    await meet(ben, 't', [ann])
    await meet(ann, 't', [ben, cat])
    ann.pub('t', 'a')
    cat.pub('t', 'from cat')
    expect(await ben.payloads(2)).toEqual(expect.arrayContaining(['a', 'from cat']))
    expect([await cat.payloads(1), await ann.payloads(1)]).toEqual([['a'], ['from cat']])
    expect([await ann.rest(), await ben.rest(), await cat.rest()]).toEqual([[], [], []])
  })

  test('all subscribers get the frames of several publishers in the same order', async () => {
    const [first, second] = await start()
    const publishers = await Promise.all([first, first, second, second].map(({ url }) => connectBridge(url)))
    const [ben, cat] = [await connectBridge(first.url), await connectBridge(second.url)]
    await meet(ben, 't', [cat])
    await meet(cat, 't', [ben])
    await cat.rest()
    const sent = publishers.map((publisher, index) => ({ publisher, payloads: numbered(`publisher ${index}`, 150) }))
    for (let at = 0; at < 150; at++) for (const { publisher, payloads } of sent) publisher.pub('t', payloads[at] ?? '')
    const isSent = (payload: string) => payload.startsWith('publisher')
    const [got, other] = await Promise.all([ben.payloads(600), cat.payloads(600)])
    expect(got.filter(isSent)).toEqual(other.filter(isSent))
    for (const [index, { payloads }] of sent.entries())
      expect(got.filter(payload => payload.startsWith(`publisher ${index} `))).toEqual(payloads)
  })

  test('queued and unconfirmed frames of a killed bridge go to the next subscriber on the other bridge, in order', async () => {
    const [first, second] = await start()
    const [ann, ben] = [await connectBridge(first.url), await connectBridge(first.url)]
    await meet(ann, 'live', [ben])
    await queued(first, 0)
    ben.socket.pause()
    for (const topic of ['queued', 'live']) for (const payload of numbered(topic, 100)) ann.pub(topic, payload)
    await queued(first, 200)
    await first.stop('SIGKILL')
    ben.socket.terminate()
    const back = await connectBridge(second.url)
    for (const topic of ['queued', 'live']) {
      back.sub(topic)
      expect(await back.payloads(100)).toEqual(numbered(topic, 100))
    }
    await queued(second, 0)
  })

  test('a confirmed frame is not sent again by either bridge', async () => {
    const [first, second] = await start()
    const [ann, ben] = [await connectBridge(first.url), await connectBridge(second.url)]
    for (const payload of numbered('m', 50)) ann.pub('t', payload)
    ben.sub('t')
    expect(await ben.payloads(50)).toEqual(numbered('m', 50))
    await queued(second, 0)
    await ben.close()
    ann.pub('t', 'next')
    for (const { url } of [first, second]) {
      const late = await connectBridge(url)
      late.sub('t')
      if (url === first.url) expect(await late.payloads(1)).toEqual(['next'])
      else expect(await late.rest()).toEqual([])
      await late.close()
      await queued(first, 0)
    }
  })

  test('a frame expires, is counted by one bridge, and is not sent', async () => {
    const [first, second] = await start('--frame-seconds', '1')
    const [ann, late] = [await connectBridge(first.url), await connectBridge(second.url)]
    ann.pub('t', 'old')
    const expired = async () => {
      const counts = await Promise.all([first, second].map(({ url }) => metricOf(url, 'heliograph_expired_total')))
      return counts.reduce((sum, count) => sum + count)
    }
    await expect.poll(expired).toBe(1)
    late.sub('t')
    // The bridge may take longer to subscribe than a frame lives, so frames are published until one arrives.
    const arriving = late.payloads(1)
    const publishUntilArrived = async (): Promise<string[]> => {
      ann.pub('t', 'new')
      return (await Promise.race([arriving, pause(500)])) ?? publishUntilArrived()
    }
    expect(await publishUntilArrived()).toEqual(['new'])
  })

  test('a limit applies to all bridges together, closes the publisher, and does not stop live delivery', async () => {
    const [first, second] = await start('--topic-frames', '3', '--store-frames', '5')
    const [ann, ben, cat] = [
      await connectBridge(first.url),
      await connectBridge(second.url),
      await connectBridge(second.url),
    ]
    await meet(ann, 'live', [ben])
    await queued(first, 0)
    for (const payload of ['a', 'b', 'c']) ann.pub('full', payload)
    await queued(second, 3)
    const topicFull = closing(cat)
    cat.pub('full', 'd')
    expect(await topicFull).toEqual([1013, 'limit reached (topic-frames)'])
    const eve = await connectBridge(second.url)
    const storeFull = closing(eve)
    for (const topic of ['u', 'v', 'w']) eve.pub(topic, topic)
    expect(await storeFull).toEqual([1013, 'limit reached (store-frames)'])
    expect(await metricOf(second.url, 'heliograph_dropped_total')).toBe(2)
    await queued(first, 5)
    ann.pub('live', 'passes')
    expect(await ben.payloads(1)).toEqual(['passes'])
    ben.sub('full')
    expect(await ben.payloads(3)).toEqual(['a', 'b', 'c'])
  })

  test('frames that are published while a bridge is disconnected from Redis reach its subscribers, in order', async () => {
    const [first, second] = await start()
    const [ann, ben] = [await connectBridge(first.url), await connectBridge(second.url)]
    await meet(ann, 'live', [ben])
    for (let round = 0; round < 4; round++) {
      const frames = numbered(`round ${round}`, 20)
      for (const payload of frames.slice(0, 10)) ann.pub('live', payload)
      await Promise.all(redis.servers.map(server => killListeners(server, redis.servers.length === 1 ? 2 : 1)))
      for (const payload of frames.slice(10)) ann.pub('live', payload)
      expect(await ben.payloads(20)).toEqual(frames)
    }
  })

  test('while Redis is down sockets stay open and publishers get a reason, and nothing is lost afterwards', async () => {
    const [first, second] = await start()
    const [ann, ben, eve] = [
      await connectBridge(first.url),
      await connectBridge(second.url),
      await connectBridge(first.url),
    ]
    await meet(ann, 'live', [ben])
    await queued(first, 0)
    for (const payload of numbered('m', 100)) ann.pub('queued', payload)
    ben.socket.pause()
    ann.pub('live', 'confirmed meanwhile')
    await queued(first, 101)

    await Promise.all(redis.servers.map(server => server.kill()))
    ben.socket.resume()
    expect(await ben.payloads(1)).toEqual(['confirmed meanwhile'])
    const told = closing(eve)
    eve.pub('queued', 'refused')
    expect(await told).toEqual([1013, 'messages cannot be stored at the moment (redis-url)'])
    ben.sub('queued')
    await Promise.all(redis.servers.map(server => server.restart()))

    expect(await ben.payloads(100)).toEqual(numbered('m', 100))
    await queued(second, 0)
    await redis.untilWhole()
    for (const { url } of [first, second]) await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200)
    ann.pub('live', 'after')
    expect(await ben.payloads(1)).toEqual(['after'])
    expect([ann.socket.readyState, ben.socket.readyState]).toEqual([ann.socket.OPEN, ben.socket.OPEN])
  })
})
