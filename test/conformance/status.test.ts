/** The servers' own reports: metrics and their documentation, health, the status page and its figures. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startBridge } from '../../bridge-server/src/server.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import type { Status } from '../../relay-server/src/status/status.ts'
import { connectRelay, socketUrl } from '../support/relay-client.ts'
import { root } from '../support/root.ts'

const TOKEN = 'open-sesame'
const TOPIC = 'ab'.repeat(32)

let folder: string
let relay: Running
let guarded: Running
let bridge: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'status-'))
  const settings = { port: 0, logLevel: 'silent', webhookAllow: [parseRange('127.0.0.1')] } as const
  relay = await startRelay({ ...settings, dataDir: join(folder, 'relay') })
  guarded = await startRelay({ ...settings, dataDir: join(folder, 'guarded'), statusToken: TOKEN })
  bridge = await startBridge({ ...settings, dataDir: join(folder, 'bridge') })
})
afterAll(async () => {
  await Promise.all([relay.stop(), guarded.stop(), bridge.stop()])
  await rm(folder, { recursive: true })
})

const get = (server: Running, path: string, token?: string): Promise<Response> =>
  fetch(`${server.url}${path}`, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } })
const text = async (server: Running, path: string): Promise<string> => (await get(server, path)).text()
const status = async (): Promise<Status> => (await get(relay, '/status.json')).json()

describe('metrics', () => {
  const namesIn = (metrics: string): string[] =>
    [...metrics.matchAll(/^# TYPE (heliograph_\w+) /gm)].map(([, name = '']) => name)

  test('each metric is documented, and each documented metric exists', async () => {
    const rows = await readFile(join(root, 'docs/metrics.md'), 'utf8')
    const written = (server: string) =>
      [...rows.matchAll(/^\| `(heliograph_\w+)` \| (\w+) \|/gm)]
        .filter(([, , servers]) => servers === 'both' || servers === server)
        .map(([, name = '']) => name)
    expect(namesIn(await text(relay, '/metrics')).toSorted()).toEqual(written('relay').toSorted())
    expect(namesIn(await text(bridge, '/metrics')).toSorted()).toEqual(written('bridge').toSorted())
  })

  test('they include latencies, refusals with their reasons, and the event loop lag', async () => {
    const [ann, ben] = [await connectRelay(relay.url, 1), await connectRelay(relay.url, 2)]
    await ben.call('relay_subscribe', { topic: TOPIC })
    await ann.call('relay_publish', { topic: TOPIC, message: 'm', ttl: 300 })
    ben.acknowledge(await ben.push())
    await ben.call('relay_subscribe', {})
    const stranger = new WebSocket(socketUrl(relay.url, { auth: 'nonsense' }))
    const [refusal] = await once(stranger, 'error')
    expect(refusal.message).toContain('401')
    const metrics = await text(relay, '/metrics')
    for (const name of ['answer', 'delivery', 'acknowledgement']) {
      expect(metrics).toMatch(new RegExp(`^heliograph_${name}_seconds_count [1-9]`, 'm'))
      expect(metrics).toMatch(new RegExp(`^heliograph_${name}_seconds_bucket\\{le="\\+Inf"\\} [1-9]`, 'm'))
    }
    expect(metrics).toMatch(/^heliograph_rejects_total\{reason="invalidParams"\} [1-9]/m)
    expect(metrics).toMatch(/^heliograph_refused_connections_total\{status="401"\} 1$/m)
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(metrics).toMatch(/^heliograph_failing 0$/m)
    await Promise.all([ann.close(), ben.close()])
  })

  test('an expired message is counted and reported as an event', async () => {
    const ann = await connectRelay(relay.url, 3)
    await ann.call('relay_publish', { topic: 'cd'.repeat(32), message: 'gone soon', ttl: 1 })
    await eventually(async () => {
      expect(await text(relay, '/metrics')).toMatch(/^heliograph_expired_total [1-9]/m)
      expect((await status()).events.map(event => event.text)).toContainEqual(
        expect.stringMatching(/^Expired \d+ mess/),
      )
    })
    await ann.close()
  })
})

describe('health', () => {
  test('a healthy server is live and ready', async () => {
    for (const server of [relay, bridge]) {
      const [health, ready] = [await get(server, '/health'), await get(server, '/ready')]
      expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
    }
  })
})

describe('the status page', () => {
  test('it is one file, loads no other file, runs only its own code, and cannot be framed', async () => {
    const response = await get(relay, '/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src( 'sha256-[^';]+'){2}; style-src( 'sha256-[^';]+'){2}; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    expect(
      page.match(/(?:src|href)="(?!#|data:|status\.json"|metrics")[^"]*"|url\(|@import|\son\w+="|\sstyle="/),
    ).toBeNull()
  })

  test("its colours match the wallet's", async () => {
    const page = await text(relay, '/')
    const theme = await readFile(join(root, 'extension/src/ui/theme.css'), 'utf8')
    const flat = (value: string) => value.replaceAll(/\s+/g, ' ').trim()
    const tokens = (css: string) => [...css.matchAll(/(--(?:c|r|control)[\w-]*):([^;]+);/g)]
    const known = new Map(
      tokens(theme.slice(0, theme.indexOf('@media'))).map(([, name, value = '']) => [name, flat(value)]),
    )
    const used = tokens(page.slice(0, page.indexOf('@media')))
    expect(used.length).toBeGreaterThan(15)
    for (const [, name, value = ''] of used) expect([name, flat(value)]).toEqual([name, known.get(name)])
  })

  test("sockets can be opened at the same path, and HEAD returns the page's length", async () => {
    const client = await connectRelay(relay.url)
    expect((await client.call('relay_subscribe', { topic: TOPIC })).result).toMatch(/^[0-9a-f]{64}$/)
    await client.close()
    const head = await fetch(relay.url, { method: 'HEAD' })
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(await text(relay, '/')))
  })

  test('its figures are current and contain no topic, client, message or path of a webhook', async () => {
    let answer = 503
    const receiver = createServer((request, response) => {
      request.on('data', chunk => {
        const isChallenge = `${chunk}`.startsWith('{"challenge":')
        response.writeHead(isChallenge ? 200 : answer).end(chunk)
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    await fetch(`${relay.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic: TOPIC, webhook: `${origin}/secret-path?key=secret` }),
    })
    const [ann, ben] = [await connectRelay(relay.url, 4), await connectRelay(relay.url, 5)]
    await ben.call('irn_subscribe', { topic: TOPIC })
    await ann.call('irn_publish', { topic: TOPIC, message: 'secret-text', ttl: 300, tag: 1, prompt: true })
    await eventually(async () => {
      const { connections, topics, mailbox, webhooks, events, days } = await status()
      expect([connections.now, connections.peak]).toEqual([2, expect.any(Number)])
      expect(connections.peak).toBeGreaterThanOrEqual(2)
      expect([topics.now, topics.active]).toEqual([expect.any(Number), expect.any(Number)])
      expect(mailbox.messages).toBeGreaterThan(0)
      expect(mailbox.oldestAt).toBeLessThanOrEqual(Date.now())
      expect(webhooks.targets).toEqual([
        expect.objectContaining({ origin, state: 'retrying', lastStatus: 503, waiting: 1 }),
      ])
      expect(events.map(event => event.text)).toContainEqual(
        expect.stringMatching(/^Webhook 127\.0\.0\.1:\d+ answered 503/),
      )
      expect(days.at(-1)?.up).toBeGreaterThan(0)
    })
    answer = 200
    await eventually(async () => {
      const { webhooks, events, series } = await status()
      expect(webhooks.targets[0]).toMatchObject({ state: 'delivering', delivered: 1, firstTry: 0 })
      expect(events[0]?.text).toMatch(/accepts calls again$/)
      expect(series.values.received.some(value => value !== null && value > 0)).toBe(true)
    })
    const said = (await text(relay, '/status.json')) + (await text(relay, '/metrics'))
    expect(said).not.toMatch(/secret|did:key|abababab/)
    await Promise.all([ann.close(), ben.close()])
    receiver.close()
  })
})

describe('a status token', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/status.json', 'application/json; charset=utf-8'],
    ['/metrics', 'application/json; charset=utf-8'],
  ])('%s is 401 without it, and 200 with it', async (path, type) => {
    for (const token of [undefined, 'wrong', `${TOKEN}x`, TOKEN.slice(1)]) {
      const refused = await get(guarded, path, token)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(refused.headers.get('content-type')).toBe(type)
      expect(await refused.text()).not.toMatch(new RegExp(`${TOKEN}|heliograph_publishes|startedAt"`))
    }
    expect((await get(guarded, path, TOKEN)).status).toBe(200)
    expect((await get(guarded, `${path}?token=${TOKEN}&status-token=${TOKEN}`)).status).toBe(401)
  })

  test.each(['/health', '/ready', '/hello'])('%s does not need it', async path => {
    expect((await get(guarded, path)).status).toBe(200)
  })

  test('sockets do not need it', async () => {
    const client = await connectRelay(guarded.url, 1)
    expect((await client.call('relay_subscribe', { topic: TOPIC })).error).toBeUndefined()
    await client.close()
  })
})
