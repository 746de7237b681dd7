import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseRange } from '../limits/addresses.ts'
import { BlockedTarget, checkTarget, postTo, type TargetRules, targetAddresses } from './public-fetch.ts'

const publicOnly: TargetRules = { allow: [] }
const loopback: TargetRules = { allow: [parseRange('127.0.0.0/8')] }
const noName = async (): Promise<string[]> => {
  throw new Error('no name is to be resolved')
}

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  for (const socket of sockets) socket.destroy()
})

const listen = async (server: Server): Promise<URL> => {
  servers.push(server.on('connection', (socket: Socket) => sockets.add(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}
const serve = (listener: RequestListener): Promise<URL> => listen(createServer(listener))

const never = new AbortController().signal
const post = async (url: URL, body = '{}', signal = never): Promise<number> => {
  const [address = ''] = await targetAddresses(url, loopback, noName)
  const { status } = await postTo({ url, address, headers: {}, body }, signal)
  return status
}

test.each([
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://①②⑦.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://a.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[::a00:1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://[fd00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::10.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[2001:db8::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[1::1]/',
  'https://[4000::1]/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'http://93.184.216.34/',
  'http://example.com/',
])('%s is refused without sending anything', url => {
  expect(() => checkTarget(new URL(url), publicOnly)).toThrow(BlockedTarget)
})

test.each(['https://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/', 'https://example.com:8443/x?y'])(
  '%s may be called',
  url => {
    expect(() => checkTarget(new URL(url), publicOnly)).not.toThrow()
  },
)

test.each([
  [['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'], true],
  [['127.0.0.1'], false],
  [['93.184.216.34', '10.0.0.1'], false],
  [['93.184.216.34', '::ffff:10.0.0.1'], false],
  [['64:ff9b::a00:1'], false],
  [['::1'], false],
])('a host that resolves to %j is allowed: %s', async (addresses, mayBe) => {
  const found = targetAddresses(new URL('https://example.com/'), publicOnly, async () => addresses)
  if (mayBe) expect(await found).toEqual(addresses)
  else await expect(found).rejects.toThrow('targetNameNotPublic')
})

test('connects to the checked address even if the name resolves differently afterwards', async () => {
  const hosts: (string | undefined)[] = []
  const url = await serve((request, response) => {
    hosts.push(request.headers.host)
    response.end()
  })
  url.hostname = 'changes-its-mind.example'
  expect((await postTo({ url, address: '127.0.0.1', headers: {}, body: '{}' }, never)).status).toBe(200)
  expect(hosts).toEqual([url.host])
})

test('localhost is a loopback address, if allowed', async () => {
  const url = new URL('http://localhost/')
  expect(await targetAddresses(url, loopback, noName)).toEqual(['127.0.0.1'])
  expect(await targetAddresses(url, { allow: [parseRange('::1')] }, noName)).toEqual(['::1'])
  await expect(targetAddresses(url, { allow: [parseRange('10.0.0.0/8')] }, noName)).rejects.toThrow(BlockedTarget)
})

test('an allowed network may be called, also over http', async () => {
  const bodies: string[] = []
  const url = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(`${request.method} ${request.headers['content-type']} ${chunk}`))
    request.on('end', () => response.writeHead(204).end())
  })
  expect(await post(url, '{"topic":"é"}')).toBe(204)
  expect(bodies).toEqual(['POST application/json {"topic":"é"}'])
  for (const other of ['http://192.168.1.1/', 'http://93.184.216.34/', 'https://192.168.1.1/'])
    expect(() => checkTarget(new URL(other), loopback)).toThrow(BlockedTarget)
  expect(() => checkTarget(new URL('http://[::ffff:127.0.0.1]/'), loopback)).not.toThrow()
})

test('does not follow redirects', async () => {
  let calls = 0
  const url = await serve((_, response) => {
    calls += 1
    response.writeHead(307, { Location: '/elsewhere' }).end()
  })
  expect(await post(url)).toBe(307)
  expect(calls).toBe(1)
})

test('times out if a target does not respond', async () => {
  const silent = await serve(() => undefined)
  await expect(post(silent, '{}', AbortSignal.timeout(50))).rejects.toThrow()
})

test('does not read the response body, however long', async () => {
  let hasEnded: (value: unknown) => void = () => undefined
  const ended = new Promise(resolve => {
    hasEnded = resolve
  })
  const endless = await serve((_, response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write('x'.repeat(1000)), 1)
    response.on('close', () => {
      clearInterval(more)
      hasEnded(undefined)
    })
  })
  expect(await post(endless)).toBe(200)
  await ended
})

test.each([
  ['headers without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['nothing', ''],
])('fails if a target responds with %s', async (_, answer) => {
  const url = await listen(createTcpServer(socket => socket.once('data', () => socket.end(answer))))
  await expect(post(url)).rejects.toThrow()
})

test('sends nothing if TLS fails', async () => {
  let received = ''
  const url = await listen(
    createTcpServer(socket => socket.on('data', chunk => (received += chunk)).write('HTTP/1.1 200 OK\r\n\r\n')),
  )
  await expect(post(new URL(url.href.replace('http:', 'https:')), '{"topic":"secret"}')).rejects.toThrow()
  expect(received).not.toContain('secret')
})
