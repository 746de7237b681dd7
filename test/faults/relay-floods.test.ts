/** Floods that exceed every limit of the relay: it stays within its limits, and other clients are not affected. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { countOf, metricOf } from '../support/metrics.ts'
import { frameOf, openRaw, portOf } from '../support/raw.ts'
import { connectRelay, type RelayClient, socketUrl, tokenOf } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'
import { isLocalStore } from '../support/store.ts'
import { type Exchange, startExchange } from './exchange.ts'

const TOPIC = 'ab'.repeat(32)
const ANN = 1
const BEN = 2
const STALLED = 3
const FLOODER = 4

let folder: string
let relay: Server
let pair: Exchange
const start = async (...args: string[]): Promise<void> => {
  relay = await startServer('relay-server', { dataDir: folder, args: [...NO_REDELIVERY, ...args] })
  pair = await startPair(relay.url)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-floods-'))
})
afterEach(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

/**
 * Starts two clients that exchange messages continuously: each message is sent soon after the previous one has arrived.
 */
const startPair = async (url: string): Promise<Exchange> => {
  const [ann, ben] = [await connectRelay(url, ANN), await connectRelay(url, BEN)]
  await ben.call('relay_subscribe', { topic: TOPIC })
  const pass = async (message: string): Promise<string> => {
    const { result } = await ann.call('relay_publish', { topic: TOPIC, message, ttl: 300 })
    expect(result).toBe(true)
    const push = await ben.push()
    ben.acknowledge(push)
    return push.params.data.message
  }
  return startExchange({ pass, close: () => Promise.all([ann.close(), ben.close()]) })
}

/** Checks that the pair kept exchanging messages and lost none. */
const expectUndisturbed = (): Promise<void> => pair.finish(50)

const refusals = (reason: string) => countOf(relay.url, 'heliograph_refusals_total', `reason="${reason}"`)

const MEGABYTE = 1_000_000
/** Milliseconds. A busy machine takes minutes for 125 MB of messages. */
const SLOW_MS = 400_000
const LONG = 'x'.repeat(50_000)

test('slow readers use little memory, are disconnected, and get all their messages after they reconnect', {
  timeout: SLOW_MS,
}, async () => {
  await start('--stall-seconds', '15')
  const topics = Array.from({ length: 5 }, (_, index) => `topic ${index}`)
  const stalled = new WebSocket(socketUrl(relay.url, { auth: tokenOf(STALLED) }))
  await once(stalled, 'open')
  for (const [id, topic] of topics.entries()) {
    stalled.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'relay_subscribe', params: { topic } }))
    await once(stalled, 'message')
  }
  stalled.pause()
  // From here on, the relay can disconnect the stalled client at any time.
  stalled.on('error', () => undefined)
  const closed = new Promise<number>(resolve => stalled.once('close', resolve))
  const before = await relay.heldBytes()
  const writer = await connectRelay(relay.url, FLOODER)
  const messages = Array.from({ length: 500 }, (_, index) => `${index} ${LONG}`)
  for (const message of messages) {
    const publish = (topic: string) => writer.call('relay_publish', { topic, message, ttl: 300 })
    for (const { result } of await Promise.all(topics.map(publish))) expect(result).toBe(true)
  }
  expect((await relay.heldBytes()) - before).toBeLessThan(100 * MEGABYTE)
  await expect.poll(() => refusals('stall-seconds'), { timeout: 60_000, interval: 500 }).toBe(1)
  stalled.resume()
  expect(await closed).not.toBe(3000)
  await expectUndisturbed()

  const back = await connectRelay(relay.url, STALLED)
  const [topic] = topics
  await back.call('relay_subscribe', { topic })
  const received: string[] = []
  while (received.length < messages.length) {
    const push = await back.push()
    received.push(push.params.data.message)
    back.acknowledge(push)
  }
  expect(received).toEqual(messages)
  await Promise.all([back.close(), writer.close()])
})

test('a client that sends many requests and does not read is disconnected', async () => {
  await start()
  const writer = await connectRelay(relay.url, FLOODER)
  for (let index = 0; index < 15; index++)
    await writer.call('relay_publish', { topic: 'a topic', message: `${index} ${LONG}`, ttl: 300 })
  const socket = new WebSocket(socketUrl(relay.url, { auth: tokenOf(STALLED) }))
  await once(socket, 'open')
  const params = { topic: 'a topic' }
  socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'relay_subscribe', params }))
  await once(socket, 'message')
  const before = await relay.heldBytes()
  const closed = once(socket, 'close')
  socket.pause()
  const fetching = JSON.stringify({ id: 2, jsonrpc: '2.0', method: 'relay_fetchMessages', params })
  for (let count = 0; count < 5000; count++) socket.send(fetching)
  const batch = `[${Array(100).fill(fetching).join(',')}]`
  for (let count = 0; count < 100; count++) socket.send(batch)
  await expect.poll(() => refusals('unsent-bytes'), { timeout: 30_000 }).toBe(1)
  expect((await relay.heldBytes()) - before).toBeLessThan(100 * MEGABYTE)
  socket.resume()
  expect((await closed)[0]).not.toBe(3000)
  await expectUndisturbed()
  await writer.close()
})

/** Calls at once. More could wait for a slow Redis server longer than the relay does. */
const ROUND = 500

/** Calls a method for many topics, in rounds. Returns the number of errors by text. */
const callAll = async (client: RelayClient, method: string, topics: readonly string[]) => {
  const counts: Record<string, number> = {}
  const call = async (topic: string) => {
    const { error } = await client.call(method, { topic, message: 'm', ttl: 300 })
    const outcome = error ? `${error.code} ${error.message}` : 'done'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  for (let first = 0; first < topics.length; first += ROUND)
    await Promise.all(topics.slice(first, first + ROUND).map(call))
  return counts
}

test('a flood of topics stays within the limits per client and of the relay', async () => {
  await start('--client-topics', '200', '--subscriptions', '300')
  const [client, other] = [await connectRelay(relay.url, FLOODER), await connectRelay(relay.url, STALLED)]
  const topics = Array.from({ length: 1000 }, (_, index) => `topic ${index}`)
  expect(await callAll(client, 'relay_subscribe', topics)).toEqual({
    done: 200,
    '-32005 a client has at most 200 topics (client-topics)': 800,
  })
  expect(await callAll(other, 'relay_subscribe', topics.slice(0, 200))).toEqual({
    done: 99,
    '-32005 this relay has at most 300 subscriptions (subscriptions)': 101,
  })
  expect(await callAll(client, 'relay_publish', topics)).toEqual({ done: 1000 })
  expect([await refusals('client-topics'), await refusals('subscriptions')]).toEqual([800, 101])
  await expectUndisturbed()
  await Promise.all([client.close(), other.close()])
})

test('a flood of messages to all topics is refused until there is space, and loses nothing', async () => {
  await start('--store-messages', '300')
  const [client, reader] = [await connectRelay(relay.url, FLOODER), await connectRelay(relay.url, STALLED)]
  await pair.finish(50)
  await expect.poll(() => metricOf(relay.url, 'heliograph_mailbox_messages')).toBe(0)
  const topics = Array.from({ length: 900 }, (_, index) => `topic ${index}`)
  expect(await callAll(client, 'relay_publish', topics)).toEqual({
    done: 300,
    '-32005 this relay holds at most 300 messages (store-messages)': 600,
  })
  await callAll(reader, 'relay_subscribe', topics.slice(0, 300))
  for (let count = 0; count < 300; count++) reader.acknowledge(await reader.push())
  await expect.poll(() => metricOf(relay.url, 'heliograph_mailbox_messages')).toBe(0)
  expect(await callAll(client, 'relay_publish', topics.slice(0, 300))).toEqual({ done: 300 })
  await Promise.all([client.close(), reader.close()])
})

test("a flood of messages to one topic stays within the topic's limits", async () => {
  await start('--topic-messages', '200')
  const client = await connectRelay(relay.url, FLOODER)
  const publish = (_: unknown, index: number) =>
    client.call('relay_publish', { topic: 'a topic', message: `${index}`, ttl: 300 })
  const answers = await Promise.all(Array.from({ length: 800 }, publish))
  expect(answers.filter(({ result }) => result === true)).toHaveLength(200)
  expect(await refusals('topic-messages')).toBe(600)
  await expectUndisturbed()
  await client.close()
})

if (isLocalStore)
  test('a flood of connections is closed above the limit, and open connections are not affected', async () => {
    await start('--connections', '200')
    const sockets: Socket[] = []
    let closed = 0
    for (let count = 0; count < 3000; count++) {
      const socket = connect(portOf(relay.url), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.on('close', () => {
        closed += 1
      })
      sockets.push(socket)
    }
    await vi.waitUntil(() => closed >= 2000, { timeout: 30_000 })
    await expectUndisturbed()
    await expect
      .poll(() => metricOf(relay.url, 'process_open_fds'), { timeout: 30_000, interval: 500 })
      .toBeLessThan(100)
    expect(await refusals('connections')).toBeGreaterThanOrEqual(2000)
    const client = await connectRelay(relay.url)
    await client.close()
    for (const socket of sockets) socket.destroy()
  })

if (isLocalStore)
  test('a flood of requests from one client is refused, and other clients are served', async () => {
    await start('--message-rate', '1000', '--message-burst', '1000')
    const flooder = new WebSocket(socketUrl(relay.url, { auth: tokenOf(FLOODER) }))
    await once(flooder, 'open')
    const codes = new Set<number>()
    flooder.on('message', frame => codes.add(JSON.parse(`${frame}`).error?.code))
    const closed = once(flooder, 'close')
    const frame = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'relay_subscribe', params: {} })
    const flooding = setInterval(() => {
      for (let count = 0; count < 100; count++) flooder.send(frame)
    }, 1)
    expect((await closed)[0]).toBe(1008)
    clearInterval(flooding)
    expect(codes).toEqual(new Set([-32602, 3001]))
    await expectUndisturbed()
  })

if (isLocalStore)
  test('an unfinished frame uses only as much memory as its content', async () => {
    await start()
    const before = await relay.heldBytes()
    const begun = frameOf(0x81, Buffer.alloc(900_000, 'x'), MEGABYTE)
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openRaw(relay.url)))
    await Promise.all(sockets.map(socket => new Promise(resolve => socket.write(begun, resolve))))
    await expectUndisturbed()
    expect((await relay.heldBytes()) - before).toBeLessThan(100 * MEGABYTE)
    for (const socket of sockets) socket.destroy()
  })
