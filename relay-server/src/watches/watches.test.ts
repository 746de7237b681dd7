import { valueErrorsOf } from '@heliograph/shared/evm/value-error'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { serverReasons } from '@heliograph/shared/server/reasons'
import type { CallRequest } from '@heliograph/shared/server/webhooks/queue'
import { openSigningKey } from '@heliograph/shared/server/webhooks/signing-key'
import { encodeDidKey } from '@heliograph/shared/wire/did-key'
import { encodeJwt } from '@heliograph/shared/wire/relay-auth'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Client, Mailbox, Publication } from '../mailbox/mailbox.ts'
import { messageIdOf, messageNumberOf } from '../mailbox/message-id.ts'
import { openTemporaryMailbox, type TemporaryMailbox } from '../temporary-mailbox.fixture.ts'
import { openWatchRegistry } from './registry.ts'
import { createReports, type Reports } from './reports.ts'
import { createWatches, type Watches } from './watches.ts'

const TOPIC = 'ab'.repeat(32)
const now = Math.floor(Date.now() / 1000)

const keyOf = (seed: number) => new Uint8Array(32).fill(seed)
const clientOf = (seed: number) => encodeDidKey(ed25519.getPublicKey(keyOf(seed)))
const ann = clientOf(1)
const ben = clientOf(2)

let opened: TemporaryMailbox
let mailbox: Mailbox
let watches: Watches
let reports: Reports
let live: Set<Client>
let calls: CallRequest[]
let cancelled: string[]

beforeEach(async () => {
  opened = await openTemporaryMailbox()
  const { folder, store, mailbox: stored } = opened
  calls = []
  cancelled = []
  live = new Set()
  const log = createLog('test', 'silent')
  const webhooks = {
    call: async (request: CallRequest) => {
      calls.push(request)
    },
    cancel: (registration: string) => {
      cancelled.push(registration)
    },
    refuseTarget: (url: string, place: string) => {
      if (url.includes('private')) throw valueErrorsOf(serverReasons)('targetNotPublic', { place })
    },
  }
  const registry = openWatchRegistry({
    tables: store,
    log,
    limits: { clientWatches: 64, watches: 100 },
    shares: sharesOf(),
  })
  watches = createWatches({ registry, webhooks, key: openSigningKey(folder), publicUrls: ['wss://relay.example'] })
  reports = createReports({ mailbox: stored, watches, isLive: client => live.has(client), log })
  mailbox = { ...stored, ...reports.recipients }
})
afterEach(() => opened.remove())

const tokenOf = (seed: number, claims: object, signer = seed) =>
  encodeJwt(
    {
      iss: clientOf(seed),
      aud: 'wss://relay.example',
      sub: 'https://push.example',
      whu: 'https://push.example/watch',
      iat: now,
      exp: now + 600,
      tag: [0, 1100],
      sts: ['accepted', 'queued', 'delivered'],
      act: 'irn_watchRegister',
      ...claims,
    },
    signed => ed25519.sign(signed, keyOf(signer)),
  )

const publication = (text: string, more: Partial<Publication> = {}): Publication => ({
  topic: TOPIC,
  json: JSON.stringify(text),
  size: text.length + 2,
  ttl: 300,
  tag: 0,
  attestation: '',
  ...more,
})

/** Resolves when the messages and their events are durable. */
const append = async (publisher: Client, ...publications: Publication[]) => {
  const { commit } = mailbox.append(publisher, publications)
  await Promise.all([commit.durable, reports.published(publisher, publications, commit)])
}

/** Returns the calls made since the last time, in a short form. */
const told = () =>
  calls.splice(0).map(({ content }) => {
    if (!('claims' in content)) throw new Error('a watch is told with claims')
    const { typ, sub, evt } = content.claims as { typ: string; sub: string; evt: { status: string; message: string } }
    return [sub === ann ? 'ann' : 'ben', typ, evt.status, evt.message]
  })

test('reports publishes of a watched publisher, with or without subscribers', async () => {
  await watches.register(tokenOf(1, { typ: 'publisher' }))
  await append(ann, publication('hello', { tag: 1100, attestation: 'proof' }))
  await append(ben, publication('other'))
  const [call] = calls
  expect(call).toMatchObject({ url: 'https://push.example/watch' })
  expect(call?.content).toEqual({
    claims: {
      act: 'irn_watchEvent',
      typ: 'publisher',
      aud: 'https://push.example',
      sub: ann,
      whu: 'https://push.example/watch',
      evt: {
        messageId: messageNumberOf(messageIdOf({ json: '"hello"' })),
        status: 'accepted',
        topic: TOPIC,
        message: 'hello',
        attestation: 'proof',
        publishedAt: expect.any(Number),
        tag: 1100,
      },
    },
  })
  expect(told()).toEqual([['ann', 'publisher', 'accepted', 'hello']])
})

test('reports messages accepted, queued and delivered for a watched subscriber', async () => {
  await watches.register(tokenOf(2, { typ: 'subscriber' }))
  await mailbox.subscribe(ben, TOPIC)
  await append(ann, publication('away'))
  expect(told()).toEqual([
    ['ben', 'subscriber', 'accepted', 'away'],
    ['ben', 'subscriber', 'queued', 'away'],
  ])
  live.add(ben)
  await append(ann, publication('here'))
  await append(ben, publication('its own'))
  expect(told()).toEqual([['ben', 'subscriber', 'accepted', 'here']])
  const waiting = await mailbox.read(ben, TOPIC, 0, 10)
  for (const { seq } of waiting) await mailbox.acknowledge(ben, TOPIC, seq)
  await mailbox.acknowledge(ben, TOPIC, waiting[0]?.seq ?? 0)
  expect(told()).toEqual([
    ['ben', 'subscriber', 'delivered', 'away'],
    ['ben', 'subscriber', 'delivered', 'here'],
  ])
  expect(await opened.mailbox.read(ben, TOPIC, 0, 10)).toEqual([])
})

test('a message without recipients is reported as accepted, once, when the first client subscribes', async () => {
  await watches.register(tokenOf(2, { typ: 'subscriber' }))
  await append(ann, publication('early'))
  expect(told()).toEqual([])
  live.add(ben)
  await mailbox.subscribe(ben, TOPIC)
  await mailbox.subscribe(ben, TOPIC)
  expect(told()).toEqual([['ben', 'subscriber', 'accepted', 'early']])
})

test('does not report statuses and tags that the client did not agree to', async () => {
  await watches.register(tokenOf(2, { typ: 'subscriber', sts: ['queued'], tag: [1108] }))
  await mailbox.subscribe(ben, TOPIC)
  await append(ann, publication('a', { tag: 1108 }), publication('b', { tag: 1109 }))
  expect(told()).toEqual([['ben', 'subscriber', 'queued', 'a']])
})

test('registering again replaces the watch, and unregistering ends it', async () => {
  const id = await watches.register(tokenOf(1, { typ: 'publisher', tag: [7] }))
  expect(await watches.register(tokenOf(1, { typ: 'publisher' }))).toBe(id)
  await watches.register(tokenOf(1, { typ: 'publisher', whu: 'https://push.example/other' }))
  await append(ann, publication('a'))
  const [first] = calls
  expect(told()).toHaveLength(2)
  await watches.unregister(tokenOf(1, { typ: 'publisher', act: 'irn_watchUnregister', exp: undefined }))
  expect(cancelled).toEqual([first?.registration])
  await append(ann, publication('b'))
  expect(calls.map(({ url }) => url)).toEqual(['https://push.example/other'])
})

test('does not report a message that the mailbox refuses later', async () => {
  await watches.register(tokenOf(1, { typ: 'publisher' }))
  const refused = { durable: Promise.reject(new Error('full')) }
  await reports.published(ann, [publication('a')], refused)
  await append(ann, publication('b'))
  expect(told()).toEqual([['ann', 'publisher', 'accepted', 'b']])
})

test('a repeated event is one call while it is queued', async () => {
  await watches.register(tokenOf(1, { typ: 'publisher' }))
  for (const text of ['a', 'a', 'b']) await append(ann, publication(text))
  const [first, again, other] = calls.map(({ key }) => key)
  expect(first).toBe(again)
  expect(first).not.toBe(other)
  expect(new Set(calls.map(({ registration }) => registration)).size).toBe(1)
})

test('refuses a token signed by another client or for another relay, and an address that may not be called', async () => {
  await expect(watches.register(tokenOf(1, { typ: 'publisher' }, 2))).rejects.toMatchObject({
    code: 3000,
    message: 'JWT signature does not match',
  })
  await expect(watches.register(tokenOf(1, { typ: 'publisher', aud: 'wss://other.example' }))).rejects.toThrow(
    'JWT aud is another relay',
  )
  await expect(watches.register(tokenOf(1, { typ: 'publisher', whu: 'https://private.example/' }))).rejects.toThrow(
    'params.registerAuth.whu: must be at a public address',
  )
  await watches.register(tokenOf(1, { typ: 'publisher', aud: 'https://relay.example/' }))
  await expect(watches.unregister(tokenOf(1, { typ: 'publisher', act: 'irn_watchUnregister' }, 2))).rejects.toThrow(
    'JWT signature does not match',
  )
  expect(watches.has(ann)).toBe(true)
})

test('does nothing without watches, and ignores clients without a key', async () => {
  expect(reports.published(ann, [publication('a')], { durable: Promise.resolve() })).toBeUndefined()
  await mailbox.subscribe(ben, TOPIC)
  await append(ann, publication('a'))
  const [message] = await mailbox.read(ben, TOPIC, 0, 1)
  await mailbox.acknowledge(ben, TOPIC, message?.seq ?? 0)
  await watches.register(tokenOf(1, { typ: 'subscriber' }))
  await append(ann, publication('b'))
  expect(calls).toEqual([])
})
