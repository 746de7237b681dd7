/** After Redis lost its data, running servers restore what they rely on, and report what was lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openPeer } from '../compat/peer.ts'
import { exchange, settle } from '../compat/session.ts'
import { connectBridge } from '../support/bridge-client.ts'
import { metricsOf } from '../support/metrics.ts'
import { startReceiver } from '../support/receiver.ts'
import { type RedisServer, startRedis, startRedisCluster, startReplica, untilCaughtUp } from '../support/redis.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const [ANN, BEN] = [1, 2]
/** Servers have 20 seconds to recover. */
const SOON = { timeout: 20_000, interval: 250 }
const NO_FILES = ['--appendonly', 'no']
const WEBHOOKS = ['--webhook-allow', '127.0.0.1', '--webhook-registration', 'open']
const ENDS: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

const redisOf = async (args: readonly string[] = NO_FILES): Promise<RedisServer> => {
  const server = await startRedis(args)
  ENDS.push(server.stop)
  return server
}

const folderOf = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'losses-'))
  ENDS.push(() => rm(folder, { recursive: true }))
  return folder
}

const serverOn = async (name: 'relay-server' | 'bridge-server', urls: readonly string[]): Promise<Server> => {
  const flags = name === 'relay-server' ? NO_REDELIVERY : []
  const args = ['--redis-url', urls.join(','), ...WEBHOOKS, ...flags]
  const server = await startServer(name, { dataDir: await folderOf(), args })
  ENDS.push(() => server.stop('SIGKILL'))
  return server
}
const relayOn = (...redis: RedisServer[]): Promise<Server> =>
  serverOn(
    'relay-server',
    redis.map(({ url }) => url),
  )

const connect = async (relay: Server, seed?: number): Promise<RelayClient> => {
  const client = await connectRelay(relay.url, seed)
  ENDS.push(client.close)
  return client
}

const subscribed = async (relay: Server, seed: number | undefined, ...topics: string[]): Promise<RelayClient> => {
  const client = await connect(relay, seed)
  for (const topic of topics) expect(await client.call('relay_subscribe', { topic })).toHaveProperty('result')
  return client
}

/** Unsubscribes. Subscribes again first, because the response contains the subscription id. */
const unsubscribe = async (client: RelayClient, topic: string): Promise<void> => {
  const { result: id } = await client.call('relay_subscribe', { topic })
  expect(await client.call('relay_unsubscribe', { topic, id })).toMatchObject({ result: true })
}

const publish = (client: RelayClient, topic: string, message: string) =>
  client.call('relay_publish', { topic, message, ttl: 300 })

const register = async ({ url }: Server, topic: string, webhook: string): Promise<void> => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/subscribe`, { method: 'POST', headers, body: JSON.stringify({ topic, webhook }) })
  expect(answer.status).toBe(200)
}

const nextText = async (client: RelayClient): Promise<string> => {
  const push = await client.push()
  client.acknowledge(push)
  return push.params.data.message
}

const publicKeyOf = async ({ url }: Server): Promise<string> =>
  (await (await fetch(`${url}/public-key`)).json()).publicKey

const healthOf = async ({ url }: Server) => (await fetch(`${url}/health`)).json()

/** Resolves once a server reports that Redis lost data. */
const saysLoss = (server: Server): Promise<void> =>
  expect
    .poll(() => healthOf(server), SOON)
    .toMatchObject({ reasons: [expect.stringContaining('Redis lost stored messages')] })

const LOSSES: readonly [name: string, lose: (redis: RedisServer) => Promise<unknown>][] = [
  [
    'a restart without files',
    async redis => {
      await redis.kill()
      await redis.restart()
    },
  ],
  ['FLUSHALL', redis => redis.command('FLUSHALL')],
]

describe.each(LOSSES)('after %s', (_, lose) => {
  test('subscriptions of connected clients, webhooks and the signing key are restored, and the loss is reported', async () => {
    const redis = await redisOf()
    const [first, second] = [await relayOn(redis), await relayOn(redis)]
    const receiver = await startReceiver()
    ENDS.push(receiver.close)
    const key = await publicKeyOf(first)
    const [ben, nameless] = [
      await subscribed(second, BEN, 'ben', 'left'),
      await subscribed(second, undefined, 'nameless'),
    ]
    await unsubscribe(ben, 'left')
    await register(first, 'ben', receiver.url)

    await lose(redis)
    for (const relay of [first, second]) await saysLoss(relay)
    expect(first.said()).toContain('Redis lost stored data')
    expect(await metricsOf(first.url)).toMatchObject({ heliograph_redis_losses: 1, heliograph_degraded: 1 })

    const ann = await connect(first, ANN)
    for (const topic of ['ben', 'nameless', 'left'])
      await expect.poll(async () => (await publish(ann, topic, `to ${topic}`)).result, SOON).toBe(true)
    expect(await nextText(ben)).toBe('to ben')
    expect(await nextText(nameless)).toBe('to nameless')
    expect(await ben.rest()).toEqual([])
    expect(JSON.parse((await receiver.next()).body)).toMatchObject({ topic: 'ben' })
    const third = await relayOn(redis)
    for (const relay of [first, second, third]) expect(await publicKeyOf(relay)).toBe(key)
    // A server that starts later also gets the webhook.
    await publish(await connect(third, ANN), 'ben', 'again')
    expect(JSON.parse((await receiver.next()).body)).toMatchObject({ topic: 'ben' })
  })
})

test('a message that is published right after FLUSHALL, before servers notice the loss, arrives', async () => {
  const redis = await redisOf()
  const [first, second] = [await relayOn(redis), await relayOn(redis)]
  const ann = await connect(first, ANN)
  const ben = await subscribed(second, BEN, 'topic')
  await redis.command('FLUSHALL')
  expect((await publish(ann, 'topic', 'm')).result).toBe(true)
  expect(await nextText(ben)).toBe('m')
})

test('FLUSHALL while clients subscribe, unsubscribe and publish: exactly the subscribed clients get later messages', async () => {
  const redis = await redisOf()
  const relays = [await relayOn(redis), await relayOn(redis)]
  const [ann] = [await connect(relays[0] as Server, ANN)]
  const names = Array.from({ length: 20 }, (_, index) => `topic ${index}`)
  const clients = await Promise.all(
    names.map((name, index) => subscribed(relays[index % 2] as Server, 10 + index, `old ${name}`)),
  )
  const work = clients.map(async (client, index) => {
    const topic = names[index] ?? ''
    await client.call('relay_subscribe', { topic })
    await publish(ann, topic, 'meanwhile')
    await unsubscribe(client, `old ${topic}`)
  })
  await redis.command('FLUSHALL')
  await Promise.all(work)
  for (const relay of relays) await saysLoss(relay)
  await Promise.all(
    clients.map(async (client, index) => {
      const topic = names[index] ?? ''
      await publish(ann, topic, 'later')
      await publish(ann, `old ${topic}`, 'unwanted')
      let text = await nextText(client)
      // A relay that restores a subscription pushes messages again that were not acknowledged before.
      while (text === 'meanwhile') text = await nextText(client)
      expect([text, await client.rest()]).toEqual(['later', []])
    }),
  )
})

test('a lagging replica takes over: the last subscription and the last webhook are restored', async () => {
  const primary = await redisOf([])
  const replica = await startReplica(primary)
  ENDS.push(replica.stop)
  const relay = await relayOn(primary, replica)
  const receivers = [await startReceiver(), await startReceiver()]
  for (const receiver of receivers) ENDS.push(receiver.close)
  const [first = '', last = ''] = receivers.map(({ url }) => url)
  await register(relay, 'last', first)
  await untilCaughtUp(replica, primary)
  // From here on, the replica gets no changes.
  await replica.command('REPLICAOF', 'NO', 'ONE')
  await register(relay, 'last', last)
  const ben = await subscribed(relay, BEN, 'last')
  await primary.kill()
  const ann = await connect(relay, ANN)
  await expect.poll(async () => (await publish(ann, 'last', 'm')).result, SOON).toBe(true)
  expect(await nextText(ben)).toBe('m')
  await saysLoss(relay)
  await Promise.all(receivers.map(receiver => receiver.next()))
})

test('one primary of a cluster loses its data: its topics are restored', { timeout: 200_000 }, async () => {
  const cluster = await startRedisCluster(NO_FILES)
  ENDS.push(cluster.stop)
  const relay = await serverOn('relay-server', cluster.urls)
  const topics = Array.from({ length: 12 }, (_, index) => `topic ${index}`)
  const ben = await subscribed(relay, BEN, ...topics)
  const ann = await connect(relay, ANN)
  const [flushed, restarted] = cluster.servers
  const losses: [count: number, lose: () => Promise<unknown>][] = [
    [1, async () => flushed?.command('FLUSHALL')],
    [
      1,
      async () => {
        await restarted?.kill()
        await restarted?.restart()
        await cluster.untilWhole()
      },
    ],
  ]
  for (const [count, lose] of losses) {
    await lose()
    await expect.poll(async () => (await metricsOf(relay.url)).heliograph_redis_losses, SOON).toBe(count)
    for (const topic of topics)
      await expect.poll(async () => (await publish(ann, topic, topic)).result, SOON).toBe(true)
    const texts = new Set<string>()
    while (texts.size < topics.length) texts.add(await nextText(ben))
    await ben.rest()
  }
})

test('a bridge: a connected subscriber still gets frames, and the loss is reported', async () => {
  const redis = await redisOf()
  const bridge = await serverOn('bridge-server', [redis.url])
  const [reader, writer] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  ENDS.push(reader.close, writer.close)
  reader.sub('t')
  await reader.rest()
  writer.pub('t', 'before')
  expect(await reader.payloads(1)).toEqual(['before'])
  await redis.kill()
  await redis.restart()
  await saysLoss(bridge)
  writer.pub('t', 'after')
  expect(await reader.payloads(1)).toEqual(['after'])
})

test('sign-client 2.21: a paired and idle wallet gets a request after Redis was restarted, and responds', async () => {
  const redis = await redisOf()
  const relay = await relayOn(redis)
  const open = async (name: string) =>
    openPeer('sign-client 2.21', {
      port: Number(new URL(relay.url).port),
      folder: join(await folderOf(), name),
      env: { IS_VITEST: 'true' },
    })
  const two = { dapp: await open('dapp'), wallet: await open('wallet') }
  ENDS.push(two.dapp.dispose, two.wallet.dispose)
  const session = await settle(two, 'irn')
  await exchange(two, session)
  await redis.kill()
  await redis.restart()
  await saysLoss(relay)
  await exchange(two, session)
})
