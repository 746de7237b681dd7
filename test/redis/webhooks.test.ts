/** Webhooks and watches of two relays on one Redis server. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { encodeDidKey } from '@heliograph/shared/wire/did-key'
import { encodeJwt } from '@heliograph/shared/wire/relay-auth'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const LEASES = 'relay:{nodes}:leases'
const ROWS = 'relay:{tables}:rows'
const KEY = 'relay:{tables}:signing-key'
let folder: string
let redis: RedisServer
let receiver: Receiver
let a: Server
let b: Server
const servers: Server[] = []
const clients: RelayClient[] = []

const start = async (name: string): Promise<Server> => {
  const args = ['--redis-url', redis.url, '--webhook-allow', '127.0.0.1', '--webhook-registration', 'open']
  const server = await startServer('relay-server', { dataDir: join(folder, name), args })
  servers.push(server)
  return server
}
const startTwo = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'redis-webhooks-'))
  redis = await startRedis()
  ;[a, b] = await Promise.all([start('a'), start('b')])
}
const stopAll = async (): Promise<void> => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL')
  await redis.stop()
  await rm(folder, { recursive: true })
}
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await receiver.close()
})
/** Replaces the receiver by a receiver with other responses. */
const receive = async (options: Parameters<typeof startReceiver>[0]): Promise<void> => {
  await receiver.close()
  receiver = await startReceiver(options)
}

const connect = async ({ url }: Server, seed?: number): Promise<RelayClient> => {
  const client = await connectRelay(url, seed)
  clients.push(client)
  return client
}

let lastTopic = 0
const freshTopic = (): string => {
  lastTopic += 1
  return lastTopic.toString(16).padStart(64, '0')
}

const subscribe = ({ url }: Server, topic: string, webhook: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ topic, webhook }),
  })

let lastMessage = 0
const publish = async (client: RelayClient, topic: string): Promise<void> => {
  lastMessage += 1
  const message = `m${lastMessage}`
  const { result } = await client.call('relay_publish', { topic, message, ttl: 300, tag: 1, prompt: true })
  expect(result).toBe(true)
}

const publicKeyOf = async ({ url }: Server): Promise<{ did: string; publicKey: string }> =>
  (await fetch(`${url}/public-key`)).json()

const bodies = (): string[] => receiver.received.map(({ body }) => body)
const called = (topic: string): string => JSON.stringify({ topic })

/**
 * Publishes until this number of calls has arrived, because the other relay learns of a registration some milliseconds
 * later.
 */
const publishUntilCalled = (client: RelayClient, topic: string, count = 1): Promise<unknown> =>
  vi.waitFor(
    async () => {
      await publish(client, topic)
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), { timeout: 2000 })
    },
    { timeout: 20_000, interval: 20 },
  )

/** Returns the number of calls of all servers that are stored in Redis. */
const storedCalls = async (): Promise<number> => {
  const keys = (await redis.command('KEYS', 'relay:{tables}:calls:*')) as string[]
  const sizes = await Promise.all(keys.map(key => redis.command('HLEN', key)))
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0)
}
const noStoredCalls = () => eventually(async () => expect(await storedCalls()).toBe(0))

const rowsOf = async (topic: string): Promise<unknown[]> =>
  ((await redis.command('HKEYS', ROWS)) as string[]).filter(field => field.includes(topic))

const keyOf = (seed: number) => new Uint8Array(32).fill(seed)

const watchToken = (seed: number, act: string, more: object = {}): string => {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    ...{ act, typ: 'publisher', iss: encodeDidKey(ed25519.getPublicKey(keyOf(seed))), aud: 'wss://relay.example' },
    ...{ sub: 'https://push.example', whu: `${receiver.url}watch`, iat, tag: [1], sts: ['accepted'], ...more },
  }
  return encodeJwt(claims, signed => ed25519.sign(signed, keyOf(seed)))
}

describe('two running relays', () => {
  beforeAll(startTwo)
  afterAll(stopAll)

  test.each([
    ['a hash', freshTopic()],
    ['text with spaces', 'topic of several words'],
  ])('a webhook of a topic that is %s, registered on one, is called for a message on the other', async (_, topic) => {
    expect((await subscribe(a, topic, receiver.url)).status).toBe(200)
    await publishUntilCalled(await connect(b), topic)
    expect(new Set(bodies())).toEqual(new Set([called(topic)]))
    await noStoredCalls()
  })

  test('webhooks of one topic that are registered on both concurrently are all called', async () => {
    const topic = freshTopic()
    const paths = Array.from({ length: 8 }, (_, at) => `/${at}`)
    await Promise.all(paths.map((path, at) => subscribe(at % 2 === 0 ? a : b, topic, new URL(path, receiver.url).href)))
    await publishUntilCalled(await connect(a), topic, 8)
    await eventually(() => expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(paths)))
  })

  test('both have the key that the first one stored in Redis', async () => {
    const key = await publicKeyOf(a)
    expect(await publicKeyOf(b)).toEqual(key)
    const own = await Promise.all(['a', 'b'].map(name => readFile(join(folder, name, 'signing-key.pem'), 'utf8')))
    expect(own[0]).not.toBe(own[1])
    expect(own).toContain(await redis.command('GET', KEY))
  })

  test('a webhook that one removes because its target returns 410 is called by neither', async () => {
    const [topic, other] = [freshTopic(), freshTopic()]
    await receive({ answer: response => response.writeHead(410).end() })
    for (const one of [topic, other]) await subscribe(a, one, receiver.url)
    const [atA, atB] = [await connect(a), await connect(b)]
    await publishUntilCalled(atB, topic)
    await eventually(async () => expect(await rowsOf(topic)).toEqual([]))
    await noStoredCalls()
    const before = receiver.received.length
    for (const client of [atA, atB]) await publish(client, topic)
    await publish(atA, other)
    await noStoredCalls()
    expect(bodies().slice(before)).toEqual([called(other)])
  })

  test('a confirmation on one lets the other make the calls that it missed', async () => {
    const topic = freshTopic()
    let challenged: { end: (body: string) => void } | undefined
    await receive({
      echoes: false,
      answer: (response, index) => {
        if (index === 0) challenged = response
        else response.end()
      },
    })
    await subscribe(a, topic, receiver.url, { 'X-Forwarded-For': '192.0.2.1' })
    const { body } = await receiver.next()
    expect(body).toMatch(/^\{"challenge":/)
    // The other relay has learned of the webhook once it knows a later webhook in the same table.
    const later = freshTopic()
    const second = await startReceiver()
    await subscribe(a, later, second.url)
    const atB = await connect(b)
    await vi.waitFor(
      async () => {
        await publish(atB, later)
        await vi.waitFor(() => expect(second.received.length).toBeGreaterThan(0), { timeout: 2000 })
      },
      { timeout: 20_000, interval: 20 },
    )
    await second.close()
    await publish(atB, topic)
    expect(receiver.received).toHaveLength(1)
    challenged?.end(body)
    expect((await receiver.next()).body).toBe(called(topic))
    await noStoredCalls()
    expect(receiver.received).toHaveLength(2)
  })

  test('a watch registered on one gets events of the other, until it ends', async () => {
    const [topic, other] = [freshTopic(), freshTopic()]
    const [atA, atB] = [await connect(a, 1), await connect(b, 1)]
    const exp = Math.floor(Date.now() / 1000) + 600
    const { result } = await atA.call('irn_watchRegister', {
      registerAuth: watchToken(1, 'irn_watchRegister', { exp }),
    })
    expect(result).toEqual({ relayId: (await publicKeyOf(b)).did })
    await publishUntilCalled(atB, topic)
    const { eventAuth } = JSON.parse(bodies()[0] ?? '')
    const claims = JSON.parse(Buffer.from(eventAuth[0].split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ act: 'irn_watchEvent', typ: 'publisher', evt: { topic } })
    await atB.call('irn_watchUnregister', { unregisterAuth: watchToken(1, 'irn_watchUnregister') })
    // When a relay calls a webhook that was registered after the watch ended, it has also learned of the end.
    await subscribe(b, other, receiver.url)
    const atAAgain = await connect(a)
    await vi.waitFor(
      async () => {
        await publish(atAAgain, other)
        await vi.waitFor(() => expect(bodies()).toContain(called(other)), { timeout: 2000 })
      },
      { timeout: 20_000, interval: 20 },
    )
    await noStoredCalls()
    const before = receiver.received.length
    for (const client of [atA, atB]) await publish(client, topic)
    await publish(atA, other)
    await noStoredCalls()
    expect(bodies().slice(before)).toEqual([called(other)])
  })

  test('a watch registered on one gets a delivery on the other', async () => {
    const topic = freshTopic()
    const [atA, atB] = [await connect(a, 3), await connect(b, 4)]
    const exp = Math.floor(Date.now() / 1000) + 600
    const more = { exp, typ: 'subscriber', sts: ['accepted', 'delivered'] }
    await atA.call('irn_watchRegister', { registerAuth: watchToken(4, 'irn_watchRegister', more) })
    await atB.call('irn_subscribe', { topic })
    await publish(atA, topic)
    atB.acknowledge(await atB.push())
    const claims = () =>
      bodies().map(body => JSON.parse(Buffer.from(JSON.parse(body).eventAuth[0].split('.')[1], 'base64url').toString()))
    // Calls of different relays can arrive in any order.
    const statuses = () => claims().map(({ evt }) => evt.status)
    await eventually(() => expect(statuses().toSorted()).toEqual(['accepted', 'delivered']))
  })

  test('ending a watch on one cancels its pending calls on the other', async () => {
    const topic = freshTopic()
    await receive({ answer: response => response.writeHead(503).end() })
    const [atA, atB] = [await connect(a, 2), await connect(b, 2)]
    const exp = Math.floor(Date.now() / 1000) + 600
    await atA.call('irn_watchRegister', { registerAuth: watchToken(2, 'irn_watchRegister', { exp }) })
    await publishUntilCalled(atA, topic)
    expect(await storedCalls()).toBeGreaterThan(0)
    await atB.call('irn_watchUnregister', { unregisterAuth: watchToken(2, 'irn_watchUnregister') })
    await noStoredCalls()
  })

  test('a registration that Redis refuses gets an error, and is accepted afterwards', async () => {
    const topic = freshTopic()
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    const refused = await subscribe(a, topic, receiver.url)
    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    expect(refused.status).toBe(500)
    const client = await connect(a)
    await publish(client, topic)
    expect((await subscribe(a, topic, receiver.url)).status).toBe(200)
    await publish(client, topic)
    expect((await receiver.next()).body).toBe(called(topic))
    await noStoredCalls()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a relay that exits while its target is down', () => {
  const topic = freshTopic()
  let port: number
  let client: RelayClient

  beforeEach(async () => {
    await startTwo()
    port = await freePort()
    await receive({ port })
    await subscribe(a, topic, receiver.url)
    await receiver.close()
    client = await connect(a)
    await publish(client, topic)
    expect(await storedCalls()).toBe(1)
  })
  afterEach(stopAll)

  /** Expires the leases of all servers. Running servers renew theirs. */
  const endLeases = async (): Promise<void> => {
    for (const node of (await redis.command('ZRANGE', LEASES, '0', '-1')) as string[])
      await redis.command('ZADD', LEASES, 'XX', '1', node)
  }

  test('killed: the other makes its calls', async () => {
    await a.stop('SIGKILL')
    receiver = await startReceiver({ port })
    await endLeases()
    expect((await receiver.next()).body).toBe(called(topic))
    await noStoredCalls()
    expect(receiver.received).toHaveLength(1)
  })

  test('stopped: the other makes its calls, without waiting until its lease expires', async () => {
    await a.stop()
    expect(await storedCalls()).toBe(1)
    receiver = await startReceiver({ port })
    expect((await receiver.next()).body).toBe(called(topic))
    await noStoredCalls()
  })

  test('killed together with the other: a third one makes the calls, with the same key', async () => {
    const key = await publicKeyOf(a)
    await a.stop('SIGKILL')
    await endLeases()
    // Once the lease has expired, the other relay takes over the calls.
    await eventually(async () => expect(await redis.command('ZCARD', LEASES)).toBe(1))
    await b.stop('SIGKILL')
    expect(await storedCalls()).toBe(1)
    await endLeases()
    receiver = await startReceiver({ port })
    const third = await start('c')
    expect((await receiver.next()).body).toBe(called(topic))
    expect(await publicKeyOf(third)).toEqual(key)
    await publish(await connect(third), topic)
    expect((await receiver.next()).body).toBe(called(topic))
  })

  test('expired by mistake: calls that it accepts afterwards are made, even if it is then killed', async () => {
    process.kill(a.pid, 'SIGSTOP')
    await endLeases()
    await eventually(async () => expect(await redis.command('ZCARD', LEASES)).toBe(1))
    const other = freshTopic()
    const second = await startReceiver({ port: await freePort() })
    await subscribe(b, other, second.url)
    await second.close()
    process.kill(a.pid, 'SIGCONT')
    await vi.waitFor(
      async () => {
        await publish(client, other)
        expect(await storedCalls()).toBeGreaterThan(1)
      },
      { timeout: 20_000, interval: 20 },
    )
    await a.stop('SIGKILL')
    await endLeases()
    const back = await startReceiver({ port: second.port })
    receiver = await startReceiver({ port })
    expect((await back.next()).body).toBe(called(other))
    expect((await receiver.next()).body).toBe(called(topic))
    await noStoredCalls()
    await back.close()
  })
})
