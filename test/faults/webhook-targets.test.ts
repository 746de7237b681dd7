/** Webhooks with hostile, broken and slow receivers, and a relay process that is killed with queued calls. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { countOf, metricOf } from '../support/metrics.ts'
import { inTurn, type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const LOOPBACK = ['--webhook-allow', '127.0.0.1']

let folder: string
let relay: Server
let client: RelayClient
/** With this token, a webhook is registered without a challenge. */
const TOKEN = 'operator'
const closing: (() => unknown)[] = []

const start = async (...args: string[]): Promise<void> => {
  relay = await startServer('relay-server', {
    dataDir: folder,
    args: ['--log-level', 'debug', '--webhook-token', TOKEN, ...args],
  })
  client = await connectRelay(relay.url, 1)
}
const stop = async (signal?: 'SIGKILL'): Promise<void> => {
  const gone = client.close()
  await relay.stop(signal)
  await gone
}
const receive = async (options?: ReceiverOptions): Promise<Receiver> => {
  const receiver = await startReceiver(options)
  closing.push(receiver.close)
  return receiver
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-targets-'))
})
afterEach(async () => {
  await stop()
  for (const close of closing.splice(0)) await close()
  await rm(folder, { recursive: true })
})

const register = (topic: string, webhook: string): Promise<Response> =>
  fetch(`${relay.url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ topic, webhook }),
  })
const registered = async (topic: string, webhook: string): Promise<void> => {
  const response = await register(topic, webhook)
  expect([response.status, await response.json()]).toEqual([200, { success: true }])
}
let messages = 0
const publish = async (topic: string): Promise<void> => {
  messages += 1
  const params = { topic, message: `m${messages}`, ttl: 300 }
  expect((await client.call('relay_publish', params)).result).toBe(true)
}

/** Returns a function that writes the same data repeatedly until the connection closes. */
const drip =
  (text: string, every: number) =>
  (to: Writable): void => {
    const dripping = setInterval(() => to.write(text), every)
    closing.push(() => clearInterval(dripping))
    to.on('error', () => undefined).on('close', () => clearInterval(dripping))
  }

/** Starts a receiver that does not speak HTTP. */
const accept = async (greet: (socket: Socket) => void) => {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    greet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => sockets.length,
  }
}

const outcome = (name: string) => countOf(relay.url, 'heliograph_webhook_calls_total', `outcome="${name}"`)
describe('addresses that must not be called', () => {
  test('addresses of this machine and of private networks are refused in any spelling', async () => {
    await start()
    const { port, connections } = await receive()
    const hosts = [
      '127.0.0.1',
      '127.1',
      '127.0.0.1.',
      '0x7f000001',
      '0177.0.0.1',
      '2130706433',
      '0.0.0.0',
      'localhost',
      'LocalHost.',
      'a.localhost',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fe80::1%25lo]',
      '10.0.0.1',
      '169.254.169.254',
      '192.168.0.1',
      '[fd00::1]',
    ]
    for (const host of hosts)
      for (const scheme of ['http', 'https']) {
        const response = await register(TOPIC, `${scheme}://${host}:${port}/SECRET`)
        expect(response.status, `${scheme}://${host}`).toBe(400)
        expect(await response.text()).not.toContain('SECRET')
      }
    for (const odd of [
      'https://user:SECRET@a.example/',
      'https://a.example:0/',
      'https://a.example/\r\nX-SECRET: 1',
      'ftp://a.example/SECRET',
      `https://a.example/SECRET${'x'.repeat(3000)}`,
    ]) {
      const response = await register(TOPIC, odd)
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('SECRET')
    }
    await publish(TOPIC)
    expect([await metricOf(relay.url, 'heliograph_webhook_topics'), connections()]).toEqual([0, 0])
  })

  test('a name that resolves to this machine gets no connection', async () => {
    await start()
    const { port, connections } = await receive()
    await registered(TOPIC, `https://${hostname()}:${port}/`)
    await publish(TOPIC)
    await eventually(async () => expect((await outcome('blocked')) + (await outcome('unreachable'))).toBeGreaterThan(0))
    expect(connections()).toBe(0)
  })

  test('redirects are not followed, neither to private nor to allowed addresses', async () => {
    await start(...LOOPBACK)
    const inner = await receive({ host: '127.0.0.2' })
    const allowed = await receive()
    for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
      const redirecting = await receive({
        answer: response => response.writeHead(status, { Location: index % 2 ? inner.url : allowed.url }).end(),
      })
      await registered(TOPIC, redirecting.url)
    }
    await publish(TOPIC)
    await eventually(async () => expect(await outcome('refused')).toBe(5))
    expect([inner.connections(), allowed.connections()]).toEqual([0, 0])
  })

  test('only the allowed addresses are exempt', async () => {
    await start(...LOOPBACK)
    const [allowed, beside] = [await receive(), await receive({ host: '127.0.0.2' })]
    expect((await register(TOPIC, beside.url)).status).toBe(400)
    await registered(TOPIC, `http://localhost:${allowed.port}/named`)
    await publish(TOPIC)
    expect((await allowed.next()).path).toBe('/named')
    expect(beside.connections()).toBe(0)
  })

  test('the log contains neither the address of a webhook nor a full topic', async () => {
    await start(...LOOPBACK)
    const { url, next } = await receive()
    await registered(TOPIC, `${url}SECRET`)
    await publish(TOPIC)
    await next()
    await eventually(async () => expect(await outcome('delivered')).toBe(1))
    await stop()
    const said = await relay.ended
    expect(said).toContain('webhook called')
    expect(said).not.toContain('SECRET')
    expect(said).not.toContain(TOPIC)
  })
})

describe('targets that fail', () => {
  test('5xx is retried until the receiver accepts the call; 4xx is final', async () => {
    await start(...LOOPBACK)
    const failing = await receive({ answer: inTurn(500, 200) })
    const refusing = await receive({ answer: inTurn(400) })
    await registered(TOPIC, failing.url)
    await registered(OTHER, refusing.url)
    await publish(TOPIC)
    await publish(OTHER)
    for (let call = 0; call < 2; call++) expect((await failing.next()).body).toBe(`{"topic":"${TOPIC}"}`)
    await eventually(async () => expect(await metricOf(relay.url, 'heliograph_webhook_calls')).toBe(0))
    expect([await outcome('failed'), await outcome('delivered'), await outcome('refused')]).toEqual([1, 1, 1])
    expect([failing.received.length, refusing.received.length]).toEqual([2, 1])
  })

  test('calls to receivers that never respond, drip, or never end are aborted, and do not delay others', async () => {
    await start(...LOOPBACK, '--webhook-seconds', '2')
    const silent = await receive({ answer: () => undefined })
    const noTls = await receive()
    const hostile = [
      silent,
      { ...noTls, url: noTls.url.replace('http:', 'https:') },
      await accept(drip('H', 100)),
      await accept(drip('HTTP/1.1 100 Continue\r\n\r\n', 50)),
      await accept(socket => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip('X-More: yes\r\n', 50)(socket)
      }),
    ]
    const endless = await receive({ answer: response => drip('x'.repeat(10_000), 1)(response) })
    const quick = await receive()
    for (const { url } of [...hostile, endless]) await registered(TOPIC, url)
    await registered(OTHER, quick.url)
    await publish(TOPIC)
    await silent.next()
    await publish(OTHER)
    expect((await quick.next()).body).toBe(`{"topic":"${OTHER}"}`)
    await eventually(() => {
      for (const { connections } of hostile) expect(connections()).toBeGreaterThan(1)
    })
    await eventually(async () => expect(await outcome('delivered')).toBe(2))
    await eventually(async () => expect(await metricOf(relay.url, 'heliograph_webhook_calls')).toBe(hostile.length))
  })

  test('a flood of messages for a hanging receiver causes few calls', async () => {
    await start(...LOOPBACK)
    const [hanging, quick] = [await receive({ answer: () => undefined }), await receive()]
    await registered(TOPIC, hanging.url)
    await registered(OTHER, quick.url)
    await Promise.all(Array.from({ length: 300 }, () => publish(TOPIC)))
    await publish(OTHER)
    await quick.next()
    expect(hanging.received.length).toBeLessThanOrEqual(4)
    expect(await metricOf(relay.url, 'heliograph_webhook_calls')).toBeLessThanOrEqual(21)
  })
})

describe('a relay that is killed', () => {
  test('makes the calls of acknowledged publishes after its restart, and does not repeat accepted calls', async () => {
    await start(...LOOPBACK)
    const port = await freePort()
    const topics = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const topic of topics) await registered(topic, `http://127.0.0.1:${port}/`)
    await Promise.all(topics.map(publish))
    await stop('SIGKILL')
    const receiver = await receive({ port })
    await start(...LOOPBACK)
    const called = new Set<string>()
    while (called.size < topics.length) called.add(JSON.parse((await receiver.next()).body).topic)
    expect([...called].toSorted()).toEqual(topics)
    await eventually(async () => expect(await metricOf(relay.url, 'heliograph_webhook_calls')).toBe(0))
    await stop()
    const before = receiver.received.length
    await start(...LOOPBACK)
    await publish(topics[0] ?? '')
    await eventually(() => expect(receiver.received).toHaveLength(before + 1))
  })

  test('repeats a call that was interrupted', async () => {
    await start(...LOOPBACK)
    const receiver = await receive({ answer: (response, index) => index > 0 && response.end() })
    await registered(TOPIC, receiver.url)
    await publish(TOPIC)
    await receiver.next()
    await stop('SIGKILL')
    await start(...LOOPBACK)
    expect((await receiver.next()).body).toBe(`{"topic":"${TOPIC}"}`)
    await eventually(async () => expect(await metricOf(relay.url, 'heliograph_webhook_calls')).toBe(0))
  })
})
