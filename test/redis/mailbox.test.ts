/** The rules of the mailbox on one Redis server and on a cluster. */
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { joinNodes } from '@heliograph/shared/server/redis/nodes'
import { openRedis } from '@heliograph/shared/server/redis/open'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeMailbox } from '../../relay-server/src/mailbox/mailbox-contract.ts'
import type { MakeStore } from '../../relay-server/src/mailbox/mailbox-store.fixture.ts'
import { openRedisMailbox } from '../../relay-server/src/mailbox/redis/redis-mailbox.ts'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'

const log = createLog('test', 'silent')

const storeOn =
  (servers: () => readonly RedisServer[]): MakeStore =>
  async () => {
    const [first, ...others] = servers()
    if (!first) throw new Error('no server was started')
    await Promise.all(servers().map(server => server.command('FLUSHALL')))
    return {
      open: async (limits, now) => {
        const redis = await openRedis([first.url, ...others.map(({ url }) => url)], { durability: 'process' })
        const ignore = () => undefined
        const nodes = await joinNodes({ redis, prefix: 'relay', log })
        const mailbox = await openRedisMailbox({
          redis,
          nodes,
          limits,
          shares: sharesOf(),
          log,
          onMessages: ignore,
          onExpired: ignore,
          now,
        })
        const close = async () => {
          await mailbox.close()
          await nodes.leave()
          await redis.close()
        }
        return { mailbox, close }
      },
      remove: async () => undefined,
    }
  }

describe('on one server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())
  describeMailbox(
    'one Redis',
    storeOn(() => [server]),
    fuzzCases('redisCourses'),
  )
})

describe('on a cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>
  beforeAll(async () => {
    cluster = await startRedisCluster()
  })
  afterAll(() => cluster.stop())
  describeMailbox(
    'a Redis Cluster of three primaries',
    storeOn(() => cluster.servers),
    fuzzCases('redisCourses'),
  )
})
