/** The servers on one Redis server clean up the subscriptions of sockets whose server has exited. */
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { joinNodes } from '@heliograph/shared/server/redis/nodes'
import { openRedis } from '@heliograph/shared/server/redis/open'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ben, publication, roomy, socket, TOPIC, texts } from '../../relay-server/src/mailbox/mailbox-store.fixture.ts'
import { openRedisMailbox } from '../../relay-server/src/mailbox/redis/redis-mailbox.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

const MINUTE = 60_000
const LEASES = 'relay:{nodes}:leases'
const log = createLog('test', 'silent')
const ends: (() => Promise<unknown>)[] = []

let server: RedisServer
let time: number
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())
beforeEach(async () => {
  time = Date.now()
  await server.command('FLUSHALL')
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const join = async () => {
  const now = () => time
  const ignore = () => undefined
  const redis = await openRedis([server.url], { durability: 'process' })
  ends.push(redis.close)
  const nodes = await joinNodes({ redis, prefix: 'relay', log, now })
  const shares = sharesOf()
  const mailbox = await openRedisMailbox({
    ...{ redis, nodes, limits: roomy, shares, log, now },
    onMessages: ignore,
    onExpired: ignore,
  })
  return { nodes, mailbox }
}

test('a message for a socket whose server has exited is stored for the next client', async () => {
  const [gone, other] = [await join(), await join()]
  await gone.mailbox.subscribe(socket, TOPIC)
  await other.mailbox.append(ben, [publication('m')]).commit.durable
  time += MINUTE
  await other.nodes.tend()
  expect(await other.mailbox.clients(TOPIC)).toEqual([])
  expect(other.nodes.count()).toBe(1)
  await other.mailbox.subscribe('socket:next', TOPIC)
  expect(texts(await other.mailbox.read('socket:next', TOPIC, 0, 10))).toEqual(['m'])
})

test('a server that renews its lease keeps its sockets, and clients with a key stay subscribed in any case', async () => {
  const [first, other] = [await join(), await join()]
  await first.mailbox.subscribe(socket, TOPIC)
  await first.mailbox.subscribe(ben, TOPIC)
  time += MINUTE
  await first.nodes.tend()
  await other.nodes.tend()
  expect((await other.mailbox.clients(TOPIC)).toSorted()).toEqual([ben, socket])
  time += MINUTE
  await other.nodes.tend()
  expect(await other.mailbox.clients(TOPIC)).toEqual([ben])
})

test('a server that was paused for longer than its lease subscribes its sockets again', async () => {
  const [paused, other] = [await join(), await join()]
  await paused.mailbox.subscribe(socket, TOPIC)
  paused.nodes.recovery.onRestore(async () => {
    await paused.mailbox.subscribe(socket, TOPIC)
  })
  time += MINUTE
  await other.nodes.tend()
  expect(await other.mailbox.clients(TOPIC)).toEqual([])
  await paused.nodes.tend()
  await expect.poll(() => other.mailbox.clients(TOPIC)).toEqual([socket])
  await other.nodes.tend()
  expect([await other.mailbox.clients(TOPIC), other.nodes.count()]).toEqual([[socket], 2])
  expect(paused.nodes.recovery.losses()).toBe(0)
})

test('Redis has lost writes if it has an earlier lease of a server, but not if it has an unconfirmed one', async () => {
  const { nodes } = await join()
  let restored = 0
  nodes.recovery.onRestore(async () => {
    restored += 1
  })
  const first = `${await server.command('ZSCORE', LEASES, nodes.id)}`
  time += 2000
  server.pause()
  const unanswered = nodes.tend()
  await expect(unanswered).rejects.toThrow('Redis did not answer')
  server.resume()
  time += 2000
  await nodes.tend()
  expect([restored, nodes.recovery.losses(), nodes.recovery.degraded()]).toEqual([0, 0, []])

  await server.command('ZADD', LEASES, first, nodes.id)
  await nodes.tend()
  expect([restored, nodes.recovery.losses()]).toEqual([1, 1])
  expect(nodes.recovery.degraded()).toEqual([expect.stringContaining('Redis lost stored messages')])
})
