import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseRange } from '../limits/addresses.ts'
import { sharesOf } from '../limits/shares.fixture.ts'
import { NOBODY } from '../limits/shares.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { eventually } from '../process/eventually.fixture.ts'
import { createLog } from '../process/log.ts'
import { openStore, type Store } from '../storage/store.ts'
import { local, remote } from '../transport/caller.fixture.ts'
import { createWebhookJournal } from './journal.ts'
import { openSigningKey } from './signing-key.ts'
import { openCallStore } from './store.ts'
import { openWebhooks, registrationRoute, type Webhooks } from './webhooks.ts'

const FIRST_RETRY = 20
/** A registrant for whom the operator vouches. */
const trusted = { payers: NOBODY, isTrusted: true }
let folder: string
let metrics: Metrics
let opened: { store: Store; webhooks: Webhooks }

const open = (shares = sharesOf()): { store: Store; webhooks: Webhooks } => {
  const store = openStore(folder)
  metrics = createMetrics()
  const webhooks = openWebhooks({
    tables: store,
    callStore: openCallStore(store, createLog('test', 'silent')),
    metrics,
    journal: createWebhookJournal(),
    log: createLog('test', 'silent'),
    key: openSigningKey(folder),
    rules: { allow: [parseRange('127.0.0.1')] },
    timeoutMs: 20_000,
    shares,
    registrations: { perTopic: 2, topics: 3, bytes: 1000, days: 30 },
    calls: { calls: 100, targetCalls: 100, bytes: 100_000 },
    firstRetry: FIRST_RETRY,
  })
  return { store, webhooks }
}

const close = async ({ store, webhooks }: typeof opened): Promise<void> => {
  webhooks.close()
  await store.close()
}

/** A receiver that responds with the given statuses in turn, repeating the last. 0 means no response. */
type Receiver = { url: string; bodies: string[]; server: Server }
const receivers: Receiver[] = []

const receive = async (...statuses: number[]): Promise<Receiver> => {
  const bodies: string[] = []
  const answer = (response: ServerResponse) => {
    const status = statuses[Math.min(bodies.length, statuses.length) - 1] ?? 200
    if (status > 0) response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bodies.push(String(chunk))
      answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies, server }
  receivers.push(receiver)
  return receiver
}

const outcomes = async (): Promise<string[]> => {
  const lines = (await metrics.text()).split('\n')
  return lines.filter(line => line.startsWith('heliograph_webhook_calls_total{'))
}

const outcome = (name: string, count: number) => `heliograph_webhook_calls_total{outcome="${name}"} ${count}`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-'))
  opened = open()
})
afterEach(async () => {
  await close(opened)
  for (const { server } of receivers.splice(0)) server.close().closeAllConnections()
  await rm(folder, { recursive: true })
})

test('calls each webhook of a topic with the topic only', async () => {
  const [one, two, other] = [await receive(), await receive(), await receive()]
  await opened.webhooks.register({ topic: 'a', webhook: one.url }, trusted)
  await opened.webhooks.register({ topic: 'a', webhook: two.url }, trusted)
  await opened.webhooks.register({ topic: 'b', webhook: other.url }, trusted)
  opened.webhooks.notify('a')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('delivered', 2)]))
  expect([one.bodies, two.bodies, other.bodies]).toEqual([['{"topic":"a"}'], ['{"topic":"a"}'], []])
})

test('registering twice has no further effect, and a topic has a limited number of webhooks', async () => {
  const one = await receive()
  await opened.webhooks.register({ topic: 'a', webhook: one.url }, trusted)
  await opened.webhooks.register({ topic: 'a', webhook: one.url }, trusted)
  await opened.webhooks.register({ topic: 'a', webhook: `${one.url}2` }, trusted)
  await expect(opened.webhooks.register({ topic: 'a', webhook: `${one.url}3` }, trusted)).rejects.toThrow(
    'body.webhook: a topic has at most 2 webhooks',
  )
  await opened.webhooks.register({ topic: 'b', webhook: one.url }, trusted)
  await opened.webhooks.register({ topic: 'c', webhook: one.url }, trusted)
  await expect(opened.webhooks.register({ topic: 'd', webhook: one.url }, trusted)).rejects.toThrow(
    'body.topic: at most 3 topics have webhooks',
  )
})

test('keeps simultaneous registrations, also across a restart', async () => {
  const [one, two] = [await receive(), await receive()]
  await Promise.all([one, two].map(({ url }) => opened.webhooks.register({ topic: 'a', webhook: url }, trusted)))
  await close(opened)
  opened = open()
  opened.webhooks.notify('a')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('delivered', 2)]))
})

test('retries a failing target until the call is delivered', async () => {
  const flaky = await receive(500, 503, 200)
  await opened.webhooks.register({ topic: 'a', webhook: flaky.url }, trusted)
  opened.webhooks.notify('a')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('failed', 2), outcome('delivered', 1)]))
  expect(flaky.bodies).toHaveLength(3)
})

test.each([400, 404, 307])('status %i is not retried', async status => {
  const refusing = await receive(status)
  await opened.webhooks.register({ topic: 'a', webhook: refusing.url }, trusted)
  opened.webhooks.notify('a')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('refused', 1)]))
  await close(opened)
  opened = open()
  const after = await receive()
  await opened.webhooks.register({ topic: 'b', webhook: after.url }, trusted)
  opened.webhooks.notify('b')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('delivered', 1)]))
  expect(refusing.bodies).toHaveLength(1)
})

test('makes a queued call after a restart', async () => {
  const late = await receive(0, 200)
  await opened.webhooks.register({ topic: 'a', webhook: late.url }, trusted)
  opened.webhooks.notify('a')
  await eventually(() => expect(late.bodies).toHaveLength(1))
  await close(opened)
  opened = open()
  await eventually(async () => expect(await outcomes()).toEqual([outcome('delivered', 1)]))
  expect(late.bodies).toEqual(['{"topic":"a"}', '{"topic":"a"}'])
})

test('a hanging target does not delay others, and its queue is limited', async () => {
  const [hanging, quick] = [await receive(0), await receive()]
  await opened.webhooks.register({ topic: 'a', webhook: hanging.url }, trusted)
  await opened.webhooks.register({ topic: 'b', webhook: quick.url }, trusted)
  for (let call = 0; call < 30; call++) await opened.webhooks.notify('a')
  opened.webhooks.notify('b')
  await eventually(() => expect(quick.bodies).toHaveLength(1))
  expect(hanging.bodies.length).toBeLessThanOrEqual(4)
  // The receiver has the call before the queue has its response, so the metric changes a little later.
  await eventually(async () => expect(await metrics.text()).toContain('heliograph_webhook_calls 20\n'))
})

test('status 410 removes the webhook, also across a restart', async () => {
  const [gone, other] = [await receive(410), await receive()]
  await opened.webhooks.register({ topic: 'a', webhook: gone.url }, trusted)
  await opened.webhooks.register({ topic: 'a', webhook: other.url }, trusted)
  await opened.webhooks.register({ topic: 'b', webhook: gone.url }, trusted)
  opened.webhooks.notify('a')
  await eventually(async () =>
    expect((await outcomes()).toSorted()).toEqual([outcome('delivered', 1), outcome('gone', 1)]),
  )
  await close(opened)
  opened = open()
  opened.webhooks.notify('a')
  await eventually(async () => expect(await outcomes()).toEqual([outcome('delivered', 1)]))
  expect(gone.bodies).toHaveLength(1)
  expect(opened.webhooks.notify('b')).toBeDefined()
})

test('notify returns undefined for a topic without webhooks', () => {
  expect(opened.webhooks.notify('a')).toBeUndefined()
})

test('limits the bytes of webhooks and topics', async () => {
  await opened.webhooks.register({ topic: 'a', webhook: `https://example.com/${'x'.repeat(900)}` }, trusted)
  await expect(
    opened.webhooks.register({ topic: 'a', webhook: `https://example.com/${'y'.repeat(100)}` }, trusted),
  ).rejects.toThrow('body.webhook: webhooks and topics have at most 1000 bytes together')
})

test('POST /subscribe answers {"success":true}, and explains what is wrong with a target', async () => {
  const post = registrationRoute(opened.webhooks, sharesOf(), {
    webhookToken: undefined,
    webhookRegistration: 'loopback',
  })
  const head = { method: 'POST', path: '/subscribe', query: new URLSearchParams(), headers: new Map(), caller: local }
  const reply = await post({ ...head, body: { topic: 'a', webhook: 'https://example.com/hook' } })
  expect([reply.status, reply.body]).toEqual([200, '{"success":true}'])
  const refused = async () => post({ ...head, body: { topic: 'a', webhook: 'https://10.0.0.1/' } })
  await expect(refused()).rejects.toThrow('body.webhook: must be at a public address')
  const incomplete = async () => post({ ...head, body: { webhook: 'https://example.com/' } })
  await expect(incomplete()).rejects.toThrow('body.topic: is missing')
})

test('with a webhook token, POST /subscribe requires it', async () => {
  const post = registrationRoute(opened.webhooks, sharesOf(), {
    webhookToken: 'let-me-in',
    webhookRegistration: 'loopback',
  })
  const body = { topic: 'a', webhook: 'https://example.com/hook' }
  const asked = async (authorization?: string) =>
    post({
      method: 'POST',
      path: '/subscribe',
      query: new URLSearchParams(),
      headers: new Map(authorization === undefined ? [] : [['authorization', authorization]]),
      caller: remote,
      body,
    })
  for (const wrong of [
    undefined,
    '',
    'let-me-in',
    'Bearer',
    'Bearer ',
    'Bearer let-me',
    'Bearer let-me-in2',
    'Basic let-me-in',
  ])
    await expect(asked(wrong)).rejects.toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  for (const right of ['Bearer let-me-in', 'bearer let-me-in']) expect((await asked(right)).status).toBe(200)
})

/** A receiver that echoes challenges once enabled. */
const receiveChallenges = async () => {
  const bodies: string[] = []
  const state = { echoes: false }
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bodies.push(`${chunk}`)
      response.end(state.echoes ? chunk : 'ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  receivers.push({ url, bodies, server })
  return { url, bodies, state }
}

const stranger = (shares = sharesOf(), key = '192.0.2.1') => ({
  payers: shares.accountOf('address', key).alone,
  isTrusted: false,
})
const challenges = (bodies: readonly string[]) => bodies.filter(body => /^\{"challenge":"[\w-]{43}"\}$/.test(body))

test('a target gets no calls until it has echoed a challenge, and then all calls, also across a restart', async () => {
  const target = await receiveChallenges()
  await opened.webhooks.register({ topic: 'a', webhook: target.url }, stranger())
  await eventually(async () => expect(await outcomes()).toEqual([outcome('unconfirmed', 1)]))
  expect(opened.webhooks.notify('a')).toBeUndefined()
  expect(target.bodies).toEqual(challenges(target.bodies))
  target.state.echoes = true
  await opened.webhooks.register({ topic: 'a', webhook: target.url }, stranger())
  await eventually(() => expect(target.bodies.at(-1)).toBe('{"topic":"a"}'))
  expect(challenges(target.bodies)).toHaveLength(2)
  await opened.webhooks.register({ topic: 'b', webhook: target.url }, stranger())
  await close(opened)
  opened = open()
  opened.webhooks.notify('b')
  await eventually(() => expect(target.bodies.at(-1)).toBe('{"topic":"b"}'))
  expect(challenges(target.bodies)).toHaveLength(2)
})

test('limits an address to its share without affecting others, also across a restart', async () => {
  await close(opened)
  const limits = { webhooks: 1, calls: 10 }
  let shares = sharesOf(limits)
  opened = open(shares)
  const webhook = 'https://push.example/hook'
  await opened.webhooks.register({ topic: 'a', webhook }, stranger(shares))
  await expect(opened.webhooks.register({ topic: 'b', webhook }, stranger(shares))).rejects.toMatchObject({
    status: 429,
    message: 'body.webhook: the share of your address is used up: 1 webhooks (address-webhooks)',
  })
  await opened.webhooks.register({ topic: 'a', webhook }, stranger(shares))
  await opened.webhooks.register({ topic: 'b', webhook }, stranger(shares, '192.0.2.2'))
  const { mark } = shares.accountOf('address', '192.0.2.1')
  await close(opened)
  shares = sharesOf(limits)
  opened = open(shares)
  expect(shares.accountOf('address', `#${mark}`).webhooks).toBe(1)
})

test('without a webhook token only this machine may register, unless registration is open', async () => {
  const body = { topic: 'a', webhook: 'https://push.example/hook' }
  const head = { method: 'POST', path: '/subscribe', query: new URLSearchParams(), headers: new Map(), body }
  const ask = (webhookRegistration: 'loopback' | 'open', caller = remote) =>
    registrationRoute(opened.webhooks, sharesOf(), { webhookToken: undefined, webhookRegistration })({
      ...head,
      caller,
    })
  await expect(ask('loopback')).rejects.toMatchObject({
    status: 403,
    message: expect.stringMatching(/set webhook-token, or set webhook-registration to open/),
  })
  expect((await ask('loopback', local)).status).toBe(200)
  expect((await ask('open')).status).toBe(200)
})

test('a URL registered from this machine needs no challenge, others do', async () => {
  const [near, far] = [await receiveChallenges(), await receiveChallenges()]
  const route = registrationRoute(opened.webhooks, sharesOf(), { webhookToken: undefined, webhookRegistration: 'open' })
  const head = { method: 'POST', path: '/subscribe', query: new URLSearchParams(), headers: new Map() }
  await route({ ...head, caller: local, body: { topic: 'a', webhook: near.url } })
  await route({ ...head, caller: remote, body: { topic: 'a', webhook: far.url } })
  opened.webhooks.notify('a')
  await eventually(() => expect(near.bodies).toEqual(['{"topic":"a"}']))
  await eventually(() => expect(challenges(far.bodies)).toHaveLength(1))
  expect(far.bodies).toHaveLength(1)
})
