/** Connections of server processes: TLS, proxies, limits, slow senders, stops, and data folders. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { writeCertificate } from '@heliograph/shared/server/transport/certificate.fixture'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hear, openRaw, portOf, say, UPGRADE } from '../support/raw.ts'
import { connectRelay, type RelayClient, socketUrl } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)

let folder: string
let servers: Server[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'edge-'))
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map(server => server.stop()))
  await rm(folder, { recursive: true })
})

/** Starts a relay with these flags. It is stopped after the test. */
const start = async (...args: string[]): Promise<Server> => {
  const server = await startServer('relay-server', { dataDir: join(folder, 'data'), args })
  servers.push(server)
  return server
}

const metricsOf = async ({ url }: Server): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** Opens a WebSocket. Resolves with the socket, or with the HTTP status of the refusal. */
const knock = async ({ url }: Server, forwarded?: string): Promise<WebSocket | number> => {
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const socket = new WebSocket(socketUrl(url), { headers })
  return new Promise(resolve => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    socket.on('error', () => resolve(0))
  })
}
const isOpen = (answer: WebSocket | number): answer is WebSocket => answer instanceof WebSocket

describe('TLS', () => {
  const secure = async (): Promise<{ server: Server; cert: string }> => {
    const { tlsCert, tlsKey, cert } = writeCertificate(folder)
    return { server: await start('--tls-cert', tlsCert, '--tls-key', tlsKey), cert }
  }

  test('with certificate files all connections use https and wss', async () => {
    const { server, cert } = await secure()
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const response = await new Promise<string>(resolve => {
      get(`${server.url}/hello`, { ca: cert }, async answer => {
        let body = ''
        for await (const chunk of answer) body += chunk
        resolve(body)
      })
    })
    expect(response).toBe('Hello World, this is Heliograph Relay v2.0')
    const clients = [1, 2].map(() => new WebSocket(server.url.replace('http', 'ws'), { ca: cert }))
    const [reader, writer] = clients
    await Promise.all(clients.map(client => once(client, 'open')))
    const params = { topic: TOPIC, message: 'over TLS', ttl: 60 }
    reader?.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'relay_subscribe', params: { topic: TOPIC } }))
    await once(reader as WebSocket, 'message')
    const pushed = once(reader as WebSocket, 'message')
    writer?.send(JSON.stringify({ id: 2, jsonrpc: '2.0', method: 'relay_publish', params }))
    expect(`${(await pushed)[0]}`).toContain('over TLS')
    const closed = clients.map(client => once(client, 'close'))
    expect(await server.stop()).toBe(0)
    expect((await Promise.all(closed)).map(([code]) => code)).toEqual([1012, 1012])
  })

  test('ambiguous requests are refused, and a client without TLS gets no response', async () => {
    const { server, cert } = await secure()
    const socket = connectTls({ port: portOf(server.url), host: '127.0.0.1', ca: cert })
    const hidden = 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(`POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n${hidden}`)
    const { said, isClosed } = await hear(socket)
    expect([said.slice(0, 12), isClosed]).toEqual(['HTTP/1.1 400', true])
    expect(said).not.toContain('200 OK')
    expect((await say(server.url, hidden)).said).not.toContain('HTTP')
  })

  test('an unusable certificate file is named at start', async () => {
    const { tlsCert } = writeCertificate(folder)
    const missing = join(folder, 'missing.pem')
    await expect(start('--tls-cert', tlsCert, '--tls-key', missing)).rejects.toThrow(
      `Heliograph Relay: RELAY_TLS_KEY (--tls-key): ${missing} cannot be read`,
    )
    await expect(start('--tls-cert', tlsCert)).rejects.toThrow('RELAY_TLS_KEY (--tls-key): is not set')
  })
})

describe('connections', () => {
  test('of one address are limited, whatever its headers claim', async () => {
    const server = await start('--share-connections', '3', '--connections', '100', '--exempt-addresses', '192.0.2.1')
    const first = await knock(server)
    for (const forwarded of ['203.0.113.1', '203.0.113.2']) expect(isOpen(await knock(server, forwarded))).toBe(true)
    expect(await knock(server, '203.0.113.3')).toBe(429)
    if (isOpen(first)) first.close()
    await expect.poll(async () => isOpen(await knock(server))).toBe(true)
    expect(await metricsOf(server)).toMatch(/refusals_total\{reason="address-connections"\} [1-9]/)
  })

  test('behind a proxy are limited by client: the right-most address that is not a proxy, by /64 for IPv6', async () => {
    const server = await start(
      '--proxies',
      '127.0.0.1,10.0.0.0/8',
      '--share-connections',
      '2',
      '--connections',
      '100',
      '--exempt-addresses',
      '192.0.2.1',
    )
    const ask = async (forwarded: string) => isOpen(await knock(server, forwarded))
    expect(await ask('203.0.113.1')).toBe(true)
    expect(await ask('1.1.1.1, 203.0.113.1, 10.1.2.3')).toBe(true)
    expect(await ask('2.2.2.2, 203.0.113.1')).toBe(false)
    expect(await ask('203.0.113.1, 203.0.113.2')).toBe(true)
    expect(await ask('2001:db8:1:2::1')).toBe(true)
    expect(await ask('2001:db8:1:2:ffff::1')).toBe(true)
    expect(await ask('2001:db8:1:2::abc')).toBe(false)
    expect(await ask('2001:db8:1:3::1')).toBe(true)
  })

  test('in total are limited; refused clients get a reason, and the server keeps responding', async () => {
    const server = await start('--connections', '5')
    const sockets = await Promise.all(Array.from({ length: 5 }, () => knock(server)))
    expect(sockets.every(isOpen)).toBe(true)
    const { said } = await say(server.url, UPGRADE, '"}')
    expect(said).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(said).toContain('Retry-After: 5')
    expect(said).toContain('{"error":"at most 5 connections (connections)","reason":"serverFull",')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    for (const socket of sockets) if (isOpen(socket)) socket.close()
    await expect.poll(async () => isOpen(await knock(server))).toBe(true)
  })
})

test('messages of a client are limited: requests above the limit are refused by id, and a client that continues is disconnected', async () => {
  const server = await start('--message-rate', '1', '--message-burst', '20')
  const [client, reader] = [await connectRelay(server.url, 1), await connectRelay(server.url, 2)]
  await reader.call('relay_subscribe', { topic: TOPIC })
  const publish = (message: string) => client.call('relay_publish', { topic: TOPIC, message, ttl: 60 })
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => publish(`${index}`)))
  const accepted = answers.filter(({ result }) => result === true).length
  const refused = answers.filter(({ error }) => error?.code === 3001)
  expect(accepted).toBeGreaterThanOrEqual(20)
  expect(accepted + refused.length).toBe(25)
  expect(refused[0]?.error?.message).toBe('Too many requests')
  for (let count = 0; count < accepted; count++) reader.acknowledge(await reader.push())
  expect((await reader.call('relay_subscribe', { topic: 'another' })).result).toBeTypeOf('string')
  for (let count = 0; count < 50; count++) client.send('{"id":1,"jsonrpc":"2.0","method":"none"}')
  expect(await client.closed).toBe(1008)
  const again = await connectRelay(server.url, 1)
  expect((await again.call('relay_subscribe', { topic: TOPIC })).result).toBeTypeOf('string')
  expect(await metricsOf(server)).toMatch(/refusals_total\{reason="message-rate"\} [1-9]/)
})

describe('a client that sends byte by byte', () => {
  /** Sends four single bytes per second until the other side closes the connection. Returns the response. */
  const drip = async (url: string, whole: string, dripped: string): Promise<string> => {
    const socket = connect(portOf(url), '127.0.0.1')
    socket.write(whole)
    let next = 0
    const dripping = setInterval(() => {
      socket.write(dripped[next % dripped.length] ?? '')
      next += 1
    }, 250)
    const { said } = await hear(socket)
    clearInterval(dripping)
    return said
  }

  test('does not keep a connection open', async () => {
    const { url } = await start()
    const { tlsCert, tlsKey } = writeCertificate(folder)
    const tls = await startServer('relay-server', {
      dataDir: join(folder, 'tls'),
      args: ['--tls-cert', tlsCert, '--tls-key', tlsKey],
    })
    servers.push(tls)
    const post = 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    expect(
      await Promise.all([
        drip(url, 'GET /hello HTTP/1.1\r\nHost: x\r\n', 'Name: value\r\n'),
        drip(url, 'GET /', 'x'),
        drip(url, `${post}Content-Length: 60000\r\n\r\n`, 'x'),
        drip(url, `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
        drip(tls.url, '\x16\x03\x01\x02\x00', '\x01'),
      ]),
    ).toEqual(['', '', '', '', ''])
  })
})

describe('a stop', () => {
  const CLIENTS = 1000

  test('with a thousand clients and messages in flight loses no acknowledged message', async () => {
    const server = await start()
    const clients: RelayClient[] = []
    while (clients.length < CLIENTS)
      clients.push(...(await Promise.all(Array.from({ length: 100 }, () => connectRelay(server.url)))))
    const accepted: string[] = []
    const publish = async (client: RelayClient, message: string): Promise<void> => {
      const { result } = await client.call('relay_publish', { topic: TOPIC, message, ttl: 300 })
      if (result === true) accepted.push(message)
    }
    const first = clients.map((client, index) => publish(client, `${index}`))
    await first[0]
    for (const [index, client] of clients.entries()) void publish(client, `${index} again`)
    const code = server.stop()
    const codes = await Promise.all(clients.map(client => client.closed))
    expect(new Set(codes)).toEqual(new Set([1012]))
    expect(await code).toBe(0)
    expect(accepted.length).toBeGreaterThan(0)

    const again = await start('--topic-messages', '10000')
    const reader = await connectRelay(again.url, 1)
    await reader.call('relay_subscribe', { topic: TOPIC })
    const missing = new Set(accepted)
    while (missing.size > 0) {
      const push = await reader.push()
      missing.delete(push.params.data.message)
      reader.acknowledge(push)
    }
  })

  test('disconnects clients that neither read nor close', async () => {
    const server = await start()
    const silent = await openRaw(server.url)
    silent.pause()
    silent.write(UPGRADE)
    expect(await server.stop()).toBe(0)
    silent.destroy()
  })
})

describe('the data folder', () => {
  test('is locked by one process until that process has exited for whatever reason', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(
      /Heliograph Relay: the data folder .*data cannot be used: process \d+ uses it; every server needs its own folder/,
    )
    await expect(startServer('bridge-server', { dataDir: join(folder, 'data') })).rejects.toThrow('uses it')
    expect((await fetch(`${first.url}/health`)).status).toBe(200)
    await first.stop('SIGKILL')
    const second = await start()
    expect((await fetch(`${second.url}/health`)).status).toBe(200)
  })

  test('that cannot be used is named in the error', async () => {
    await mkdir(join(folder, 'data', 'tables-000001.log'), { recursive: true })
    await expect(start()).rejects.toThrow(`Heliograph Relay: the data folder ${join(folder, 'data')} cannot be used: `)
  })
})
