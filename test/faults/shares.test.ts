/**
 * One address, with any number of keys and sockets, gets at most its share of each limit, and other addresses are not
 * affected.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { metricOf } from '../support/metrics.ts'
import { type Answer, socketUrl } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'
import { isLocalStore } from '../support/store.ts'

const ATTACKER = '127.0.0.2'
const HONEST = '127.0.0.3'
/** The exempt address is unused, so no client is exempt. */
const NOBODY_EXEMPT = ['--exempt-addresses', '192.0.2.1']

let folder: string
let server: Server
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shares-'))
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const startRelay = async (...args: string[]): Promise<void> => {
  server = await startServer('relay-server', { dataDir: folder, args: [...NOBODY_EXEMPT, ...args] })
}

const keyOf = (number: number): Uint8Array => {
  const key = new Uint8Array(32)
  new DataView(key.buffer).setUint32(0, number)
  return key
}
const tokenOf = (number: number): string => {
  const iat = Math.floor(Date.now() / 1000)
  return signJwt({ sub: 'ab'.repeat(32), aud: 'ws://relay', iat, exp: iat + 86_400 }, keyOf(number))
}

/** Opens a socket from an address, with the key of this number. Returns undefined if it is refused. */
const connectFrom = async (localAddress: string, key: number) => {
  const socket = new WebSocket(socketUrl(server.url, { auth: tokenOf(key) }), { localAddress })
  const calls = new Map<number, (answer: Answer | undefined) => void>()
  let lastId = 0
  const end = () => {
    for (const settle of calls.values()) settle(undefined)
  }
  socket.on('message', data => {
    const answer = JSON.parse(`${data}`)
    calls.get(answer.id)?.(answer)
  })
  const isOpen = await new Promise<boolean>(resolve => {
    socket.on('open', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => {
      resolve(false)
      end()
    })
  })
  if (!isOpen) return undefined
  return {
    call: (method: string, params: object): Promise<Answer | undefined> => {
      lastId += 1
      socket.send(JSON.stringify({ id: lastId, jsonrpc: '2.0', method, params }))
      return new Promise(resolve => calls.set(lastId, resolve))
    },
    close: () => socket.terminate(),
  }
}

const topicsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)
const subscriptions = () => metricOf(server.url, 'heliograph_mailbox_subscriptions')

test("many keys of one address get only the address's share of subscriptions, even after they disconnect", async () => {
  await startRelay('--subscriptions', '20000', '--share-subscriptions', '1', '--address-burst', '100000')
  const errors: string[] = []
  for (let key = 1; key <= 8; key++) {
    const client = await connectFrom(ATTACKER, key)
    const answer = await client?.call('relay_batchSubscribe', { topics: topicsOf(`key ${key}`, 50) })
    if (answer?.error) errors.push(answer.error.message)
    client?.close()
  }
  expect(await subscriptions()).toBe(200)
  expect(errors).toHaveLength(4)
  for (const error of errors)
    expect(error).toBe('the share of your address is used up: 200 subscriptions (address-subscriptions)')
  const honest = await connectFrom(HONEST, 100)
  expect((await honest?.call('relay_subscribe', { topic: 'mine' }))?.result).toBeTypeOf('string')
  honest?.close()
})

if (isLocalStore)
  test('each topic of a batch costs a token, and the tokens of one address are limited', async () => {
    await startRelay('--address-rate', '1', '--address-burst', '200', '--message-rate', '1000000')
    const client = await connectFrom(ATTACKER, 1)
    const codes: unknown[] = []
    for (let call = 0; call < 4; call++) {
      const answer = await client?.call('relay_batchSubscribe', { topics: topicsOf(`call ${call}`, 100) })
      codes.push(answer?.error?.code ?? typeof answer?.result)
    }
    expect(codes.slice(0, 3)).toEqual(['object', 'object', 3001])
    expect(await subscriptions()).toBe(200)
    expect(await connectFrom(ATTACKER, 2)).toBeUndefined()
    const honest = await connectFrom(HONEST, 100)
    expect((await honest?.call('relay_subscribe', { topic: 'mine' }))?.result).toBeTypeOf('string')
    honest?.close()
  })

if (isLocalStore)
  test('fetched messages cost tokens', async () => {
    await startRelay('--address-rate', '1', '--address-burst', '400')
    const writer = await connectFrom(HONEST, 100)
    for (let call = 0; call < 2; call++) {
      const messages = topicsOf(`call ${call}`, 100).map(message => ({ topic: 'full', message, ttl: 300 }))
      expect((await writer?.call('relay_batchPublish', { messages }))?.result).toBe(true)
    }
    const reader = await connectFrom(ATTACKER, 1)
    await reader?.call('relay_subscribe', { topic: 'full' })
    const codes: unknown[] = []
    for (let call = 0; call < 4; call++) {
      const answer = await reader?.call('relay_fetchMessages', { topic: 'full' })
      codes.push(answer?.error?.code ?? typeof answer?.result)
    }
    expect(codes).toEqual(['object', 'object', 3001, 3001])
    for (const one of [writer, reader]) one?.close()
  })

test('sockets of one address fill only its share of the store, with any keys and topics, and others can publish', async () => {
  await startRelay('--store-bytes', '100000000', '--share-bytes', '1', '--share-messages', '100000')
  const publish = (client: Awaited<ReturnType<typeof connectFrom>>, topic: string) =>
    client?.call('relay_publish', { topic, message: `${topic} ${'x'.repeat(100_000)}`, ttl: 3600 })
  const errors = new Set<string>()
  for (let key = 1; key <= 4; key++) {
    const client = await connectFrom(ATTACKER, key)
    for (let index = 0; index < 5; index++) {
      const answer = await publish(client, `${key} ${index}`)
      if (answer?.error) errors.add(answer.error.message)
    }
    client?.close()
  }
  expect(errors).toEqual(new Set(['the share of your address is used up: 1000000 bytes (address-bytes)']))
  expect(await metricOf(server.url, 'heliograph_mailbox_bytes')).toBeLessThanOrEqual(1_000_000)
  const honest = await connectFrom(HONEST, 100)
  expect((await publish(honest, 'mine'))?.result).toBe(true)
  honest?.close()
})

test('one address that knows a topic cannot block it for other clients', async () => {
  await startRelay('--topic-messages', '2400', '--topic-clients', '20', '--address-burst', '100000')
  const errors = new Set<string>()
  for (let key = 1; key <= 13; key++) {
    const client = await connectFrom(ATTACKER, key)
    const messages = topicsOf(`${key}`, 100).map(message => ({ topic: 'shared', message, ttl: 3600 }))
    const published = client?.call('relay_batchPublish', { messages })
    const subscribed = client?.call('relay_subscribe', { topic: 'shared' })
    for (const answer of await Promise.all([published, subscribed])) if (answer?.error) errors.add(answer.error.message)
  }
  expect(errors).toEqual(
    new Set([
      'a topic holds at most 1200 messages of one address (topic-messages)',
      'a topic has at most 10 clients of one address (topic-clients)',
    ]),
  )
  const honest = await connectFrom(HONEST, 100)
  expect((await honest?.call('relay_subscribe', { topic: 'shared' }))?.result).toBeTypeOf('string')
  expect((await honest?.call('relay_publish', { topic: 'shared', message: 'mine', ttl: 60 }))?.result).toBe(true)
  honest?.close()
})

test('one address that knows a topic of the bridge cannot fill it', async () => {
  server = await startServer('bridge-server', { dataDir: folder, args: [...NOBODY_EXEMPT, '--topic-frames', '2400'] })
  const publishFrom = async (localAddress: string, count: number): Promise<WebSocket> => {
    const socket = new WebSocket(server.url.replace('http', 'ws'), { localAddress })
    await once(socket, 'open')
    for (let index = 0; index < count; index++)
      socket.send(JSON.stringify({ topic: 'shared', type: 'pub', payload: `${index}`, silent: true }))
    return socket
  }
  const waiting = () => metricOf(server.url, 'heliograph_queue_frames')
  const [code, reason] = await once(await publishFrom(ATTACKER, 1300), 'close')
  expect([code, `${reason}`]).toEqual([1013, 'limit reached (topic-frames)'])
  expect(await waiting()).toBe(1200)
  const honest = await publishFrom(HONEST, 5)
  await expect.poll(waiting).toBe(1205)
  expect(honest.readyState).toBe(WebSocket.OPEN)
  honest.terminate()
})

test("stored messages also count towards their client's share after a restart, until they are fetched", async () => {
  const limits = ['--store-messages', '10000', '--share-messages', '1']
  const fill = async () => {
    const client = await connectFrom(ATTACKER, 1)
    const all = topicsOf('filled', 150).map(topic =>
      client?.call('relay_publish', { topic, message: topic, ttl: 3600 }),
    )
    const answers = await Promise.all(all)
    client?.close()
    return answers.filter(answer => answer?.result === true).length
  }
  await startRelay(...limits)
  expect(await fill()).toBe(100)
  await server.stop()
  await startRelay(...limits)
  // Repeated messages do not count again. The client's share has no room for other messages, not even from another
  // address.
  const client = await connectFrom(HONEST, 1)
  const refused = await client?.call('relay_publish', { topic: 'more', message: 'm', ttl: 60 })
  expect(refused?.error?.message).toBe('the share of your client is used up: 100 messages (client-messages)')
  const reader = await connectFrom(HONEST, 100)
  const messageId = await reader
    ?.call('relay_subscribe', { topic: 'filled 0' })
    .then(() => reader.call('relay_fetchMessages', { topic: 'filled 0' }))
  expect(messageId?.result).toMatchObject({ messages: [{ message: 'filled 0' }] })
  await reader?.call('relay_unsubscribe', { topic: 'filled 0', id: 'any' })
  const after = await client?.call('relay_publish', { topic: 'more', message: 'm', ttl: 60 })
  expect(after?.result).toBe(true)
  for (const one of [client, reader]) one?.close()
})

if (isLocalStore)
  test('one address gets only a share of the connections, including silent ones, and others can connect', async () => {
    await startRelay('--connections', '1000', '--share-connections', '1')
    const opened = await Promise.all(Array.from({ length: 30 }, (_, index) => connectFrom(ATTACKER, index + 1)))
    expect(opened.filter(client => client !== undefined)).toHaveLength(10)
    expect((await connectFrom(HONEST, 100)) === undefined).toBe(false)
    for (const client of opened) client?.close()
  })

test('one socket fills only its share of the bridge, and its connection is closed with the reason', async () => {
  server = await startServer('bridge-server', {
    dataDir: folder,
    args: [...NOBODY_EXEMPT, '--store-bytes', '100000000', '--share-bytes', '1'],
  })
  const socket = new WebSocket(server.url.replace('http', 'ws'), { localAddress: ATTACKER })
  const closed = new Promise<string>(resolve => socket.on('close', (code, reason) => resolve(`${code} ${reason}`)))
  await new Promise(resolve => socket.on('open', resolve))
  const payload = 'x'.repeat(100_000)
  for (let index = 0; index < 20; index++)
    socket.send(JSON.stringify({ topic: `topic ${index}`, type: 'pub', payload, silent: true }))
  expect(await closed).toBe('1008 the share of your address is used up: 1000000 bytes (address-bytes)')
  expect(await metricOf(server.url, 'heliograph_queue_bytes')).toBeLessThanOrEqual(1_000_000)
})

test('100,000 registrations of one address leave space for others', async () => {
  await startRelay('--webhook-topics', '1000', '--share-webhooks', '1', '--webhook-allow', '127.0.0.0/8')
  const register = (topic: string) =>
    fetch(`${server.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic, webhook: `http://127.0.0.9:1/${topic}` }),
    })
  const statuses: number[] = []
  for (let index = 0; index < 15; index++) statuses.push((await register(`topic${index}`)).status)
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
  await expect.poll(() => metricOf(server.url, 'heliograph_webhook_topics')).toBe(10)
})
