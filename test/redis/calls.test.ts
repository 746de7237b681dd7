/** Webhook calls of several servers on one Redis server: each call belongs to one server, and none is lost. */
import { createLog } from '@heliograph/shared/server/process/log'
import { joinNodes } from '@heliograph/shared/server/redis/nodes'
import { openRedis } from '@heliograph/shared/server/redis/open'
import { type Redis, RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { openRedisCalls } from '@heliograph/shared/server/webhooks/redis-calls'
import type { CallId } from '@heliograph/shared/server/webhooks/store'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RedisServer, startRedis } from '../support/redis.ts'

const LEASES = 'relay:{nodes}:leases'
const log = createLog('test', 'silent')
const open: Redis[] = []
let server: RedisServer
let time: number

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())
beforeEach(async () => {
  time = 1_800_000_000_000
  await server.command('FLUSHALL')
})
afterEach(async () => {
  for (const redis of open.splice(0)) await redis.close()
})

/**
 * Starts a server with its calls. With `isDeaf` it misses the replies of scripts, with `isBroken` its plain commands
 * fail. `onScript` is called before each script.
 */
const join = async () => {
  const redis = await openRedis([server.url], { durability: 'process' })
  open.push(redis)
  const state = { isDeaf: false, isBroken: false, onScript: (): void => undefined }
  const faulty: Redis = {
    ...redis,
    run: async (...args) => {
      state.onScript()
      const reply = await redis.run(...args)
      if (state.isDeaf) throw new RedisUnavailable('the answer was lost')
      return reply
    },
    send: (...args) => (state.isBroken ? Promise.reject(new RedisUnavailable('no connection')) : redis.send(...args)),
  }
  const nodes = await joinNodes({ redis, prefix: 'relay', log, now: () => time })
  const calls = openRedisCalls({ redis: faulty, nodes, prefix: 'relay', log })
  const entered: CallId[] = []
  calls.load(id => entered.push(id))
  const add = (topic: string, id = calls.newId()): Promise<boolean> => {
    const url = `https://push.example/${topic}`
    const owed = { url, registration: url, key: url, attempt: 0, firstAt: time, dueAt: time, size: 1 }
    return calls.add(id, owed, { topic })
  }
  const topics = (): unknown[] => entered.map(id => calls.contentOf(id)).map(one => one && 'topic' in one && one.topic)
  return { state, nodes, calls, entered, add, topics, key: `relay:{tables}:calls:${nodes.id}` }
}
type Joined = Awaited<ReturnType<typeof join>>

const sizeOf = ({ key }: Joined): Promise<unknown> => server.command('HLEN', key)
/** Expires the lease of a server that does not renew it. */
const endLease = ({ nodes }: Joined): Promise<unknown> => server.command('ZADD', LEASES, '1', nodes.id)

test('one of several servers takes over the calls of a stopped server, in order', async () => {
  const [gone, b, c] = [await join(), await join(), await join()]
  for (const topic of ['1', '2', '3']) {
    time += 1
    expect(await gone.add(topic)).toBe(true)
  }
  await endLease(gone)
  await Promise.all([b.nodes.tend(), c.nodes.tend()])
  await Promise.all([b.nodes.tend(), c.nodes.tend()])
  expect([b.topics(), c.topics()].toSorted()).toEqual([[], ['1', '2', '3']])
  expect([await sizeOf(gone), Number(await sizeOf(b)) + Number(await sizeOf(c))]).toEqual([0, 3])
})

test('calls that are done are not taken over', async () => {
  const [gone, b] = [await join(), await join()]
  const id = gone.calls.newId()
  await gone.add('done', id)
  await gone.add('owed')
  gone.calls.remove(id)
  await expect.poll(() => sizeOf(gone)).toBe(1)
  await endLease(gone)
  await b.nodes.tend()
  expect(b.topics()).toEqual(['owed'])
})

test('a server that misses the reply to a takeover has the calls after its next attempt', async () => {
  const [gone, b] = [await join(), await join()]
  await gone.add('a')
  await endLease(gone)
  b.state.isDeaf = true
  await expect(b.nodes.tend()).rejects.toThrow('the answer was lost')
  expect([b.topics(), await sizeOf(gone), await sizeOf(b)]).toEqual([[], 0, 1])
  b.state.isDeaf = false
  await b.nodes.tend()
  await b.nodes.tend()
  expect(b.topics()).toEqual(['a'])
})

test('a server whose lease expired by mistake renews it before it accepts another call', async () => {
  const [a, b] = [await join(), await join()]
  await a.add('before')
  await endLease(a)
  await b.nodes.tend()
  expect(b.topics()).toEqual(['before'])
  expect(await a.add('after')).toBe(true)
  expect(Number(await server.command('ZSCORE', LEASES, a.nodes.id))).toBeGreaterThan(time)
  await endLease(a)
  await b.nodes.tend()
  expect(b.topics()).toEqual(['before', 'after'])
})

test('a server stores its calls again after Redis lost its lease', async () => {
  const a = await join()
  await a.add('one')
  await server.command('FLUSHALL')
  await a.nodes.tend()
  await expect.poll(() => sizeOf(a)).toBe(1)
})

test('a call that completes while all calls are stored again stays removed', async () => {
  const a = await join()
  const ids = Array.from({ length: 600 }, () => a.calls.newId())
  for (const id of ids) await a.add('topic', id)
  await server.command('FLUSHALL')
  let scripts = 0
  a.state.onScript = () => {
    scripts += 1
    if (scripts === 1) a.calls.remove(ids.at(-1) ?? '')
  }
  await a.nodes.tend()
  await expect.poll(() => scripts).toBe(2)
  await expect.poll(() => sizeOf(a)).toBe(599)
})

test('the next removal also removes a call whose removal Redis refused', async () => {
  const a = await join()
  const ids = [a.calls.newId(), a.calls.newId()]
  for (const id of ids) await a.add(`${id}`, id)
  a.state.isBroken = true
  a.calls.remove(ids[0] ?? '')
  await Promise.resolve()
  expect(await sizeOf(a)).toBe(2)
  a.state.isBroken = false
  a.calls.remove(ids[1] ?? '')
  await expect.poll(() => sizeOf(a)).toBe(0)
})

test('a call that Redis does not store is not accepted', async () => {
  const a = await join()
  await server.command('CONFIG', 'SET', 'maxmemory', '1')
  expect(await a.add('a')).toBe(false)
  await server.command('CONFIG', 'SET', 'maxmemory', '0')
  expect([await a.add('b'), await sizeOf(a)]).toEqual([true, 1])
})
