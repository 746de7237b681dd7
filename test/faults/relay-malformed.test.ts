/**
 * Malformed input over a real socket to a real process: each frame gets its error code, and the relay keeps working.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Heard, hear, openRaw, say } from '../support/raw.ts'
import { connectRelay, type RelayClient, socketUrl } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'
import {
  brokenFrames,
  call,
  malformedCalls,
  malformedRequests,
  unfinishedRequests,
  unmaskedFrames,
} from './malformed.ts'

const TOPIC = 'ab'.repeat(32)
const PARSE = -32700
const REQUEST = -32600
const METHOD = -32601
const PARAMS = -32602

let folder: string
let relay: Server
let client: RelayClient
/** A relay that closes connections after a short silence. */
let impatient: Server

type Named = Heard & { name: string }
/** Connections that a relay closes after some seconds. They stay open while the other tests run. */
let unfinished: Promise<Named[]>
let unmasked: Promise<Named[]>

const sendUnfinished = async ([name, bytes]: (typeof unfinishedRequests)[number]): Promise<Named> => ({
  name,
  ...(await say(relay.url, bytes)),
})

/** Sends each frame in a separate packet. */
const sendUnmasked = async ([name, frames]: (typeof unmaskedFrames)[number]): Promise<Named> => {
  const socket = await openRaw(impatient.url)
  const hearing = hear(socket)
  for (const frame of frames) {
    socket.write(frame)
    await pause(50)
  }
  return { name, ...(await hearing) }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-malformed-'))
  // The burst is large, because each item of a list costs a token, and all of this input comes from one client.
  relay = await startServer('relay-server', { dataDir: folder, args: ['--message-burst', '10000000'] })
  client = await connectRelay(relay.url)
  unfinished = Promise.all(unfinishedRequests.map(sendUnfinished))
  const dataDir = join(folder, 'impatient')
  impatient = await startServer('relay-server', { dataDir, args: ['--idle-seconds', '8'] })
  unmasked = Promise.all(unmaskedFrames.map(sendUnmasked))
})
afterAll(async () => {
  await Promise.all([relay.stop(), impatient.stop()])
  await rm(folder, { recursive: true })
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const publish = (members: string): string =>
  call('relay_publish', `{"topic":"${TOPIC}","message":"m","ttl":60${members}}`)

test.each([
  ['', PARSE],
  [' ', PARSE],
  ['\u0000', PARSE],
  ['{', PARSE],
  ['}', PARSE],
  ['{"id":1,}', PARSE],
  ["{'id':1}", PARSE],
  ['{"id":01}', PARSE],
  ['{"id":1}{"id":2}', PARSE],
  ['\ufeff{"id":1}', PARSE],
  ['NaN', PARSE],
  ['undefined', PARSE],
  ['"unfinished', PARSE],
  ['{"a":"\n"}', PARSE],
  ['{"a":"\\x"}', PARSE],
  ['GET / HTTP/1.1', PARSE],
  ['null', REQUEST],
  ['1', REQUEST],
  ['"text"', REQUEST],
  ['true', REQUEST],
  ['{}', REQUEST],
  ['[]', REQUEST],
  ['{"jsonrpc":"2.0"}', REQUEST],
  ['{"id":1,"jsonrpc":2.0,"method":"relay_publish"}', REQUEST],
  ['{"id":1,"method":"relay_publish","params":{}}', REQUEST],
  ['{"id":{},"jsonrpc":"2.0","method":"relay_publish","params":{}}', REQUEST],
  ['{"id":true,"jsonrpc":"2.0","method":"relay_publish","params":{}}', REQUEST],
  ['{"id":1,"id":2,"jsonrpc":"2.0","method":"relay_publish","params":{}}', REQUEST],
  ['{"id":1,"jsonrpc":"2.0","method":null,"params":{}}', REQUEST],
  ['{"id":1,"jsonrpc":"2.0","method":"relay_publish","params":"text"}', REQUEST],
  ['{"id":1,"jsonrpc":"2.0","result":true,"error":{"code":1,"message":"m"}}', REQUEST],
  ['{"id":1,"jsonrpc":"2.0","error":"text"}', REQUEST],
  [nested(100), REQUEST],
  [call('relay_publish', nested(10_000)), REQUEST],
  [`[${Array.from({ length: 200 }, () => '1').join()}]`, REQUEST],
  [call('', '{}'), METHOD],
  [call('relay_', '{}'), METHOD],
  [call('_publish', '{}'), METHOD],
  [call('publish', '{}'), METHOD],
  [call('RELAY_PUBLISH', '{}'), METHOD],
  [call('relay_publish ', '{}'), METHOD],
  [call('relay___proto__', '{}'), METHOD],
  [call('relay_toString', '{}'), METHOD],
  [call('x'.repeat(100_000), '{}'), METHOD],
  [call('relay_publish', '{}'), PARAMS],
  [call('relay_publish', '[]'), PARAMS],
  [call('relay_publish', '{"__proto__":{"topic":"t","message":"m","ttl":1}}'), PARAMS],
  [call('relay_publish', `{"topic":"${TOPIC}","ttl":60}`), PARAMS],
  [call('relay_publish', `{"topic":"${TOPIC}","message":{},"ttl":60}`), PARAMS],
  [publish(',"ttl":-1'), PARAMS],
  [publish(',"ttl":1e400'), PARAMS],
  [publish(',"ttl":"60"'), PARAMS],
  [publish(',"tag":-1'), PARAMS],
  [publish(',"tag":4294967296'), PARAMS],
  [publish(',"prompt":"yes"'), PARAMS],
  [call('relay_subscribe', `{"topic":"${'x'.repeat(300)}"}`), PARAMS],
  [call('relay_subscribe', '{"topic":"\\u0000"}'), PARAMS],
  [call('relay_subscribe', '{"topic":["t"]}'), PARAMS],
  [call('irn_subscribe', `{"topic":"${TOPIC.toUpperCase()}"}`), PARAMS],
  [call('irn_subscribe', `{"topic":"${TOPIC}0"}`), PARAMS],
  [call('relay_unsubscribe', `{"topic":"${TOPIC}","id":1}`), PARAMS],
  [call('relay_unsubscribe', `{"topic":"${TOPIC}","id":"not mine"}`), PARAMS],
] as const)('%.80j gets the error %i', async (frame, code) => {
  client.send(frame)
  const answer = JSON.parse(await client.next())
  expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code } })
  expect(JSON.stringify(answer).length).toBeLessThan(400)
})

test(`each of ${malformedCalls.length} calls with invalid params gets its error code`, async () => {
  expect(malformedCalls.length).toBeGreaterThan(500)
  for (const [frame, code] of malformedCalls) {
    client.send(frame)
    const answer = JSON.parse(await client.next())
    expect(answer, frame.slice(0, 300)).toMatchObject({ jsonrpc: '2.0', error: { code } })
  }
})

test.each(malformedRequests)('%s gets an HTTP response', async (_, bytes, status) => {
  const { said } = await say(relay.url, bytes, '\r\n\r\n')
  expect(said.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
  expect(said).not.toContain('200 OK')
})

test.each(brokenFrames)('%s closes only its own connection', async (_, bytes) => {
  const socket = await openRaw(relay.url)
  socket.write(bytes)
  expect((await hear(socket)).isClosed).toBe(true)
  expect((await fetch(`${relay.url}/health`)).status).toBe(200)
})

test.each([
  '{"id":1,"jsonrpc":"2.0","result":true}',
  '{"id":"1","jsonrpc":"2.0","result":true}',
  '{"id":99999999999999999999,"jsonrpc":"2.0","result":true}',
  '{"id":null,"jsonrpc":"2.0","result":true}',
  '{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"m"}}',
  '{"jsonrpc":"2.0","method":"relay_publish"}',
  '{"jsonrpc":"2.0","method":"nonsense","params":[1,2,3]}',
])('%s expects no response and gets none', async frame => {
  client.send(frame)
  expect(await client.rest()).toEqual([])
})

test.each([
  ['bytes that are not UTF-8', (socket: WebSocket) => socket.send(Uint8Array.of(0xff, 0xfe), { binary: false })],
  ['a frame above the size limit', (socket: WebSocket) => socket.send('x'.repeat(2_000_000))],
])('%s closes only its own connection', async (_, send) => {
  const socket = new WebSocket(socketUrl(relay.url))
  await once(socket, 'open')
  send(socket)
  const [code] = await once(socket, 'close')
  expect(code).not.toBe(3000)
})

test('a binary frame is read as text', async () => {
  client.send(publish(''))
  expect(JSON.parse(await client.next()).result).toBe(true)
  const socket = new WebSocket(socketUrl(relay.url))
  await once(socket, 'open')
  socket.send(Buffer.from(publish('')), { binary: true })
  const [frame] = await once(socket, 'message')
  expect(JSON.parse(`${frame}`).result).toBe(true)
  socket.send(Uint8Array.of(0xff, 0xfe), { binary: true })
  const [refused] = await once(socket, 'message')
  expect(JSON.parse(`${refused}`).error.code).toBe(PARSE)
  socket.close()
})

test('the connection of an unfinished request is closed after its timeout', async () => {
  expect(await unfinished).toEqual(unfinishedRequests.map(([name]) => ({ name, said: '', isClosed: true })))
})

test('unmasked frames close only their own connection, on the next frames or after silence', async () => {
  const heard = await unmasked
  expect(heard.map(({ name, isClosed }) => ({ name, isClosed }))).toEqual(
    unmaskedFrames.map(([name]) => ({ name, isClosed: true })),
  )
  const metrics = await (await fetch(`${impatient.url}/metrics`)).text()
  expect(metrics).toMatch(/^heliograph_mailbox_subscriptions 0$/m)
  expect(await impatient.stop()).toBe(0)
})

test('afterwards the relay still works', async () => {
  const [reader, writer] = [await connectRelay(relay.url, 1), await connectRelay(relay.url, 2)]
  const topic = 'cd'.repeat(32)
  await reader.call('relay_subscribe', { topic })
  await writer.call('relay_publish', { topic, message: 'still here', ttl: 60 })
  expect((await reader.push()).params.data.message).toBe('still here')
  await Promise.all([reader.close(), writer.close(), client.close()])
})
