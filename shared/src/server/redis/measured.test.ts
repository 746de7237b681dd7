import { expect, test } from 'vitest'
import { createMetrics } from '../metrics/metrics.ts'
import { createLog } from '../process/log.ts'
import { measuredRedis, measureRedis } from './measured.ts'
import type { Nodes } from './nodes.ts'
import type { Observed } from './observed.ts'
import { createRecovery } from './recovery.ts'
import { type Redis, RedisUnavailable, type Reply, scriptOf } from './redis.ts'

const redisOf = (reply: () => Promise<Reply>, failure?: string): Redis => ({
  send: reply,
  sendEach: async () => [],
  storing: (_, work) => work(),
  channel: name => name,
  load: async () => undefined,
  run: reply,
  subscribe: async () => undefined,
  unsubscribe: async () => undefined,
  onGap: () => undefined,
  failure: () => failure,
  primaries: () => 3,
  close: async () => undefined,
})

const nodes: Nodes = {
  id: 'id',
  onGone: () => undefined,
  recovery: createRecovery(createLog('test', 'silent')),
  onTend: () => undefined,
  tend: async () => undefined,
  start: () => undefined,
  count: () => 2,
  leave: async () => undefined,
}

const samples = async (metrics: ReturnType<typeof createMetrics>): Promise<string[]> =>
  (await metrics.text()).split('\n').filter(line => /^heliograph_redis_(?!.*_bucket)/.test(line))

test('commands and scripts are timed, and only unavailability counts as a failure', async () => {
  const metrics = createMetrics()
  const replies: (() => Promise<Reply>)[] = [
    async () => 'OK',
    () => Promise.reject(new RedisUnavailable('late')),
    () => Promise.reject(new Error('ERR syntax')),
  ]
  const redis = measuredRedis(
    redisOf(() => (replies.shift() ?? Promise.reject)()),
    metrics,
  )
  expect(await redis.send('k', ['GET', 'k'])).toBe('OK')
  await expect(redis.run(scriptOf('return 1'), ['k'], [])).rejects.toThrow('late')
  await expect(redis.send('k', ['GET'])).rejects.toThrow('syntax')
  const text = await metrics.text()
  expect(text).toContain('heliograph_redis_call_seconds_count 3\n')
  expect(text).toContain('heliograph_redis_call_failures_total 1\n')
})

test('a gauge has no sample while Redis does not report its value', async () => {
  const metrics = createMetrics()
  let latest: Observed = {}
  measureRedis(
    metrics,
    redisOf(async () => null, 'lost'),
    nodes,
    { latest: () => latest, close: () => undefined },
  )
  const known = ['usable 0', 'servers 2', 'losses 0', 'primaries 3'].map(sample => `heliograph_redis_${sample}`)
  expect(await samples(metrics)).toEqual(known)
  latest = { fullest: 0.5, slots: { assigned: 16_384, ok: 16_000, failing: 384 } }
  expect(await samples(metrics)).toEqual([
    ...known,
    'heliograph_redis_memory_used_ratio 0.5',
    'heliograph_redis_slots_assigned 16384',
    'heliograph_redis_slots_ok 16000',
    'heliograph_redis_slots_failing 384',
  ])
  latest = {}
  expect(await samples(metrics)).toEqual(known)
})
