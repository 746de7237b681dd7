import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Connection, SocketRefusal } from './connection.ts'
import { BODY_BYTES } from './exchange.ts'
import { HttpError, json, text } from './http.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import type { Running } from './run.ts'
import { serve } from './serve.ts'

const FRAME_BYTES = 64 * 1024
const service = { name: 'Test Service', version: '3.1', prefix: 'TEST' }
const host = '127.0.0.1'
const log = createLog('test', 'silent')

/** Waits for what must come, however busy the machine is. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 })

/** What the service was asked and told, and what a test makes it wait for. */
let hidden = 0
let release: () => void
let drained: () => void
let connections: Connection[]
let disposed = 0
let server: Running

const start = (port = 0): Promise<Running> =>
  serve({
    service,
    host,
    port,
    log,
    metrics: createMetrics(),
    routes: {
      '/echo': { POST: ({ body }) => json(body) },
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
      frameBytes: FRAME_BYTES,
      idleSeconds: 8,
      accept: ({ path, query }) => {
        if (path === '/401') throw new HttpError(401, 'who are you?')
        if (path === '/3000') throw new SocketRefusal(3000, 'not you')
        return query.get('name') ?? 'nobody'
      },
      open: (connection, name) => {
        connections.push(connection)
        return { connection, name }
      },
      message: ({ connection, name }, frame) => connection.send(`${name}: ${Buffer.from(frame)}`),
      drain: () => drained(),
      close: ({ connection }) => connections.splice(connections.indexOf(connection), 1),
      settled: async () => undefined,
    },
    dispose: async () => {
      disposed += 1
    },
  })

beforeEach(async () => {
  hidden = 0
  disposed = 0
  connections = []
  server = await start()
})
afterEach(() => server.stop())

const portOf = (): number => Number(new URL(server.url).port)

/** Writes raw requests and reads until the other side closes, or answers `until`. */
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
])('a request with %s ends its connection, and what is hidden in it is not answered', async (_, headers) => {
  const { said, isClosed } = await raw(`POST /echo HTTP/1.1\r\n${headers}\r\n${HIDDEN}`)
  expect(isClosed).toBe(true)
  expect(said).not.toContain('200 OK')
  expect(hidden).toBe(0)
})

test('a doubtful request on its own is told why', async () => {
  const { said } = await raw('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n')
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(said).toContain('{"error":"Content-Length: comes twice"}')
})

test('a doubtful HEAD ends its connection, too', async () => {
  const { said, isClosed } = await raw(
    'HEAD /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n',
  )
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(isClosed).toBe(true)
})

test('a doubtful upgrade is refused, too', async () => {
  const upgrade =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const { said } = await raw(`GET / HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 0\r\nContent-Length: 9\r\n\r\n`)
  expect(said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
})

test('sound requests on one connection are answered one after the other', async () => {
  const body = '{"a":1}'
  const post = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { said } = await raw(`${post}${HIDDEN}`, 'found')
  expect(said.match(/200 OK/g)).toHaveLength(2)
})

test('the greeting, the health and the metrics are there for every service', async () => {
  expect(await (await fetch(`${server.url}/hello`)).text()).toBe('Hello World, this is Test Service v3.1')
  expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' })
  const metrics = await fetch(`${server.url}/metrics`)
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await metrics.text()).toContain('heliograph_connections 0')
})

test('HEAD is GET without the body', async () => {
  const { said } = await raw('HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n', '"ok"')
  expect(said).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(said).toContain('Content-Length: 38\r\n')
  expect(said).not.toContain('Hello World')
})

test('pages of any origin may read every answer', async () => {
  for (const [method, path, status] of [
    ['GET', '/hello', 200],
    ['OPTIONS', '/echo', 204],
    ['GET', '/x', 404],
  ] as const) {
    const response = await fetch(`${server.url}${path}`, { method })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
  }
})

test('a body in pieces is read whole, and one that is too large is refused', async () => {
  const post = (body: string) =>
    fetch(`${server.url}/echo`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
  const fits = JSON.stringify('x'.repeat(BODY_BYTES - 2))
  expect(await (await post(fits)).text()).toBe(fits)
  const refused = await post(JSON.stringify('x'.repeat(BODY_BYTES)))
  expect([refused.status, await refused.json()]).toEqual([413, { error: 'body: is longer than 65536 bytes' }])
})

test('a taken port is named with what to change, and nothing is left open', async () => {
  const port = portOf()
  await expect(start(port)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is taken; change TEST_PORT (--port) or TEST_HOST (--host)`,
  )
  expect(disposed).toBe(1)
})

const open = async (path = '/'): Promise<WebSocket> => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`)
  await once(socket, 'open')
  return socket
}

test('a connection keeps what its upgrade said, and frames leave in their order', async () => {
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
  expect([response.statusCode, body]).toEqual([401, '{"error":"who are you?"}'])
})

test('or it opens and is closed with the code and reason', async () => {
  const [code, reason] = await once(await open('/3000'), 'close')
  expect([code, `${reason}`]).toEqual([3000, 'not you'])
  expect(connections).toEqual([])
})

test('a frame that is too long ends its connection and no other', async () => {
  const [long, other] = [await open('/?name=long'), await open('/?name=other')]
  long.send('x'.repeat(FRAME_BYTES + 1))
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

test('a peer that does not read has no room until it does', async () => {
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

test('a peer that never reads is cut off at the limit of unsent bytes', async () => {
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

test('a silent connection is pinged in time', async () => {
  await once(await open(), 'ping')
})

test('a stop answers what is under way, takes nothing new, and closes with 1012', async () => {
  const socket = await open()
  const slow = fetch(`${server.url}/slow`)
  await eventually(() => expect(release).toBeTypeOf('function'))
  const closed = once(socket, 'close')
  const stopped = server.stop()
  await expect(fetch(`${server.url}/hello`)).rejects.toThrow()
  release()
  expect(await (await slow).text()).toBe('done')
  expect((await closed)[0]).toBe(1012)
  await stopped
  expect(disposed).toBe(1)
  server = await start()
})
