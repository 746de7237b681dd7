/** Webhooks of topics as docs/webhooks.md describes them, with its verifier. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startBridge } from '../../bridge-server/src/server.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { read } from '../house/sources.ts'
import { say } from '../support/raw.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'

type Verifier = (publicKey: string, headers: Received['headers'], body: string) => boolean

const TOPIC = 'cd'.repeat(32)

/** A header of HAProxy's PROXY protocol, version 2: signature, PROXY over TCP, length, two addresses, two ports. */
const PROXY_SIGNATURE = '\r\n\r\n\0\r\nQUIT\n'
const PROXY_OVER_IPV4 = `${PROXY_SIGNATURE}\x21\x11\0\x0c${'\xcb\0\x71\x07'.repeat(2)}${'\x10\x10'.repeat(2)}`
const PROXY_OVER_IPV6 = `${PROXY_SIGNATURE}\x21\x21\0\x24${'\x20\x01\x0d\xb8'.repeat(8)}${'\x10\x10'.repeat(2)}`

let folder: string
let relay: Running
let receiver: Receiver
let client: RelayClient
const settings = () => ({
  port: 0,
  logLevel: 'silent' as const,
  webhookAllow: [parseRange('127.0.0.1')],
  dataDir: join(folder, 'relay'),
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-'))
  receiver = await startReceiver()
  relay = await startRelay(settings())
  client = await connectRelay(relay.url, 1)
})
afterEach(async () => {
  vi.useRealTimers()
  await client.close()
  await relay.stop()
  await receiver.close()
  await rm(folder, { recursive: true })
})

const register = (topic: string, webhook: string, headers: Record<string, string> = {}, url = relay.url) =>
  fetch(`${url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ topic, webhook }),
  })

/**
 * Registers with arbitrary headers, including headers that `fetch` forbids. Resolves with the status and an error's
 * reason.
 */
const registerAs = async (
  url: string,
  headers: Record<string, string>,
  webhook = receiver.url,
): Promise<[status?: number, reason?: string]> => {
  const sent = request(`${url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  sent.end(JSON.stringify({ topic: TOPIC, webhook }))
  const [response] = await once(sent, 'response')
  return [response.statusCode, JSON.parse(await text(response)).reason]
}

/** Returns the verifier that the document shows to receivers. */
const documented = async (): Promise<Verifier> => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(read('docs/webhooks.md')) ?? []
  const body = /=> \{\n(.*?)\n\}/s.exec(code)?.[1] ?? ''
  expect(body.split('\n')).toHaveLength(5)
  const path = join(folder, 'verifier.mjs')
  await writeFile(path, code)
  const { isFromServer } = await import(/* @vite-ignore */ pathToFileURL(path).href)
  return isFromServer
}

describe('the origin of calls', () => {
  test("the documented verifier accepts only this server's calls", async () => {
    const isFromServer = await documented()
    await register(TOPIC, receiver.url)
    await client.call('irn_publish', { topic: TOPIC, message: 'm', ttl: 300, tag: 1, prompt: true })
    const { headers, body } = await receiver.next()
    const { publicKey } = await (await fetch(`${relay.url}/public-key`)).json()
    expect(body).toBe(`{"topic":"${TOPIC}"}`)
    expect(isFromServer(publicKey, headers, body)).toBe(true)

    const timestamp = `${Number(headers['x-ed25519-timestamp']) + 1}`
    expect(isFromServer(publicKey, { ...headers, 'x-ed25519-timestamp': timestamp }, body)).toBe(false)
    expect(isFromServer(publicKey, headers, body.replace('c', 'd'))).toBe(false)
    expect(isFromServer('ab'.repeat(32), headers, body)).toBe(false)
    expect(isFromServer(publicKey, {}, body)).toBe(false)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
    expect(isFromServer(publicKey, headers, body)).toBe(false)
  })

  test('the bridge has its own key and publishes it in the same way', async () => {
    const bridge = await startBridge({ ...settings(), dataDir: join(folder, 'bridge') })
    const keys = await Promise.all([relay, bridge].map(async ({ url }) => (await fetch(`${url}/public-key`)).json()))
    for (const key of keys)
      expect(key).toEqual({
        did: expect.stringMatching(/^did:key:z6Mk/),
        publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
    expect(keys[0]).not.toEqual(keys[1])
    await bridge.stop()
  })
})

describe('publishes that cause a call', () => {
  test("each relay_publish, and each irn_publish with prompt, including repeats; calls are queued before the publisher's response", async () => {
    await register(TOPIC, receiver.url)
    const publish = (prefix: string, message: string, more: object = {}) =>
      client.call(`${prefix}_publish`, { topic: TOPIC, message, ttl: 300, ...more })
    await publish('irn', 'silent', { tag: 1, prompt: false })
    await publish('irn', 'silent too', { tag: 1 })
    for (const [prefix, message] of [
      ['relay', 'a'],
      ['irn', 'b'],
      ['irn', 'b'],
    ] as const) {
      await publish(prefix, message, { tag: 1, prompt: true })
      expect((await receiver.next()).body).toBe(`{"topic":"${TOPIC}"}`)
    }
    expect(receiver.received).toHaveLength(3)
  })
})

describe('permission to register', () => {
  test.each([
    ['relay', startRelay],
    ['bridge', startBridge],
  ])('a %s with a token refuses registrations without it', async (name, start) => {
    const server = await start({ ...settings(), dataDir: join(folder, `closed-${name}`), webhookToken: 'let-me-in' })
    for (const headers of [{}, { Authorization: 'Bearer let-me' }, { Authorization: 'Basic bGV0LW1lLWlu' }]) {
      const refused = await register(TOPIC, receiver.url, headers as Record<string, string>, server.url)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await refused.text()).not.toContain('let-me')
    }
    const taken = await register(TOPIC, receiver.url, { Authorization: 'Bearer let-me-in' }, server.url)
    expect([taken.status, await taken.json()]).toEqual([200, { success: true }])
    await server.stop()
  })

  test.each([
    ['relay', startRelay],
    ['bridge', startBridge],
  ])('a %s without a token refuses every client that may be on another machine', async (name, start) => {
    const server = await start({ ...settings(), dataDir: join(folder, `own-${name}`) })
    const { host, port } = new URL(server.url)
    const strangers: Record<string, string>[] = [
      { Host: 'relay.example.org' },
      { Forwarded: 'for=203.0.113.7' },
      { Via: '1.1 proxy' },
      { 'X-Real-IP': '203.0.113.7' },
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-Proto': 'https' },
      { 'X-Original-Host': 'relay.example.org' },
      { 'CF-Connecting-IP': '203.0.113.7' },
      { 'True-Client-IP': '203.0.113.7' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]
    for (const headers of strangers)
      expect([headers, ...(await registerAs(server.url, headers))]).toEqual([headers, 403, 'webhookRegistrationClosed'])
    const own: Record<string, string>[] = [
      {},
      { Host: `localhost:${port}` },
      { Host: `[::1]:${port}` },
      { Origin: `http://${host}` },
    ]
    for (const headers of own)
      expect([headers, ...(await registerAs(server.url, headers))]).toEqual([headers, 200, undefined])
    await server.stop()
  })

  test('a PROXY header before the request counts as a proxy', async () => {
    const body = JSON.stringify({ topic: TOPIC, webhook: receiver.url })
    const head = `POST /subscribe HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const statusAfter = async (proxyHeader: string) => (await say(relay.url, proxyHeader + head + body, '\r\n')).said
    expect(await statusAfter('')).toContain('200 OK')
    expect(await statusAfter(PROXY_OVER_IPV4)).toContain('403 Forbidden')
    expect(await statusAfter(PROXY_OVER_IPV6)).toContain('403 Forbidden')
  })

  test('an open relay challenges an address that a local proxy forwards', async () => {
    const server = await startRelay({
      ...settings(),
      dataDir: join(folder, 'open'),
      webhookRegistration: 'open',
    })
    const target = await startReceiver({ echoes: false })
    expect(await registerAs(server.url, { Host: 'relay.example.org' }, target.url)).toEqual([200, undefined])
    expect(JSON.parse((await target.next()).body)).toEqual({ challenge: expect.any(String) })
    await server.stop()
    await target.close()
  })

  test('an open relay accepts registrations with any token or none', async () => {
    expect((await register(TOPIC, receiver.url, { Authorization: 'Bearer x' })).status).toBe(200)
  })
})
