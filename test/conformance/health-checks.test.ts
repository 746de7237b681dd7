/**
 * Health checks of load balancers, with the lines of docs/self-hosting.md and the exact bytes that each load balancer
 * sends.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { read } from '../house/sources.ts'
import { say } from '../support/raw.ts'

const HOST = 'relay.example.org'
const OK = 'HTTP/1.1 200 OK'
const UNSUPPORTED = 'HTTP/1.1 505'

const document = read('docs/self-hosting.md')

let folder: string
let servers: readonly Running[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'health-checks-'))
  const settings = { port: 0, logLevel: 'silent' as const }
  servers = await Promise.all([
    startRelay({ ...settings, dataDir: join(folder, 'relay') }),
    startBridge({ ...settings, dataDir: join(folder, 'bridge') }),
  ])
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.stop()))
  await rm(folder, { recursive: true })
})

/** Returns the status lines with which both servers respond to a request of these lines and an empty line. */
const answers = async (...lines: readonly string[]): Promise<string[]> => {
  const said = await Promise.all(servers.map(({ url }) => say(url, `${lines.join('\r\n')}\r\n\r\n`, '\r\n\r\n')))
  return said.map(({ said }) => said.split('\r\n')[0] ?? '')
}

const expectAnswer = async (lines: readonly string[], status: string): Promise<void> => {
  expect(await answers(...lines)).toEqual([expect.stringContaining(status), expect.stringContaining(status)])
}

describe('with the lines of the document', () => {
  test('HAProxy', async () => {
    const { groups } =
      /`http-check send meth (?<method>\S+) uri (?<uri>\S+) ver (?<version>\S+) hdr Host (?<host>\S+)`/.exec(
        document,
      ) ?? {}
    expect(groups).toEqual({ method: 'GET', uri: '/ready', version: 'HTTP/1.1', host: HOST })
    await expectAnswer([`GET ${groups?.uri} ${groups?.version}`, `host: ${groups?.host}`, 'connection: close'], OK)
  })

  test('nginx', async () => {
    expect(document).toContain('`proxy_http_version 1.1;`')
    expect(read('deploy/nginx.conf').match(/proxy_http_version 1\.1;/g)).toHaveLength(2)
    await expectAnswer(['GET /ready HTTP/1.1', `Host: ${HOST}`, 'Connection: close'], OK)
  })

  test('keepalived', async () => {
    expect(document).toContain('`http_protocol 1.1`')
    await expectAnswer(['GET /ready HTTP/1.1', 'User-Agent: KeepAliveClient', 'Connection: close', `Host: ${HOST}`], OK)
  })

  test('F5', async () => {
    const sent = /`(GET \/ready HTTP\/1\.1(?:\\r\\n[^`\\]+)+)\\r\\n\\r\\n`/.exec(document)?.[1]
    await expectAnswer(sent?.split('\\r\\n') ?? [], OK)
  })
})

const requests = ['/ready', '/health', '/hello', '/status.json', '/nowhere'].flatMap(path => [
  [`GET ${path} HTTP/1.0`],
  [`HEAD ${path} HTTP/1.0`, `Host: ${HOST}`],
  [`OPTIONS ${path} HTTP/1.0`],
  [`GET ${path} HTTP/1.0`, `Host: ${HOST}`, 'Connection: keep-alive', 'User-Agent: KeepAliveClient'],
  [`GET http://${HOST}${path} HTTP/1.1`, `Host: ${HOST}`],
  [`GET HTTPS://${HOST.toUpperCase()}${path} HTTP/1.1`, `Host: ${HOST}`],
])

test('HTTP/1.0 and absolute-form get a 505 response, as documented', async () => {
  const limits = document.slice(document.indexOf('## Limits of the HTTP parser'))
  for (const words of ['505', 'HTTP/1.0', 'absolute-form', '`OPTIONS *`']) expect(limits).toContain(words)
  for (const lines of [...requests, ['OPTIONS * HTTP/1.1', `Host: ${HOST}`]]) await expectAnswer(lines, UNSUPPORTED)
})

test.each(['/ready', '/health', '/hello'])('%s gets a response over HTTP/1.1 with any host', async path => {
  for (const host of ['localhost', HOST, '127.0.0.1:8080', '[::1]', 'x'])
    for (const method of ['GET', 'HEAD']) await expectAnswer([`${method} ${path} HTTP/1.1`, `Host: ${host}`], OK)
})
