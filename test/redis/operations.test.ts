/**
 * The servers' reports about Redis: readings from real Redis servers, in metrics and on the status page, also during
 * an outage.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RedisReport } from '@heliograph/shared/server/redis/observed'
import { observe } from '@heliograph/shared/server/redis/observed'
import { openRedis } from '@heliograph/shared/server/redis/open'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { test as base, describe } from 'vitest'
import { metricsIn, readAlerts, readDashboard } from '../support/deploy.ts'
import { metricsOf } from '../support/metrics.ts'
import { type RedisServer, startRedis, startRedisCluster, startReplica } from '../support/redis.ts'
import { connectRelay } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { type Server, startServer } from '../support/server.ts'

const MB = 1024 * 1024
const SLOTS = 16_384
const PASSWORD = 'open-sesame'
/** Long enough for a running query of Redis's state to time out and for the next one to finish. */
const SOON = { timeout: 40_000, interval: 500 }

type Folder = 'relay-server' | 'bridge-server'

/** Starts servers and connections. They are stopped in reverse order after the test. */
const worldWith = (ends: (() => Promise<unknown>)[]) => {
  const kept = <T extends { stop: () => Promise<unknown> }>(started: T): T => {
    ends.push(started.stop)
    return started
  }
  const folder = async (): Promise<string> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'operations-'))
    ends.push(() => rm(dataDir, { recursive: true }))
    return dataDir
  }
  return {
    ends,
    redisServer: async (args: readonly string[] = []): Promise<RedisServer> => kept(await startRedis(args)),
    replicaOf: async (primary: RedisServer): Promise<RedisServer> => kept(await startReplica(primary)),
    cluster: async () => kept(await startRedisCluster()),
    open: async (urls: readonly string[]): Promise<Redis> => {
      const [first = '', ...others] = urls
      const redis = await openRedis([first, ...others], { durability: 'process' })
      ends.push(redis.close)
      return redis
    },
    serverOn: async (name: Folder, urls: readonly string[]): Promise<Server> => {
      const args = urls.length > 0 ? ['--redis-url', urls.join(',')] : []
      const server = await startServer(name, { dataDir: await folder(), args })
      ends.push(() => server.stop('SIGKILL'))
      return server
    },
  }
}

/** The tests run at the same time, because they mostly wait for the next query of Redis's state. */
const test = base.extend<{ world: ReturnType<typeof worldWith> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from this pattern.
  world: async ({}, use) => {
    const world = worldWith([])
    await use(world)
    for (const end of world.ends.toReversed()) await end()
  },
})

describe.concurrent('a reading', () => {
  test('has the memory and the replicas of one primary, and the lag of a replica that does not respond', async ({
    world,
    expect,
  }) => {
    const primary = await world.redisServer(['--maxmemory', `${100 * MB}`])
    const redis = await world.open([primary.url])
    expect(await observe(redis)).toEqual({
      memory: { usedBytes: expect.any(Number), limitBytes: 100 * MB },
      fullest: expect.any(Number),
      replication: { replicas: 0, lagBytes: undefined, silentSeconds: undefined },
    })
    const slow = await world.replicaOf(primary)
    await world.replicaOf(primary)
    await expect.poll(async () => (await observe(redis)).replication?.replicas).toBe(2)
    slow.pause()
    await redis.send('k', ['SET', 'k', 'x'.repeat(10 * 1024)])
    await pause(3000)
    const { replication, fullest = 0 } = await observe(redis)
    slow.resume()
    expect(replication?.lagBytes).toBeGreaterThan(10 * 1024)
    expect(replication?.silentSeconds).toBeGreaterThanOrEqual(2)
    expect(fullest).toBeGreaterThan(0)
    expect(fullest).toBeLessThan(0.1)
    await expect.poll(async () => (await observe(redis)).replication?.lagBytes).toBeLessThan(1024)
  })

  test('has the slots of a cluster; when a primary is killed, its slots fail and the sums are absent', {
    timeout: 400_000,
  }, async ({ world, expect }) => {
    const { urls, servers } = await world.cluster()
    const redis = await world.open(urls)
    const { memory, replication, slots } = await observe(redis)
    expect(slots).toEqual({ assigned: SLOTS, ok: SLOTS, failing: 0 })
    expect(memory?.usedBytes).toBeGreaterThan(3 * 0.5 * MB)
    expect(replication?.replicas).toBe(0)
    await servers[2]?.kill()
    await expect.poll(async () => (await observe(redis)).slots?.failing, SOON).toBeGreaterThan(5000)
    const after = await observe(redis)
    expect([after.memory, after.replication, after.slots?.assigned]).toEqual([undefined, undefined, SLOTS])
    expect(after.slots?.ok).toBeLessThan(11_000)
  })

  test('is empty if Redis refuses the commands', async ({ world, expect }) => {
    const server = await world.redisServer()
    const redis = await world.open([server.url])
    await server.command('ACL', 'SETUSER', 'default', '-info')
    expect(await observe(redis)).toEqual({})
    expect(redis.failure()).toBeUndefined()
  })
})

/** Returns the names of the Redis metrics that docs/metrics.md lists for this server. */
const documented = async (server: 'relay' | 'bridge'): Promise<string[]> =>
  [...(await readFile(join(root, 'docs/metrics.md'), 'utf8')).matchAll(/^\| `(heliograph_redis_\w+)` \| (.+?) \|/gm)]
    .filter(([, , servers = '']) => servers.startsWith('both') || servers.startsWith(server))
    .map(([, name = '']) => name)

const exported = async ({ url }: Server): Promise<string[]> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
}

const reportOf = async ({ url }: Server): Promise<RedisReport> =>
  (await (await fetch(`${url}/status.json`)).json()).redis

describe.concurrent('servers', () => {
  test.for(['relay', 'bridge'] as const)(
    'the documents list exactly the Redis metrics of a %s',
    async (name, { world, expect }) => {
      const server = await world.serverOn(`${name}-server`, [(await world.redisServer()).url])
      const names = (await exported(server)).filter(metric => metric.startsWith('heliograph_redis_'))
      expect(names.toSorted()).toEqual((await documented(name)).toSorted())
    },
  )

  test.for(['relay-server', 'bridge-server'] as const)(
    '%s counts the servers of its kind, and shows an outage',
    { timeout: 400_000 },
    async (folder, { world, expect }) => {
      const redis = await world.redisServer(['--maxmemory', `${100 * MB}`])
      // A Redis user without a password accepts any password.
      const url = redis.url.replace('://', `://default:${PASSWORD}@`)
      const [first, second] = [await world.serverOn(folder, [url]), await world.serverOn(folder, [url])]
      await expect.poll(async () => (await reportOf(first)).servers, SOON).toBe(2)
      await expect.poll(async () => (await reportOf(second)).memory?.limitBytes, SOON).toBe(100 * MB)
      let metrics: Record<string, number> = {}
      const readMetrics = async () => {
        metrics = await metricsOf(first.url)
        return metrics
      }
      await expect.poll(readMetrics, SOON).toMatchObject({
        heliograph_redis_usable: 1,
        heliograph_redis_servers: 2,
        heliograph_redis_primaries: 1,
        heliograph_redis_replicas: 0,
        heliograph_redis_memory_limit_bytes: 100 * MB,
        heliograph_failing: 0,
      })
      expect(metrics.heliograph_redis_memory_bytes).toBeGreaterThan(MB / 2)
      expect(metrics.heliograph_redis_call_seconds_count).toBeGreaterThan(0)
      expect(Object.keys(metrics).filter(name => /redis_(slots|replication)/.test(name))).toEqual([])

      await redis.kill()
      await expect.poll(async () => (await metricsOf(first.url)).heliograph_redis_usable).toBe(0)
      await expect
        .poll(async () => Object.keys(await metricsOf(first.url)), SOON)
        .not.toContain('heliograph_redis_replicas')
      await expect
        .poll(async () => (await metricsOf(first.url)).heliograph_redis_call_failures_total, SOON)
        .toBeGreaterThan(0)
      const status = await (await fetch(`${first.url}/status.json`)).text()
      expect(JSON.parse(status)).toMatchObject({
        failure: expect.any(String),
        redis: { isUsable: false, primaries: 1 },
      })
      expect(JSON.parse(status).redis.memory).toBeUndefined()
      const text = await (await fetch(`${first.url}/metrics`)).text()
      for (const shown of [status, text]) expect(shown).not.toContain(PASSWORD)
      await redis.restart()
      await expect.poll(async () => (await metricsOf(first.url)).heliograph_redis_usable, SOON).toBe(1)
      await expect.poll(async () => (await metricsOf(first.url)).heliograph_redis_replicas, SOON).toBe(0)
    },
  )

  test('dashboard and alerts name metrics that are exported', async ({ world, expect }) => {
    const { url } = await world.redisServer()
    const [relay, bridge] = [await world.serverOn('relay-server', [url]), await world.serverOn('bridge-server', [url])]
    // Prometheus itself adds `up`.
    const known = new Set([...(await exported(relay)), ...(await exported(bridge)), 'up'])
    const { panels, templating } = readDashboard()
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const expressions = [...shown, JSON.stringify(templating), ...readAlerts().map(({ expr }) => expr)]
    const named = new Set(expressions.flatMap(metricsIn))
    expect(named.size).toBeGreaterThan(40)
    expect([...named].filter(name => !known.has(name))).toEqual([])
    const redis = [...known].filter(name => name.startsWith('heliograph_redis_'))
    expect(redis.filter(name => !named.has(name))).toEqual([])
  })

  test('a relay on a cluster reports its slots', async ({ world, expect }) => {
    const { urls } = await world.cluster()
    const relay = await world.serverOn('relay-server', urls)
    await expect
      .poll(async () => (await reportOf(relay)).slots, SOON)
      .toEqual({ assigned: SLOTS, ok: SLOTS, failing: 0 })
    expect(await metricsOf(relay.url)).toMatchObject({
      heliograph_redis_primaries: 3,
      heliograph_redis_slots_assigned: SLOTS,
      heliograph_redis_slots_ok: SLOTS,
      heliograph_redis_slots_failing: 0,
    })
  })

  test('a relay measures the delay of messages from other relays, but not from itself', async ({ world, expect }) => {
    const { url } = await world.redisServer()
    const [first, second] = [await world.serverOn('relay-server', [url]), await world.serverOn('relay-server', [url])]
    const [ann, ben] = [await connectRelay(first.url, 1), await connectRelay(second.url, 2)]
    world.ends.push(ann.close, ben.close)
    for (const client of [ann, ben]) await client.call('relay_subscribe', { topic: 'a topic' })
    await ann.call('relay_publish', { topic: 'a topic', message: 'm', ttl: 300 })
    ben.acknowledge(await ben.push())
    const [own, other] = [await metricsOf(first.url), await metricsOf(second.url)]
    expect(own.heliograph_redis_arrival_seconds_count).toBe(0)
    expect(other.heliograph_redis_arrival_seconds_count).toBe(1)
    expect(other.heliograph_redis_arrival_seconds_sum).toBeLessThan(10)
  })

  test('without Redis nothing is reported about it', async ({ world, expect }) => {
    const relay = await world.serverOn('relay-server', [])
    expect((await exported(relay)).filter(name => name.includes('redis'))).toEqual([])
    expect(await reportOf(relay)).toBeUndefined()
  })
})
