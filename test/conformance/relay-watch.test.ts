/** Watches of a client, against a running relay and a receiver that knows only the relay's public key. */
import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import type { Running } from '@heliograph/shared/server/transport/service'
import { decodeDidKey, encodeDidKey } from '@heliograph/shared/wire/did-key'
import { encodeJwt } from '@heliograph/shared/wire/relay-auth'
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startRelay } from '../../relay-server/src/server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { redisUrlOf } from '../support/store.ts'

const ANN = 1
const BEN = 2
const TAG = 1108
const SERVICE = 'https://push.example'

let folder: string
let relay: Running
let receiver: Receiver
let lastTopic = 0
const clients: RelayClient[] = []

const start = async () =>
  startRelay({
    port: 0,
    logLevel: 'silent',
    dataDir: folder,
    redisUrl: await redisUrlOf(folder),
    webhookAllow: [parseRange('127.0.0.1')],
    publicUrls: ['wss://relay.example'],
    clientWatches: 3,
  })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-watch-'))
  receiver = await startReceiver()
  relay = await start()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await relay.stop()
  await receiver.close()
  await rm(folder, { recursive: true })
})

const connect = async (seed?: number): Promise<RelayClient> => {
  const client = await connectRelay(relay.url, seed, 'wss://relay.example')
  clients.push(client)
  return client
}

const keyOf = (seed: number) => new Uint8Array(32).fill(seed)
const clientId = (seed: number) => encodeDidKey(ed25519.getPublicKey(keyOf(seed)))
const freshTopic = () => (++lastTopic).toString(16).padStart(64, '0')

type Changes = Readonly<Record<string, unknown>>

const auth = (seed: number, act: string, changes: Changes = {}, signer = seed): string => {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    act,
    typ: 'subscriber',
    iss: clientId(seed),
    aud: 'wss://relay.example',
    sub: SERVICE,
    whu: `${receiver.url}watch`,
    iat,
    exp: iat + 600,
    tag: [TAG],
    sts: ['accepted', 'queued', 'delivered'],
    ...changes,
  }
  return encodeJwt(claims, signed => ed25519.sign(signed, keyOf(signer)))
}

const register = (client: RelayClient, seed: number, changes: Changes = {}, prefix = 'irn') =>
  client.call(`${prefix}_watchRegister`, { registerAuth: auth(seed, 'irn_watchRegister', changes) })
const unregister = (client: RelayClient, seed: number, changes: Changes = {}, prefix = 'irn') =>
  client.call(`${prefix}_watchUnregister`, {
    unregisterAuth: auth(seed, 'irn_watchUnregister', { exp: undefined, ...changes }),
  })
const publish = (client: RelayClient, topic: string, message: string, more: Changes = {}) =>
  client.call('irn_publish', { topic, message, ttl: 300, tag: TAG, prompt: false, ...more })

const publicKey = async (): Promise<{ did: string; publicKey: string }> =>
  (await fetch(`${relay.url}/public-key`)).json()

type Event = {
  iss: string
  aud: string
  sub: string
  typ: string
  whu: string
  act: string
  iat: number
  evt: Record<'messageId' | 'status' | 'topic' | 'message' | 'attestation' | 'publishedAt' | 'tag', unknown>
}

/** Returns the claims of the next call. Checks that the key which the relay publishes signed its JWT. */
const nextEvent = async (): Promise<Event> => {
  const { body } = await receiver.next()
  const { eventAuth, ...rest } = JSON.parse(body)
  expect([eventAuth.length, rest]).toEqual([1, {}])
  const [header, payload, signature] = eventAuth[0].split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'EdDSA', typ: 'JWT' })
  const x = Buffer.from((await publicKey()).publicKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

const events = async (count: number): Promise<Event[]> => {
  const found: Event[] = []
  while (found.length < count) found.push(await nextEvent())
  return found
}

const briefly = ({ typ, sub, evt }: Event) => [typ, sub, evt.status, evt.message].join(' ')

describe('irn_watchRegister {registerAuth: JWT} → {relayId}', () => {
  test.each(relayPrefixes)('%s_watchRegister and %s_watchUnregister exist', async prefix => {
    const client = await connect()
    expect((await register(client, ANN, {}, prefix)).result).toEqual({ relayId: (await publicKey()).did })
    expect((await unregister(client, ANN, {}, prefix)).result).toBe(true)
  })

  test('GET /public-key gives the relay’s did:key, which survives a restart', async () => {
    const before = await publicKey()
    expect(Buffer.from(decodeDidKey(before.did)).toString('hex')).toBe(before.publicKey)
    await relay.stop()
    relay = await start()
    expect(await publicKey()).toEqual(before)
  })

  test.each([
    ['a text that is not a token', 'x', 3000],
    ['a token for another act', () => auth(ANN, 'irn_watchUnregister'), -32602],
    ['a token that another client signed', () => auth(ANN, 'irn_watchRegister', {}, BEN), 3000],
    ['a token for another relay', () => auth(ANN, 'irn_watchRegister', { aud: 'wss://other.example' }), 3000],
    [
      'a token that has expired',
      () => auth(ANN, 'irn_watchRegister', { iat: 1_700_000_000, exp: 1_700_000_001 }),
      3000,
    ],
    [
      'more than 30 days',
      () => auth(ANN, 'irn_watchRegister', { exp: Math.floor(Date.now() / 1000) + 2_592_900 }),
      -32602,
    ],
    [
      'a URL of more than 256 characters',
      () => auth(ANN, 'irn_watchRegister', { whu: `${receiver.url}${'x'.repeat(256)}` }),
      -32602,
    ],
    [
      'a URL at an address that is not allowed',
      () => auth(ANN, 'irn_watchRegister', { whu: 'http://10.0.0.1/' }),
      -32602,
    ],
    ['an unknown status', () => auth(ANN, 'irn_watchRegister', { sts: ['lost'] }), -32602],
    ['an unknown side', () => auth(ANN, 'irn_watchRegister', { typ: 'both' }), -32602],
  ])('%s is refused', async (_, token, code) => {
    const client = await connect()
    const { error } = await client.call('irn_watchRegister', {
      registerAuth: typeof token === 'string' ? token : token(),
    })
    expect(error?.code).toBe(code)
    expect(JSON.stringify(error)).not.toContain('10.0.0.1')
  })

  test('a client has a maximum number of watches; registering one again replaces it', async () => {
    const client = await connect()
    for (const path of ['1', '2', '3', '3']) {
      const { result } = await register(client, ANN, { whu: `${receiver.url}${path}` })
      expect(result).toBeDefined()
    }
    const { error } = await register(client, ANN, { whu: `${receiver.url}4` })
    expect(error).toEqual({
      code: -32005,
      message: 'a client has at most 3 watches (client-watches)',
      data: { reason: 'clientWatches', values: { limit: 3, setting: 'client-watches' } },
    })
    expect((await register(client, BEN)).result).toBeDefined()
  })
})

describe('POST whu {"eventAuth":[jwt]}', () => {
  test('publisher: accepted, with evt {messageId,status,topic,message,attestation,publishedAt,tag} signed by the relay', async () => {
    const ann = await connect(ANN)
    const topic = freshTopic()
    await register(ann, ANN, { typ: 'publisher' })
    await publish(ann, topic, 'é "sealed"', { attestation: 'proof' })
    const event = await nextEvent()
    const relayId = (await publicKey()).did
    const now = Math.floor(Date.now() / 1000)
    expect(event).toEqual({
      act: 'irn_watchEvent',
      iss: relayId,
      iat: expect.any(Number),
      typ: 'publisher',
      aud: SERVICE,
      sub: clientId(ANN),
      whu: `${receiver.url}watch`,
      evt: {
        messageId: expect.any(Number),
        status: 'accepted',
        topic,
        message: 'é "sealed"',
        attestation: 'proof',
        publishedAt: expect.any(Number),
        tag: TAG,
      },
    })
    expect(Math.abs(event.iat - now)).toBeLessThan(120)
    expect(receiver.received[0]).toMatchObject({ path: '/watch', headers: { 'content-type': 'application/json' } })
  })

  test('offline subscriber: accepted and queued; a receipt with the message id of the event counts as delivery', async () => {
    const [ann, ben] = [await connect(ANN), await connect(BEN)]
    const topic = freshTopic()
    await ben.call('irn_subscribe', { topic })
    await ben.close()
    await register(ann, BEN)
    await publish(ann, topic, 'm')
    const [one, two] = await events(2)
    expect([one, two].map(event => event && briefly(event)).toSorted()).toEqual([
      `subscriber ${clientId(BEN)} accepted m`,
      `subscriber ${clientId(BEN)} queued m`,
    ])
    const back = await connect(BEN)
    const receipts = [{ topic, messageId: one?.evt.messageId }]
    expect((await back.call('irn_batchReceive', { receipts })).result).toBe(true)
    expect(briefly(await nextEvent())).toBe(`subscriber ${clientId(BEN)} delivered m`)
    expect((await back.call('irn_fetchMessages', { topic })).result).toEqual({ messages: [], hasMore: false })
  })

  test('online subscriber: accepted, and delivered once it acknowledges', async () => {
    const [ann, ben] = [await connect(ANN), await connect(BEN)]
    const topic = freshTopic()
    await register(ben, BEN)
    await ben.call('irn_subscribe', { topic })
    await publish(ann, topic, 'm')
    expect(briefly(await nextEvent())).toBe(`subscriber ${clientId(BEN)} accepted m`)
    ben.acknowledge(await ben.push())
    const delivered = await nextEvent()
    expect(briefly(delivered)).toBe(`subscriber ${clientId(BEN)} delivered m`)
    expect(delivered.evt.attestation).toBeNull()
    expect(receiver.received).toHaveLength(2)
  })

  test('proposing and approving a session count as publishes', async () => {
    const [ann, ben] = [await connect(ANN), await connect(BEN)]
    const [pairingTopic, sessionTopic] = [freshTopic(), freshTopic()]
    await register(ann, ANN, { typ: 'publisher', tag: [1100] })
    await register(ann, ANN, { tag: [1101, 1102], sts: ['accepted'] })
    await ann.call('wc_proposeSession', { pairingTopic, sessionProposal: 'proposal', ttl: 300 })
    expect(briefly(await nextEvent())).toBe(`publisher ${clientId(ANN)} accepted proposal`)
    await ben.call('irn_subscribe', { topic: pairingTopic })
    await ben.call('wc_approveSession', {
      pairingTopic,
      sessionTopic,
      sessionProposalResponse: 'response',
      sessionSettlementRequest: 'settlement',
      ttl: 300,
    })
    expect(briefly(await nextEvent())).toBe(`subscriber ${clientId(ANN)} accepted response`)
  })

  test('other tags and statuses, and clients without a watch, cause no event', async () => {
    const [ann, ben] = [await connect(ANN), await connect(BEN)]
    const topic = freshTopic()
    await register(ben, BEN, { sts: ['delivered'] })
    await ben.call('irn_subscribe', { topic })
    await publish(ann, topic, 'another tag', { tag: TAG + 1 })
    await publish(ann, topic, 'm')
    for (let count = 0; count < 2; count++) ben.acknowledge(await ben.push())
    expect(briefly(await nextEvent())).toBe(`subscriber ${clientId(BEN)} delivered m`)
    expect(receiver.received).toHaveLength(1)
  })

  test('a watch survives a restart; once unregistered or expired, it gets no more events', async () => {
    const first = await connect(ANN)
    const topic = freshTopic()
    await register(first, ANN, { typ: 'publisher' })
    await register(first, BEN, { typ: 'publisher' })
    await first.close()
    await relay.stop()
    relay = await start()
    const [ann, ben] = [await connect(ANN), await connect(BEN)]
    await publish(ann, topic, 'one')
    expect(briefly(await nextEvent())).toBe(`publisher ${clientId(ANN)} accepted one`)
    const iat = Math.floor(Date.now() / 1000)
    await register(ann, ANN, { typ: 'publisher', exp: iat - 1 })
    await publish(ann, topic, 'over')
    expect((await unregister(ben, BEN, { typ: 'publisher' })).result).toBe(true)
    expect((await unregister(ben, BEN, { typ: 'publisher' })).result).toBe(true)
    await publish(ben, topic, 'ended')
    await register(ann, ANN, { typ: 'publisher' })
    await publish(ann, topic, 'last')
    expect(briefly(await nextEvent())).toBe(`publisher ${clientId(ANN)} accepted last`)
    expect(receiver.received).toHaveLength(2)
  })
})
