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
import { afterEach, describe, expect, test } from 'vitest'
import { metricsIn, readAlerts, readDashboard } from '../support/deploy.ts'
import { metricsOf } from '../support/metrics.ts'
import { type RedisServer, startRedis, startRedisCluster, startReplica } from '../support/redis.ts'
import { connectRelay } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { type Server, startServer } from '../support/server.ts'

const MB = 1024 * 1024
const SLOTS = 16_384
const PASSWORD = 'open-sesame'
const ENDS: (() => Promise<unknown>)[] = []
/** Long enough for a running query of Redis's state to time out and for the next one to finish. */
const SOON = { timeout: 40_000 }

afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

const redisServer = async (args: readonly string[] = []): Promise<RedisServer> => {
  const server = await startRedis(args)
  ENDS.push(server.stop)
  return server
}

const replicaOf = async (primary: RedisServer, args: readonly string[] = []): Promise<RedisServer> => {
  const replica = await startReplica(primary, args)
  ENDS.push(replica.stop)
  return replica
}

const cluster = async () => {
  const started = await startRedisCluster()
  ENDS.push(started.stop)
  return started
}

const open = async (urls: readonly string[]): Promise<Redis> => {
  const [first = '', ...others] = urls
  const redis = await openRedis([first, ...others], { durability: 'process' })
  ENDS.push(redis.close)
  return redis
}

type Folder = 'relay-server' | 'bridge-server'

const serverOn = async (folder: Folder, urls: readonly string[]): Promise<Server> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'operations-'))
  ENDS.push(() => rm(dataDir, { recursive: true }))
  const server = await startServer(folder, { dataDir, args: ['--redis-url', urls.join(',')] })
  ENDS.push(() => server.stop('SIGKILL'))
  return server
}

describe('a reading', () => {
  test('has the memory and the replicas of one primary, and the lag of a replica that does not respond', async () => {
    const primary = await redisServer(['--maxmemory', `${100 * MB}`])
    const redis = await open([primary.url])
    expect(await observe(redis)).toEqual({
      memory: { usedBytes: expect.any(Number), limitBytes: 100 * MB },
      fullest: expect.any(Number),
      replication: { replicas: 0, lagBytes: undefined, silentSeconds: undefined },
    })
    const slow = await replicaOf(primary)
    await replicaOf(primary)
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
  }, async () => {
    const { urls, servers } = await cluster()
    const redis = await open(urls)
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

  test('is empty if Redis refuses the commands', async () => {
    const server = await redisServer()
    const redis = await open([server.url])
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

describe('servers', () => {
  test.each(['relay', 'bridge'] as const)('the documents list exactly the Redis metrics of a %s', async name => {
    const server = await serverOn(`${name}-server`, [(await redisServer()).url])
    const names = (await exported(server)).filter(metric => metric.startsWith('heliograph_redis_'))
    expect(names.toSorted()).toEqual((await documented(name)).toSorted())
  })

  test.each(['relay-server', 'bridge-server'] as const)(
    '%s counts the servers of its kind, and shows an outage',
    async folder => {
      const redis = await redisServer(['--maxmemory', `${100 * MB}`])
      // A Redis user without a password accepts any password.
      const url = redis.url.replace('://', `://default:${PASSWORD}@`)
      const [first, second] = [await serverOn(folder, [url]), await serverOn(folder, [url])]
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

  test('dashboard and alerts name metrics that are exported', async () => {
    const { url } = await redisServer()
    const [relay, bridge] = [await serverOn('relay-server', [url]), await serverOn('bridge-server', [url])]
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

  test('a relay on a cluster reports its slots', async () => {
    const { urls } = await cluster()
    const relay = await serverOn('relay-server', urls)
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

  test('a relay measures the delay of messages from other relays, but not from itself', async () => {
    const { url } = await redisServer()
    const [first, second] = [await serverOn('relay-server', [url]), await serverOn('relay-server', [url])]
    const [ann, ben] = [await connectRelay(first.url, 1), await connectRelay(second.url, 2)]
    ENDS.push(ann.close, ben.close)
    for (const client of [ann, ben]) await client.call('relay_subscribe', { topic: 'a topic' })
    await ann.call('relay_publish', { topic: 'a topic', message: 'm', ttl: 300 })
    ben.acknowledge(await ben.push())
    const [own, other] = [await metricsOf(first.url), await metricsOf(second.url)]
    expect(own.heliograph_redis_arrival_seconds_count).toBe(0)
    expect(other.heliograph_redis_arrival_seconds_count).toBe(1)
    expect(other.heliograph_redis_arrival_seconds_sum).toBeLessThan(10)
  })

  test('without Redis nothing is reported about it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'operations-'))
    ENDS.push(() => rm(dataDir, { recursive: true }))
    const relay = await startServer('relay-server', { dataDir })
    ENDS.push(() => relay.stop())
    expect((await exported(relay)).filter(name => name.includes('redis'))).toEqual([])
    expect(await reportOf(relay)).toBeUndefined()
  })
})
