/**
 * Malformed input over a real socket to a real process: it gets no response and is not forwarded, and the bridge keeps
 * working.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type BridgeClient, connectBridge } from '../support/bridge-client.ts'
import { hear, openRaw, say } from '../support/raw.ts'
import { type Server, startServer } from '../support/server.ts'
import { brokenFrames, malformedRequests } from './malformed.ts'

const TOPIC = 'cb0f5d62-04b5-4e80-b1cf-5a9a33a9a9a9'

let folder: string
let bridge: Server
let sender: BridgeClient
let subscriber: BridgeClient
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-malformed-'))
  bridge = await startServer('bridge-server', { dataDir: folder })
  sender = await connectBridge(bridge.url)
  subscriber = await connectBridge(bridge.url)
  subscriber.sub(TOPIC)
  await subscriber.rest()
})
afterAll(async () => {
  expect(await bridge.stop()).toBe(0)
  await rm(folder, { recursive: true })
})

let lastMark = 0
/** Checks that the next forwarded frame is the frame published after the malformed input. */
afterEach(async () => {
  lastMark += 1
  sender.pub(TOPIC, `after ${lastMark}`)
  expect(JSON.parse(await subscriber.next()).payload).toBe(`after ${lastMark}`)
})

const frame = (members: string): string => `{"topic":"${TOPIC}",${members}}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  '',
  ' ',
  '\u0000',
  '{',
  '}',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '{}',
  'NaN',
  'ping',
  'GET / HTTP/1.1',
  'Socket message is invalid',
  '\ufeff{}',
  nested(100),
  nested(100_000),
  `{"a":${nested(10_000)}}`,
  '{"topic":"t"}',
  '{"type":"pub"}',
  '{"type":"pub","payload":"p"}',
  '{"topic":"","type":"sub"}',
  '{"topic":null,"type":"sub"}',
  '{"topic":["t"],"type":"sub"}',
  '{"topic":{"toString":"t"},"type":"sub"}',
  '{"topic":"\\u0000","type":"sub"}',
  '{"topic":"\\ud800","type":"sub"}',
  `{"topic":"${'x'.repeat(257)}","type":"sub"}`,
  '{"__proto__":{"topic":"t","type":"pub","payload":"p"}}',
  frame('"type":"PUB","payload":"p"'),
  frame('"type":"toString","payload":"p"'),
  frame('"type":"__proto__","payload":"p"'),
  frame('"type":["pub"],"payload":"p"'),
  frame('"type":"pub","payload":7'),
  frame('"type":"pub","payload":{"data":"p"}'),
  frame('"type":"pub","payload":["p"]'),
  frame('"type":"pub","payload":"\\ud800"'),
  frame('"type":"pub","payload":"p","silent":"no"'),
  frame('"type":"pub","payload":"p","silent":1'),
  frame('"type":"pub","payload":"p"') + frame('"type":"pub","payload":"p"'),
  `${frame('"type":"pub","payload":"p"')},`,
  frame('"type":"ping"'),
  frame('"type":"pong"'),
  frame('"type":"unsub"'),
  frame('"type":"ack"'),
])('%.80j is ignored', async text => {
  sender.send(text)
  expect(await sender.rest()).toEqual([])
})

test.each(malformedRequests.filter(([, , status]) => status !== 401))(
  '%s gets an HTTP response',
  async (_, bytes, status) => {
    const { said } = await say(bridge.url, bytes, '\r\n\r\n')
    expect(said.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
    expect(said).not.toContain('200 OK')
  },
)

test.each(brokenFrames)('%s closes only its own connection', async (_, bytes) => {
  const socket = await openRaw(bridge.url)
  socket.write(bytes)
  expect((await hear(socket)).isClosed).toBe(true)
})

test('an unknown member is not forwarded', async () => {
  sender.send(frame('"type":"pub","payload":"p","silent":true,"role":"dapp","__proto__":{"a":1}'))
  expect(JSON.parse(await subscriber.next())).toEqual({ topic: TOPIC, type: 'pub', payload: 'p', silent: true })
})

test('invalid UTF-8 in a binary frame is ignored', async () => {
  const client = await connectBridge(bridge.url)
  client.socket.send(Uint8Array.of(0xff, 0xfe), { binary: true })
  expect(await client.rest()).toEqual([])
  await client.close()
})

test('an unsolicited pong has no effect', async () => {
  const client = await connectBridge(bridge.url)
  for (const data of ['', '7', '-1', 'NaN', '1e308', 'x'.repeat(125)]) client.socket.pong(data)
  expect(await client.rest()).toEqual([])
  await client.close()
})

test('sockets that disconnect at any point leave nothing behind', async () => {
  for (let round = 0; round < 20; round++) {
    const client = await connectBridge(bridge.url)
    client.sub(TOPIC)
    client.pub('elsewhere', 'p')
    client.socket.terminate()
  }
  await expect.poll(async () => (await fetch(`${bridge.url}/health`)).status).toBe(200)
})

test('random input is never forwarded in a changed form', async () => {
  const odd = fc.oneof(fc.string(), fc.json(), fc.uint8Array({ maxLength: 200 }))
  const client = await connectBridge(bridge.url)
  for (const input of fc.sample(odd, 3000)) client.socket.send(input, { binary: true })
  expect(await client.rest()).toEqual([])
  await client.close()
})

test('any query, subprotocol and headers are accepted', async () => {
  const url = `${bridge.url.replace('http', 'ws')}/?env=browser&host=%00&protocol=wc&version=1&auth=${'x'.repeat(1000)}`
  const socket = new WebSocket(url, ['wc'], { headers: { origin: 'null', 'user-agent': 'x'.repeat(1000) } })
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')
})
