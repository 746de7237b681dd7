import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FittedCommon, fitCommon } from '../limits/machine.ts'
import { countRefusals } from '../limits/refusals.ts'
import { commonRows, type SocketLimits, socketRows, topicRows } from '../limits/rows.ts'
import { sharesOf } from '../limits/shares.fixture.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { defaultsOf } from '../process/config.ts'
import { eventually } from '../process/eventually.fixture.ts'
import { createLog } from '../process/log.ts'
import { type Connection, SocketRefusal } from './connection.ts'
import { httpErrorsOf, json, type RequestHead, text } from './http.ts'
import { serve } from './serve.ts'
import type { Running } from './service.ts'

const service = { name: 'Test Service', version: '3.1', prefix: 'TEST' }
const host = '127.0.0.1'
/** Length of a message that is too large for any socket buffer, in characters. */
const LARGE = 20_000_000
const log = createLog('test', 'silent')
const GIB = 1024 ** 3
const { limits: defaults } = fitCommon(
  { ...defaultsOf({ ...commonRows({ port: 0, dataDir: '' }), ...topicRows }), host, storeBytes: GIB, topicBytes: GIB },
  { memory: 8 * GIB, heap: 2 * GIB, disk: 8 * GIB },
  { storeMessages: 1000, topicMessages: 1000, watches: 1000, most: { messages: 1000, bytes: GIB } },
)
const limits: SocketLimits = {
  ...defaultsOf(socketRows),
  frameBytes: 64 * 1024,
  unsentBytes: 256 * 1024,
  idleSeconds: 8,
  messageRate: 50,
  messageBurst: 200,
  stallSeconds: 2,
}

/** Recorded calls, and the means to control the test service. */
let hidden = 0
let release: (() => void) | undefined
let drained: () => void
let connections: Connection[]
/** Called for each client that upgrades. */
let onAccept: (request: RequestHead) => void
let disposed = 0
let server: Running

const start = (config: Partial<FittedCommon> = {}, shares = sharesOf()): Promise<Running> => {
  const metrics = createMetrics()
  return serve({
    service,
    config: { ...defaults, ...config },
    shares,
    log,
    metrics,
    ...countRefusals(metrics),
    failure: () => undefined,
    routes: {
      '/echo': { POST: ({ body }) => json(body) },
      '/large': { GET: () => text('x'.repeat(LARGE)) },
      '/hidden': {
        GET: () => {
          hidden += 1
          return text('found')
        },
      },
      '/slow': {
        GET: () =>
          new Promise(resolve => {
            release = () => resolve(text('done'))
          }),
      },
    },
    socket: {
      limits,
      accept: request => {
        const { path, query } = request
        onAccept(request)
        if (path === '/401') throw httpErrorsOf({ stranger: 'who are you?' } as const)(401, 'stranger', {})
        if (path === '/3000') throw new SocketRefusal(3000, 'not you')
        return query.get('name') ?? 'nobody'
      },
      open: (connection, name) => {
        if (name === 'fails to open') throw new Error('open')
        connections.push(connection)
        return { connection, name }
      },
      message: ({ connection, name }, frame) => {
        if (name === 'fails') throw new Error('message')
        if (name === 'fails to write')
          connection.sendBytes(() => {
            throw new Error('write')
          }, 1)
        connection.send(`${name}: ${Buffer.from(frame)}`)
        return 1
      },
      refuse: ({ connection }) => {
        connection.send('too many')
        return 1
      },
      drain: () => drained(),
      close: ({ connection, name }) => {
        connections.splice(connections.indexOf(connection), 1)
        if (name === 'fails to close') throw new Error('close')
      },
      settled: async () => undefined,
    },
    dispose: async () => {
      disposed += 1
    },
  })
}

beforeEach(async () => {
  hidden = 0
  disposed = 0
  release = undefined
  connections = []
  onAccept = () => undefined
  server = await start()
})
afterEach(() => server.stop())

const portOf = (): number => Number(new URL(server.url).port)

/** Sends a raw request and reads until the connection closes or `until` appears. */
const raw = async (request: string, until = ''): Promise<{ said: string; isClosed: boolean }> => {
  const socket: Socket = connect(portOf(), host)
  let said = ''
  socket.write(request)
  const ended = new Promise<boolean>(resolve => {
    socket.on('data', chunk => {
      said += chunk
      if (until !== '' && said.includes(until)) resolve(false)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(true))
  })
  const isClosed = await ended
  socket.destroy()
  return { said, isClosed }
}

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  ['two Content-Length', `Host: x\r\nContent-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`],
  [
    'Content-Length and Transfer-Encoding',
    `Host: x\r\nContent-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n`,
  ],
  [
    'Transfer-Encoding and Content-Length',
    `Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: ${HIDDEN.length}\r\n`,
  ],
  ['no Host', 'Content-Length: 0\r\n'],
  ['two Hosts', 'Host: x\r\nHost: y\r\nContent-Length: 0\r\n'],
  ['an odd Transfer-Encoding', 'Host: x\r\nTransfer-Encoding: identity\r\n'],
])('a request with %s closes its connection, and a smuggled request is not answered', async (_, headers) => {
  const { said, isClosed } = await raw(`POST /echo HTTP/1.1\r\n${headers}\r\n${HIDDEN}`)
  expect(isClosed).toBe(true)
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(said).not.toContain('200 OK')
  expect(hidden).toBe(0)
})

test('an ambiguous request gets a complete response with the reason', async () => {
  const socket = connect(portOf(), host)
  socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n')
  let said = ''
  for await (const chunk of socket) said += chunk
  const [head = '', body = ''] = said.split('\r\n\r\n')
  expect(head).toContain(`\r\nContent-Length: ${body.length}`)
  expect(JSON.parse(body)).toEqual({
    error: 'Content-Length: is repeated',
    reason: 'contentLengthRepeated',
    values: {},
  })
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('heliograph_refusals_total{reason="framing"} 1')
})

test('refuses a head that is too long, here or in the parser', async () => {
  const long = (bytes: number) => `GET /hello HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(bytes)}\r\n\r\n`
  expect((await raw(long(defaults.headerBytes - 100), 'Hello')).said).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  const { said, isClosed } = await raw(long(defaults.headerBytes))
  expect([said.slice(0, 12), isClosed]).toEqual(['HTTP/1.1 431', true])
  expect(said).toContain('{"error":"head: is longer than 8192 bytes (header-bytes)","reason":"headTooLong",')
  expect((await raw(long(100_000))).said).toMatch(/^HTTP\/1.1 431 /)
})

test('an ambiguous HEAD closes its connection', async () => {
  const { said, isClosed } = await raw(
    'HEAD /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n',
  )
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(isClosed).toBe(true)
})

test('refuses an ambiguous upgrade', async () => {
  const upgrade =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const { said } = await raw(`GET / HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 0\r\nContent-Length: 9\r\n\r\n`)
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
})

test('answers valid requests on one connection in order', async () => {
  const body = '{"a":1}'
  const post = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { said } = await raw(`${post}${HIDDEN}`, 'found')
  expect(said.match(/200 OK/g)).toHaveLength(2)
})

test('every service has hello, health and metrics routes', async () => {
  expect(await (await fetch(`${server.url}/hello`)).text()).toBe('Hello World, this is Test Service v3.1')
  expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' })
  const metrics = await fetch(`${server.url}/metrics`)
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await metrics.text()).toContain('heliograph_connections 0')
})

test('HEAD is GET without the body', async () => {
  const { said } = await raw('HEAD /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(said).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(said).toContain('Content-Length: 38\r\n')
  expect(said).not.toContain('Hello World')
})

test('responses may be read by pages of any origin', async () => {
  for (const [method, path, status] of [
    ['GET', '/hello', 200],
    ['OPTIONS', '/echo', 204],
    ['GET', '/x', 404],
  ] as const) {
    const response = await fetch(`${server.url}${path}`, { method })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
  }
})

test('reads a chunked body completely, and refuses a body that is too large', async () => {
  const post = (body: string) =>
    fetch(`${server.url}/echo`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
  const fits = JSON.stringify('x'.repeat(defaults.bodyBytes - 2))
  expect(await (await post(fits)).text()).toBe(fits)
  const refused = await post(JSON.stringify('x'.repeat(defaults.bodyBytes)))
  expect([refused.status, await refused.json()]).toEqual([
    413,
    {
      error: 'body: is longer than 65536 bytes (body-bytes)',
      reason: 'bodyTooLong',
      values: { limit: 65536, setting: 'body-bytes' },
    },
  ])
})

test('a large response arrives completely, even if the client reads late', async () => {
  const response = await fetch(`${server.url}/large`)
  await endOfTurn()
  expect((await response.text()).length).toBe(LARGE)
})

test('a client that sends requests without reading responses is disconnected', async () => {
  const socket = connect(portOf(), host)
  let said = 0
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10))
  socket.on('data', chunk => {
    said += chunk.length
  })
  await once(socket, 'close')
  expect(said).toBeLessThan(LARGE)
  expect((await fetch(`${server.url}/hello`)).status).toBe(200)
})

test('reports a port in use and the settings to change, and leaves nothing open', async () => {
  const port = portOf()
  await expect(start({ port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use; change TEST_PORT (--port) or TEST_HOST (--host)`,
  )
  expect(disposed).toBe(1)
})

test('does not negotiate compression', async () => {
  expect((await open()).extensions).toBe('')
  const response = await fetch(`${server.url}/large`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  await response.text()
})

const open = async (path = '/'): Promise<WebSocket> => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`)
  await once(socket, 'open')
  return socket
}

test('an open connection keeps nothing of its upgrade request', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let head: WeakRef<RequestHead> | undefined
  onAccept = request => {
    head = new WeakRef(request)
  }
  const socket = await open('/?name=ann')
  expect(head).toBeDefined()
  await eventually(() => {
    collect()
    expect(head?.deref()).toBeUndefined()
  })
  socket.send('hello')
  const [frame] = await once(socket, 'message')
  expect(`${frame}`).toBe('ann: hello')
})

/** Connections that request an upgrade at the same time. */
const upgradeTogether = async (paths: readonly string[]): Promise<Socket[]> => {
  const sockets = paths.map(() => connect(portOf(), host))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const headers = ['Host: x', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  for (const [index, socket] of sockets.entries())
    socket.write([`GET ${paths[index]} HTTP/1.1`, ...headers, key, '\r\n'].join('\r\n'))
  return sockets
}

test('clients of one address that upgrade together are identified over several turns, so that other clients do not wait', async () => {
  const inTurn: number[] = []
  let count = 0
  onAccept = () => {
    count += 1
  }
  const sockets = await upgradeTogether(Array.from({ length: 40 }, () => '/'))
  const upgraded = Promise.all(sockets.map(socket => once(socket, 'data')))
  while (inTurn.reduce((sum, accepted) => sum + accepted, 0) < sockets.length) {
    await endOfTurn()
    inTurn.push(count)
    count = 0
  }
  // At most one client is handled immediately, and one at the end of the turn.
  expect(Math.max(...inTurn)).toBeLessThanOrEqual(2)
  for (const [answer] of await upgraded) expect(`${answer}`).toMatch(/^HTTP\/1\.1 101 /)
  await eventually(() => expect(connections).toHaveLength(sockets.length))
  for (const socket of sockets) socket.destroy()
})

test('a client that is refused in a later turn is closed with the reason', async () => {
  const sockets = await upgradeTogether(['/', '/', '/', '/401'])
  const said = (await sockets[3]?.setEncoding('latin1').toArray())?.join('')
  expect(said).toMatch(/^HTTP\/1\.1 101 /)
  // A close frame's payload has the code 1008 in two bytes, and then the reason.
  expect(said?.slice(-'..who are you?'.length)).toBe(`${String.fromCharCode(0x03, 0xf0)}who are you?`)
  for (const socket of sockets) socket.destroy()
})

test('clients that leave before their request is refused delay nobody', async () => {
  const small = await start({ addressRate: 1, addressBurst: 400 })
  const port = Number(new URL(small.url).port)
  const leaving = Array.from({ length: 60 }, () => connect(port, host).on('error', () => undefined))
  await Promise.all(leaving.map(socket => once(socket, 'connect')))
  for (const socket of leaving) {
    socket.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.destroy()
  }
  for (let count = 0; count < 20; count++) {
    const other = connect({ port, host, localAddress: '127.0.0.2' })
    other.write('GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect((await other.setEncoding('latin1').toArray()).join('')).toMatch(/^HTTP\/1\.1 200 /)
  }
  await small.stop()
})

test('a connection keeps the identity of its upgrade, and frames are sent in order', async () => {
  const socket = await open('/any/path?name=ann')
  const received: string[] = []
  socket.on('message', frame => received.push(`${frame}`))
  for (let frame = 0; frame < 100; frame++) socket.send(`${frame}`)
  await eventually(() => expect(received).toEqual(Array.from({ length: 100 }, (_, frame) => `ann: ${frame}`)))
})

test('an upgrade is refused with the status and reason of the service', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/401`)
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const chunk of response) body += chunk
  expect([response.statusCode, body]).toEqual([401, '{"error":"who are you?","reason":"stranger","values":{}}'])
})

test('a service can also refuse a client after the upgrade, with a close code and reason', async () => {
  const [code, reason] = await once(await open('/3000'), 'close')
  expect([code, `${reason}`]).toEqual([3000, 'not you'])
  expect(connections).toEqual([])
})

test('a frame that is too long closes only its own connection', async () => {
  const [long, other] = [await open('/?name=long'), await open('/?name=other')]
  long.send('x'.repeat(limits.frameBytes + 1))
  const [code] = await once(long, 'close')
  expect(code).toBe(1006)
  other.send('still here')
  const [frame] = await once(other, 'message')
  expect(`${frame}`).toBe('other: still here')
})

const fill = (connection: Connection): number => {
  let frames = 0
  while (connection.hasRoom()) {
    connection.send('x'.repeat(10_000))
    frames += 1
  }
  return frames
}

test('hasRoom is false while a peer does not read', async () => {
  const socket = await open()
  const [connection] = connections
  if (!connection) throw new Error('no connection')
  socket.pause()
  drained = () => undefined
  let received = 0
  socket.on('message', () => {
    received += 1
  })
  let sent = 0
  while (connection.hasRoom()) {
    sent += fill(connection)
    connection.flush()
  }
  expect(received).toBe(0)
  const wasDrained = new Promise<void>(resolve => {
    drained = resolve
  })
  socket.resume()
  await wasDrained
  expect(connection.hasRoom()).toBe(true)
  await eventually(() => expect(received).toBe(sent))
})

test('a peer that never reads is disconnected at the limit of unsent bytes', async () => {
  drained = () => undefined
  const socket = await open()
  const [connection] = connections
  socket.pause()
  let sent = 0
  while (connection?.isOpen && sent < 100_000_000) {
    connection.send('x'.repeat(50_000))
    sent += 50_000
    await endOfTurn()
  }
  expect(connection?.isOpen).toBe(false)
  expect(sent).toBeLessThan(50_000_000)
  expect(connections).toEqual([])
  socket.terminate()
})

test('an upgrade with an unsupported version gets the supported one', async () => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const upgrade = `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${key}`
  const { said } = await raw(`${upgrade}\r\nSec-WebSocket-Version: 8\r\n\r\n`, '"}')
  expect(said).toMatch(/^HTTP\/1.1 426 Upgrade Required\r\n/)
  expect(said).toContain('Sec-WebSocket-Version: 13\r\n')
})

test('an exception in a handler closes only its own connection', async () => {
  const other = await open('/?name=other')
  const heard: string[] = []
  other.on('message', frame => heard.push(`${frame}`))
  const failing = await open('/?name=fails')
  failing.send('a frame')
  expect((await once(failing, 'close'))[0]).toBe(1011)
  expect((await once(await open('/?name=fails to open'), 'close'))[0]).toBe(1011)
  const unwritable = await open('/?name=fails to write')
  unwritable.send('a frame')
  // The frames of both sockets are handled at the end of the same turn.
  other.send('beside it')
  expect((await once(unwritable, 'close'))[0]).toBe(1011)
  const closing = await open('/?name=fails to close')
  closing.close()
  await once(closing, 'close')
  expect(heard).toEqual(['other: beside it'])
  other.send('still here')
  expect(`${(await once(other, 'message'))[0]}`).toBe('other: still here')
  expect(connections).toHaveLength(1)
})

test('a client over its rate is refused, and disconnected if it continues; others are not', async () => {
  const [client, other] = [await open('/?name=many'), await open('/?name=other')]
  let answers = 0
  let refusals = 0
  client.on('message', frame => {
    if (`${frame}` === 'too many') refusals += 1
    else answers += 1
  })
  for (let frame = 0; frame < 3 * limits.messageBurst; frame++) client.send('x')
  const [code, reason] = await once(client, 'close')
  expect([code, `${reason}`]).toEqual([1008, 'too many messages (message-rate)'])
  expect(answers).toBeGreaterThanOrEqual(limits.messageBurst)
  expect(refusals).toBeGreaterThanOrEqual(limits.messageBurst)
  other.send('still here')
  expect(`${(await once(other, 'message'))[0]}`).toBe('other: still here')
})

test('a silent connection is pinged in time', async () => {
  await once(await open(), 'ping')
})

test('a client with a full send buffer that does not read is disconnected', async () => {
  drained = () => undefined
  const socket = await open()
  const [connection] = connections
  if (!connection) throw new Error('no connection')
  socket.pause()
  const filling = setInterval(() => connection.hasRoom() && connection.send('x'.repeat(50_000)), 1)
  await eventually(() => expect(connection.isOpen).toBe(false))
  clearInterval(filling)
  socket.terminate()
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('heliograph_refusals_total{reason="stall-seconds"} 1')
})

test('a shutdown does not exceed its timeout, and refuses new requests on open connections', async () => {
  await server.stop()
  server = await start({ stopSeconds: 1 })
  const slow = expect(fetch(`${server.url}/slow`)).rejects.toThrow()
  await eventually(() => expect(release).toBeTypeOf('function'))
  const kept = connect(portOf(), host)
  let said = ''
  kept.on('data', chunk => {
    said += chunk
  })
  await once(kept, 'connect')
  const stopped = server.stop()
  kept.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n')
  await stopped
  await slow
  expect(said).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/)
  server = await start()
})

test('a shutdown completes pending requests, accepts no new ones, and closes with 1012', async () => {
  const socket = await open()
  const slow = fetch(`${server.url}/slow`)
  await eventually(() => expect(release).toBeTypeOf('function'))
  const closed = once(socket, 'close')
  const stopped = server.stop()
  await expect(fetch(`${server.url}/hello`)).rejects.toThrow()
  release?.()
  expect(await (await slow).text()).toBe('done')
  expect((await closed)[0]).toBe(1012)
  await stopped
  expect(disposed).toBe(1)
  server = await start()
})
