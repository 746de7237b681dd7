/** A server whose process stalls for longer than its time limits does not treat the stall as an outage of Redis. */
import { openRedis } from '@heliograph/shared/server/redis/open'
import { afterEach, expect, test, vi } from 'vitest'
import { CONNECT_WITHIN, REPLY_WITHIN } from '../../shared/src/server/redis/limits.ts'
import { stallAfter } from '../../shared/src/server/redis/stall.fixture.ts'
import { startRedis, startRedisCluster } from '../support/redis.ts'

// The other limits are far longer, so only the first two can end a call or a connection attempt.
vi.mock('../../shared/src/server/redis/limits.ts', async original => ({
  ...(await original<object>()),
  CONNECT_WITHIN: 3000,
  REPLY_WITHIN: 3000,
  FREE_SOCKET_AFTER: 60_000,
  SILENT_FOR: 60_000,
}))

const ENDS: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

const started = async <S extends { stop: () => Promise<unknown> }>(starting: Promise<S>): Promise<S> => {
  const server = await starting
  ENDS.push(server.stop)
  return server
}

const open = async ([first = '', ...others]: readonly string[]) => {
  const redis = await openRedis([first, ...others], { durability: 'process' })
  ENDS.push(redis.close)
  return redis
}

test('while it connects', async () => {
  const { url } = await started(startRedis())
  const redis = await stallAfter(() => open([url]), CONNECT_WITHIN + 500)
  expect(redis.failure()).toBeUndefined()
})

test.each([
  ['one server', async () => [(await started(startRedis())).url]],
  ['a cluster', async () => (await started(startRedisCluster())).urls],
])('while it waits for a reply from %s', async (_, start) => {
  const redis = await open(await start())
  expect(await stallAfter(() => redis.send('', ['ECHO', 'the reply']), REPLY_WITHIN + 500)).toBe('the reply')
  expect(redis.failure()).toBeUndefined()
})
