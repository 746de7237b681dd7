/**
 * Checks a running bridge against the rules of the v1 protocol's WebSocket, one by one.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import { writeCertificate } from '@heliograph/shared/server/transport/certificate.fixture'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'
import { type BridgeClient, connectBridge } from '../support/bridge-client.ts'
import { countOf, metricOf } from '../support/metrics.ts'
import { isComplete } from '../support/suite.ts'

let folder: string
let bridge: Running
const start = (dataDir: string, settings: Parameters<typeof startBridge>[0] = {}): Promise<Running> =>
  startBridge({ port: 0, logLevel: 'silent', dataDir: join(folder, dataDir), ...settings })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-v1-'))
  bridge = await start('main')
})
afterAll(async () => {
  await bridge.stop()
  await rm(folder, { recursive: true })
})

let lastTopic = 0
const newTopic = (): string => `topic ${++lastTopic}`

const clients = (count: number): Promise<BridgeClient[]> =>
  Promise.all(Array.from({ length: count }, () => connectBridge(bridge.url)))
const closeAll = (...all: BridgeClient[]) => Promise.all(all.map(client => client.close()))
const pair = async (): Promise<[BridgeClient, BridgeClient]> => [
  await connectBridge(bridge.url),
  await connectBridge(bridge.url),
]

describe('frames', () => {
  test('a subscriber gets the frame as published', async () => {
    const topic = newTopic()
    const [ann, ben] = await pair()
    ben.sub(topic)
    await ben.rest()
    const payload = '{"data":"4f36","hmac":"ab","iv":"cd"} é 👋 \u2028'
    for (const silent of [true, false]) {
      ann.pub(topic, payload, { silent })
      expect(JSON.parse(await ben.next())).toEqual({ topic, type: 'pub', payload, silent })
    }
    await closeAll(ann, ben)
  })

  test('every subscriber gets the frame, on any path, and the publisher does not', async () => {
    const topic = newTopic()
    const all = [await connectBridge(bridge.url), await connectBridge(`${bridge.url}/any/path`)]
    const [ann] = await clients(1)
    for (const client of [...all, ann]) client?.sub(topic)
    for (const client of [...all, ann]) await client?.rest()
    ann?.pub(topic, 'a')
    for (const client of all) expect(await client.payloads(1)).toEqual(['a'])
    expect(await ann?.rest()).toEqual([])
    await Promise.all([...all, ann].map(client => client?.close()))
  })

  test('a socket can have many topics and gets only their frames', async () => {
    const [first, second, other] = [newTopic(), newTopic(), newTopic()]
    const [ann, ben] = await pair()
    for (const topic of [first, second]) ben.sub(topic)
    await ben.rest()
    for (const topic of [other, second, first]) ann.pub(topic, topic)
    expect(await ben.payloads(2)).toEqual([second, first])
    expect(await ben.rest()).toEqual([])
    await closeAll(ann, ben)
  })

  test('acknowledgements, application pings and invalid frames get no response and have no effect', async () => {
    const topic = newTopic()
    const [ann, ben] = await pair()
    ben.sub(topic)
    await ben.rest()
    for (const client of [ann, ben]) {
      for (const type of ['ack', 'ping', 'pong', 'unsub', '__proto__'])
        client.send(JSON.stringify({ topic, type, payload: '', silent: true }))
      for (const text of ['', ' ', 'ping', 'null', '[]', '{', '{"topic":{},"type":"pub"}', `{"type":"sub"}`])
        client.send(text)
    }
    ann.pub(topic, 'after')
    expect(await ben.payloads(1)).toEqual(['after'])
    expect([await ann.rest(), await ben.rest()]).toEqual([[], []])
    await closeAll(ann, ben)
  })

  test('a binary frame is read as text', async () => {
    const topic = newTopic()
    const [ann, ben] = await pair()
    ben.sub(topic)
    await ben.rest()
    ann.socket.send(Buffer.from(JSON.stringify({ topic, type: 'pub', payload: 'a', silent: true })), { binary: true })
    expect(await ben.payloads(1)).toEqual(['a'])
    await closeAll(ann, ben)
  })
})

describe('the queue', () => {
  test('frames without a subscriber are queued, and the first subscriber gets them in order', async () => {
    const topic = newTopic()
    const payloads = Array.from({ length: 300 }, (_, index) => `m${index}`)
    const [ann, ben] = await pair()
    for (const payload of payloads) ann.pub(topic, payload)
    await ann.rest()
    ben.sub(topic)
    ann.pub(topic, 'live')
    expect(await ben.payloads(301)).toEqual([...payloads, 'live'])
    await ben.close()
    const [late] = await clients(1)
    late?.sub(topic)
    expect(await late?.rest()).toEqual([])
    await Promise.all([ann.close(), late?.close()])
  })

  test('queued megabytes are sent as fast as they are read', async () => {
    const topic = newTopic()
    const payloads = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(300_000, '.'))
    const [ann, ben] = await pair()
    for (const payload of payloads) ann.pub(topic, payload)
    ben.sub(topic)
    expect((await ben.payloads(40)).map(Number.parseFloat)).toEqual(payloads.map(Number.parseFloat))
    await closeAll(ann, ben)
  })

  test('frames that a socket did not read are kept for the next socket, in order and without loss', async () => {
    const topic = newTopic()
    const [ann, ben, cat] = [...(await pair()), await connectBridge(bridge.url)]
    ben.sub(topic)
    await ben.rest()
    ben.socket.pause()
    const payloads = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(50_000, '.'))
    for (const payload of payloads) ann.pub(topic, payload)
    await ann.rest()
    ben.socket.terminate()
    cat.sub(topic)
    expect(await cat.payloads(100)).toEqual(payloads)
    await closeAll(ann, cat)
  })

  test('a client that reconnects gets the frames that were published meanwhile', async () => {
    const topic = newTopic()
    const [ann, ben] = await pair()
    ben.sub(topic)
    ann.pub(topic, 'a')
    expect(await ben.payloads(1)).toEqual(['a'])
    ben.socket.terminate()
    await ben.closed
    for (const payload of ['b', 'c']) ann.pub(topic, payload)
    const [back] = await clients(1)
    back?.sub(topic)
    expect(await back?.payloads(2)).toEqual(['b', 'c'])
    await Promise.all([ann.close(), back?.close()])
  })

  test('queued and unconfirmed frames survive a restart of the bridge, and their ttl counts from the publish', async () => {
    const topic = newTopic()
    let own = await start('own')
    const [ann, ben] = [await connectBridge(own.url), await connectBridge(own.url)]
    ben.sub(`${topic} live`)
    await ben.rest()
    ben.socket.pause()
    for (const payload of ['a', 'b']) for (const name of [topic, `${topic} live`]) ann.pub(name, payload)
    await ann.rest()
    await own.stop()
    expect(await ann.closed).toBe(1012)
    ben.socket.terminate()

    own = await start('own')
    const back = await connectBridge(own.url)
    for (const name of [topic, `${topic} live`]) {
      back.sub(name)
      expect(await back.payloads(2)).toEqual(['a', 'b'])
    }
    back.pub(topic, 'old')
    await own.stop()
    own = await start('own', { frameSeconds: 1 })
    await expect.poll(() => metricOf(own.url, 'heliograph_queue_frames')).toBe(0)
    const late = await connectBridge(own.url)
    late.sub(topic)
    expect(await late.rest()).toEqual([])
    await own.stop()
  })

  test('a frame above a limit of a topic closes its socket with a reason, and queued frames are kept', async () => {
    const own = await start('bound', { topicFrames: 3 })
    const [ann, eve, ben] = [await connectBridge(own.url), await connectBridge(own.url), await connectBridge(own.url)]
    const closed = once(ann.socket, 'close')
    for (const payload of ['a', 'b', 'c', 'd']) ann.pub('full', payload)
    const [code, reason] = await closed
    expect([code, `${reason}`]).toEqual([1013, 'limit reached (topic-frames)'])
    eve.pub('another', 'e')
    await eve.rest()
    for (const topic of ['full', 'another']) ben.sub(topic)
    expect(await ben.payloads(4)).toEqual(['a', 'b', 'c', 'e'])
    expect(await countOf(own.url, 'heliograph_refusals_total', 'reason="topic-frames"')).toBe(1)
    await own.stop()
  })
})

describe('the connection', () => {
  test('it is pinged at least every ten seconds', async () => {
    const [client] = await clients(1)
    for (const _ of isComplete ? [1, 2] : [1]) {
      const [data] = client ? await once(client.socket, 'ping') : []
      expect(`${data}`).toMatch(/^\d+$/)
    }
    await client?.close()
  })

  test('it works over TLS, and a pairing link can name https or wss', async () => {
    const { cert, tlsCert, tlsKey } = writeCertificate(folder)
    const own = await start('tls', { tlsCert, tlsKey })
    expect(own.url).toMatch(/^https:/)
    const [ann, ben] = [
      await connectBridge(own.url, { ca: cert }),
      await connectBridge(own.url.replace('https', 'wss'), { ca: cert }),
    ]
    ann.pub('t', 'a')
    ben.sub('t')
    expect(await ben.payloads(1)).toEqual(['a'])
    await own.stop()
  })

  test('a client that sends too many frames is ignored and then disconnected; acknowledgements do not count', async () => {
    const own = await start('rate', { messageRate: 1, messageBurst: 100 })
    const [ann, ben] = [await connectBridge(own.url), await connectBridge(own.url)]
    for (let index = 0; index < 1000; index++) ben.send('{"topic":"t","type":"ack","payload":"","silent":true}')
    ben.sub('t')
    for (let index = 0; index < 99; index++) ann.pub('t', `${index}`)
    expect(await ben.payloads(99)).toHaveLength(99)
    for (let index = 0; index < 400; index++) ann.pub('t', 'more')
    expect(await ann.closed).toBe(1008)
    expect(await metricOf(own.url, 'heliograph_publishes_total')).toBeLessThan(200)
    await own.stop()
  })

  test('a frame above the size limit closes only its own connection', async () => {
    const own = await start('frame', { frameBytes: 1000 })
    const [ann, ben] = [await connectBridge(own.url), await connectBridge(own.url)]
    ben.sub('t')
    ann.pub('t', 'x'.repeat(900))
    expect(await ben.payloads(1)).toEqual(['x'.repeat(900)])
    ann.pub('t', 'x'.repeat(1000))
    expect(await ann.closed).not.toBe(1000)
    expect(await ben.rest()).toEqual([])
    await own.stop()
  })
})

describe('webhooks', () => {
  let target: Server
  let hook: string
  let calls: { request: IncomingMessage; body: string }[]
  const called = async (count: number) => {
    await expect.poll(() => calls.length).toBeGreaterThanOrEqual(count)
    return calls.splice(0)
  }

  beforeAll(async () => {
    calls = []
    target = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.end(body)
      if (!body.startsWith('{"challenge":')) calls.push({ request, body })
    })
    target.listen(0, '127.0.0.1')
    await once(target, 'listening')
    hook = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`
  })
  afterAll(() => {
    target.close()
  })

  const register = (url: string, topic: string): Promise<Response> =>
    fetch(`${url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic, webhook: hook }),
    })

  test('a frame that is not silent calls the webhook of its topic, with or without a subscriber; a silent one does not', async () => {
    const own = await start('hooks', { webhookAllow: [parseRange('127.0.0.0/8')] })
    const [ann, ben] = [await connectBridge(own.url), await connectBridge(own.url)]
    expect([(await register(own.url, 'client')).status, (await register(own.url, 'other')).status]).toEqual([200, 200])
    ann.pub('client', 'secret', { silent: false })
    const [waiting] = await called(1)
    expect([waiting?.request.method, waiting?.request.url, waiting?.body]).toEqual([
      'POST',
      '/hook',
      '{"topic":"client"}',
    ])
    expect(waiting?.request.headers['content-type']).toBe('application/json')
    ben.sub('client')
    await ben.payloads(1)
    ann.pub('client', 'silent', { silent: true })
    ann.pub('unknown', 'nobody', { silent: false })
    ann.pub('client', 'loud', { silent: false })
    expect(await ben.payloads(2)).toEqual(['silent', 'loud'])
    expect((await called(1)).map(({ body }) => body)).toEqual(['{"topic":"client"}'])
    // This frame is the last: a call for an earlier frame would have arrived before this frame's call.
    ann.pub('other', 'last', { silent: false })
    expect((await called(1)).map(({ body }) => body)).toEqual(['{"topic":"other"}'])
    await own.stop()
  })

  test('a webhook at a non-public address is refused unless allowed', async () => {
    const response = await register(bridge.url, newTopic())
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: expect.stringMatching(/^body\.webhook: /),
        reason: 'targetNotHttps',
        values: { place: 'body.webhook' },
      },
    ])
    expect(calls).toEqual([])
  })
})
