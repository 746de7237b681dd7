/** `--import` and `--export` of a bridge: queued frames move to Redis and to another folder, in order. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { metricOf } from '../support/metrics.ts'
import { randomFrom } from '../support/random.ts'
import { type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'
import { runSeed } from '../support/seed.ts'
import { type Server, startServer } from '../support/server.ts'

const ENDS: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-bridge-'))
  ENDS.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const stores: Record<string, () => Promise<readonly RedisServer[]>> = {
  'one Redis': async () => {
    const server = await startRedis()
    ENDS.push(server.stop)
    return [server]
  },
  'a cluster of three primaries': async () => {
    const cluster = await startRedisCluster()
    ENDS.push(cluster.stop)
    return cluster.servers
  },
}

const start = async (dataDir: string, args: readonly string[] = []): Promise<Server> => {
  const bridge = await startServer('bridge-server', { dataDir, args: ['--webhook-registration', 'open', ...args] })
  ENDS.push(() => bridge.stop('SIGKILL'))
  return bridge
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

const topics = numbered('topic', 5)
const FRAMES = 300

/** Publishes frames to all topics in turn. */
const fill = async (bridge: Server): Promise<void> => {
  const ann = await connectBridge(bridge.url)
  for (let index = 0; index < FRAMES; index++) for (const topic of topics) ann.pub(topic, `${topic}: ${index}`)
  await expect.poll(() => metricOf(bridge.url, 'heliograph_queue_frames')).toBe(FRAMES * topics.length)
  await ann.close()
}

/** Subscribes to a topic, and confirms and so removes its frames. */
const drain = async (bridge: Server, topic: string): Promise<string[]> => {
  const ben = await connectBridge(bridge.url)
  ben.sub(topic)
  const payloads = await ben.payloads(FRAMES)
  expect(await ben.rest()).toEqual([])
  await ben.close()
  return payloads
}

const framesOf = (topic: string): string[] => numbered(`${topic}:`, FRAMES)

describe.each(Object.entries(stores))('a bridge moves to %s and back', (_, startStore) => {
  test(`each topic has its frames in order in each store, even after an import was killed (FUZZ_SEED=${runSeed})`, async () => {
    const servers = await startStore()
    const url = servers.map(server => server.url).join(',')
    const [first, second] = [await newFolder(), join(await newFolder(), 'new')]
    const local = await start(first)
    await fill(local)
    const registered = await fetch(`${local.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic: 'called', webhook: 'https://example.com/hook' }),
    })
    expect(registered.ok).toBe(true)
    const key = await (await fetch(`${local.url}/public-key`)).json()
    await local.stop()
    expect(await runCommand('relay-server', ['--import', first, '--redis-url', url])).toEqual({
      status: 2,
      lines: [`${first} is not the data folder of a relay`],
    })

    const startedAt = Date.now()
    const running = await startCommand('bridge-server', ['--import', first, '--redis-url', url])
    await pause(200 + randomFrom(runSeed)(800))
    running.kill()
    await running.ended
    const imported = await runCommand('bridge-server', ['--import', first, '--redis-url', url])
    expect(imported.status, `${Date.now() - startedAt} ms`).toBe(0)
    const counts = imported.lines.slice(-7)
    expect([counts[0], counts[1], counts[3]]).toEqual(['5 topics', '1500 frames', '1 webhooks'])

    const shared = await start(await newFolder(), ['--redis-url', url])
    expect(await metricOf(shared.url, 'heliograph_queue_frames')).toBe(FRAMES * topics.length)
    expect(await (await fetch(`${shared.url}/public-key`)).json()).toEqual(key)
    expect(await drain(shared, topics[0] ?? '')).toEqual(framesOf(topics[0] ?? ''))
    const ann = await connectBridge(shared.url)
    ann.pub(topics[1] ?? '', 'new')
    await ann.rest()
    await ann.close()
    await shared.stop()

    const exported = await runCommand('bridge-server', ['--export', second, '--redis-url', url])
    expect(exported.status).toBe(0)
    expect([exported.lines[0], exported.lines[1], exported.lines[3]]).toEqual(['4 topics', '1201 frames', '1 webhooks'])
    const back = await start(second)
    for (const topic of topics.slice(2)) expect(await drain(back, topic)).toEqual(framesOf(topic))
    const cat = await connectBridge(back.url)
    cat.sub(topics[1] ?? '')
    expect(await cat.payloads(FRAMES + 1)).toEqual([...framesOf(topics[1] ?? ''), 'new'])
    expect(await (await fetch(`${back.url}/public-key`)).json()).toEqual(key)
  })
})

test('frames of two folders are merged in the order of their arrival', async () => {
  const redis = await startRedis()
  ENDS.push(redis.stop)
  const folders = [await newFolder(), await newFolder()]
  const bridges = [await start(folders[0] ?? ''), await start(folders[1] ?? '')]
  const publishers = [await connectBridge(bridges[0]?.url ?? ''), await connectBridge(bridges[1]?.url ?? '')]
  const sent = numbered('frame', 20)
  for (const [index, text] of sent.entries()) {
    publishers[index % 2]?.pub('shared', text)
    await publishers[index % 2]?.rest()
    await pause(2)
  }
  for (const publisher of publishers) await publisher.close()
  for (const [index, bridge] of bridges.entries()) {
    await expect.poll(() => metricOf(bridge.url, 'heliograph_queue_frames')).toBe(10)
    await bridge.stop()
    const { status } = await runCommand('bridge-server', ['--import', folders[index] ?? '', '--redis-url', redis.url])
    expect(status).toBe(0)
  }
  const bridge = await start(await newFolder(), ['--redis-url', redis.url])
  const ben = await connectBridge(bridge.url)
  ben.sub('shared')
  expect(await ben.payloads(20)).toEqual(sent)
})
