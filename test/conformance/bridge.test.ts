/** The interface document's bridge, row by row and rule by rule, against a running bridge. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'

let folder: string
let bridge: Running
const start = (): Promise<Running> => startBridge({ port: 0, logLevel: 'silent', topicWebhooks: 2, dataDir: folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-'))
  bridge = await start()
})
afterAll(async () => {
  await bridge.stop()
  await rm(folder, { recursive: true })
})

const subscribe = (body: string, type = 'application/json'): Promise<Response> =>
  fetch(`${bridge.url}/subscribe`, { method: 'POST', headers: { 'Content-Type': type }, body })

const register = (topic: string, webhook: string): Promise<Response> => subscribe(JSON.stringify({ topic, webhook }))

describe('§4.2 bridge server (HTTP)', () => {
  test('§4.2 GET /hello | none | 200, text/plain; charset=utf-8, a greeting of the form `<greeting text> <service_name> v1.0`', async () => {
    const response = await fetch(`${bridge.url}/hello`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe('Hello World, this is Heliograph Bridge v1.0')
  })

  test('§4.2 GET /info | none | 200, application/json; charset=utf-8, {name: string, repository: string, version: string}', async () => {
    const response = await fetch(`${bridge.url}/info`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ name: 'Heliograph Bridge', repository: 'heliograph', version: '1.0' })
  })

  test('§4.2 POST /subscribe | application/json {topic, webhook} | 200, application/json; charset=utf-8, {success: true}', async () => {
    const response = await register('a-client-id', 'https://push.example/hook')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ success: true })
  })
})

describe('§2 bridge records', () => {
  test('§2 webhook registration with `topic` (client id) and `webhook`: a repeat does not count twice, and both members are required', async () => {
    for (const webhook of ['https://a.example/1', 'https://a.example/1', 'https://a.example/2'])
      expect((await register('twice', webhook)).status).toBe(200)
    const third = await register('twice', 'https://a.example/3')
    expect([third.status, await third.json()]).toEqual([
      409,
      { error: 'body.webhook: a topic has at most 2 webhooks', reason: 'topicWebhooks', values: { limit: 2 } },
    ])
    const missing = await subscribe('{"topic":"alone"}')
    expect([missing.status, await missing.json()]).toEqual([
      400,
      { error: 'body.webhook: is missing', reason: expect.any(String), values: expect.any(Object) },
    ])
  })

  test('§2 a registration survives a restart', async () => {
    for (const webhook of ['https://a.example/1', 'https://a.example/2']) await register('kept', webhook)
    await bridge.stop()
    bridge = await start()
    expect((await register('kept', 'https://a.example/3')).status).toBe(409)
    expect((await register('kept', 'https://a.example/2')).status).toBe(200)
  })
})

describe('§5 authentication of clients of the bridge server: not shown', () => {
  test('§5 no token is required, and a token is ignored', async () => {
    const response = await fetch(`${bridge.url}/info`, { headers: { Authorization: 'Bearer x' } })
    expect(response.status).toBe(200)
  })
})

describe('§7 errors: not shown; 4xx and JSON', () => {
  test.each([
    ['GET', '/', 404],
    ['GET', '/hello/', 404],
    ['GET', '/HELLO', 404],
    ['POST', '/hello', 405],
    ['PUT', '/info', 405],
    ['GET', '/subscribe', 405],
  ])('§7 %s %s is %i', async (method, path, status) => {
    const response = await fetch(`${bridge.url}${path}`, { method })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({
      error: expect.any(String),
      reason: expect.any(String),
      values: expect.any(Object),
    })
  })

  test.each([
    ['{"topic":"t","webhook":"https://a.example"}', 'text/plain', 415, 'Content-Type: '],
    ['', 'application/json', 400, 'body: is not JSON'],
    ['{', 'application/json', 400, 'body: is not JSON'],
    ['[]', 'application/json', 400, 'body'],
    ['null', 'application/json', 400, 'body'],
    ['{"webhook":"https://a.example"}', 'application/json', 400, 'body.topic: is missing'],
    ['{"topic":7,"webhook":"https://a.example"}', 'application/json', 400, 'body.topic: '],
    ['{"topic":"","webhook":"https://a.example"}', 'application/json', 400, 'body.topic: '],
    ['{"topic":"t","webhook":"not a url"}', 'application/json', 400, 'body.webhook: '],
    ['{"topic":"t","webhook":"file:///etc/passwd"}', 'application/json', 400, 'body.webhook: '],
    ['{"topic":"t","webhook":"https://user:pass@a.example"}', 'application/json', 400, 'body.webhook: '],
    ['{"topic":"t","webhook":"http://a.example"}', 'application/json', 400, 'body.webhook: must be https'],
    [
      '{"topic":"t","webhook":"https://169.254.169.254/"}',
      'application/json',
      400,
      'body.webhook: must be at a public',
    ],
    ['{"topic":"t","webhook":"https://[::1]/"}', 'application/json', 400, 'body.webhook: must be at a public'],
    [
      JSON.stringify({ topic: 't', webhook: `https://a.example/${'x'.repeat(70_000)}` }),
      'application/json',
      413,
      'body: ',
    ],
  ])('§7 POST /subscribe %.60s (%s) is %i', async (body, type, status, reason) => {
    const response = await subscribe(body, type)
    expect(response.status).toBe(status)
    const { error } = await response.json()
    expect(error).toContain(reason)
    expect(error).not.toContain('pass')
  })
})

describe('§9 versioning', () => {
  test('§9 the bridge server greeting and info report version `1.0`', async () => {
    expect(await (await fetch(`${bridge.url}/hello`)).text()).toMatch(/ v1\.0$/)
    expect((await (await fetch(`${bridge.url}/info`)).json()).version).toBe('1.0')
  })
})

test('health and metrics are available, and pages of any origin may call', async () => {
  const health = await fetch(`${bridge.url}/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
  expect((await fetch(`${bridge.url}/metrics`)).status).toBe(200)
  const preflight = await fetch(`${bridge.url}/subscribe`, { method: 'OPTIONS' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
})
