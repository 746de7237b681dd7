import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { BlockedTarget, checkTarget, parseRange, postPublic, type TargetRules } from './public-fetch.ts'

const publicOnly: TargetRules = { allow: [], timeoutMs: 20_000 }
const loopback: TargetRules = { allow: [parseRange('127.0.0.0/8'), parseRange('::1')], timeoutMs: 20_000 }
const never = new AbortController().signal

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const listen = async (listener: RequestListener): Promise<URL> => {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'http://93.184.216.34/',
  'http://example.com/',
])('%s is refused before anything is sent', url => {
  expect(() => checkTarget(new URL(url), publicOnly)).toThrow(BlockedTarget)
})

test.each(['https://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/', 'https://example.com:8443/x?y'])(
  '%s may be called',
  url => {
    expect(() => checkTarget(new URL(url), publicOnly)).not.toThrow()
  },
)

test('a name is judged by every address it resolves to, on the connection that is made', async () => {
  await expect(postPublic(new URL('https://localhost:1/'), '{}', publicOnly, never)).rejects.toThrow(BlockedTarget)
  const onlyIpv6 = { allow: [parseRange('::1')], timeoutMs: 20_000 }
  await expect(postPublic(new URL('http://localhost:1/'), '{}', onlyIpv6, never)).rejects.toThrow()
})

test('an allowed network is called, over http, too, and only there', async () => {
  const bodies: string[] = []
  const url = await listen((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(`${request.method} ${request.headers['content-type']} ${chunk}`))
    request.on('end', () => response.writeHead(204).end())
  })
  expect(await postPublic(url, '{"topic":"é"}', loopback, never)).toBe(204)
  expect(bodies).toEqual(['POST application/json {"topic":"é"}'])
  await expect(postPublic(url, '{}', publicOnly, never)).rejects.toThrow(BlockedTarget)
  expect(() => checkTarget(new URL('http://192.168.1.1/'), loopback)).toThrow(BlockedTarget)
  expect(bodies).toHaveLength(1)
})

test('a redirect is an answer like any other', async () => {
  let calls = 0
  const url = await listen((_, response) => {
    calls += 1
    response.writeHead(307, { Location: '/elsewhere' }).end()
  })
  expect(await postPublic(url, '{}', loopback, never)).toBe(307)
  expect(calls).toBe(1)
})

test('a target that does not answer is given up, and so is one that goes on for ever', async () => {
  const silent = await listen(() => undefined)
  await expect(postPublic(silent, '{}', { ...loopback, timeoutMs: 50 }, never)).rejects.toThrow()
  const endless = await listen((_, response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write('x'.repeat(1000)), 1)
    response.on('close', () => clearInterval(more))
  })
  expect(await postPublic(endless, '{}', loopback, never)).toBe(200)
})

test('networks are read from CIDR or a single address', () => {
  expect(parseRange('10.0.0.0/8')[1]).toBe(8)
  expect(parseRange('192.168.1.7')[1]).toBe(32)
  expect(parseRange('fd00::/8')[1]).toBe(8)
  for (const wrong of ['10', '10.0.0.0/33', 'localhost', '']) expect(() => parseRange(wrong)).toThrow(ConfigError)
})
