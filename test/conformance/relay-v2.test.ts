/**
 * Requirements of v2 clients beyond the interface document: batches, fetching, the two calls that set up a session, and
 * refused connections. The tests use real sockets and raw frames.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { RelayConfig } from '../../relay-server/src/config.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { connectRelay, type RelayClient, socketUrl, tokenOf } from '../support/relay-client.ts'
import { isLocalStore, redisUrlOf } from '../support/store.ts'
import { newSeed, newTopic } from './unique-names.ts'

let folder: string
let relay: Running
/** Even on a busy machine, no message is pushed a second time. */
const common = { port: 0, logLevel: 'silent', redeliverySeconds: 600 } as const
const start = async (name: string, settings: Partial<RelayConfig> = {}): Promise<Running> => {
  const dataDir = join(folder, name)
  return startRelay({ ...common, ...settings, dataDir, redisUrl: await redisUrlOf(dataDir) })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-v2-'))
  relay = await start('data', { topicMessages: 600, clientTopics: 1000, messageBytes: 1000 })
})
afterAll(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

const named = (seed = newSeed()): Promise<RelayClient> => connectRelay(relay.url, seed)

const pushed = async (client: RelayClient) => {
  const push = await client.push()
  const { topic, message, tag } = push.params.data
  return { push, topic, message, tag }
}
const messageId = (message: string): string => createHash('sha256').update(message).digest('hex')
const closeAll = (...clients: RelayClient[]) => Promise.all(clients.map(client => client.close()))

describe('many in one call', () => {
  test.each(['irn', 'relay'])(
    '%s_batchSubscribe: the ids in the order of the topics, then the pushes',
    async prefix => {
      const [reader, writer] = [await named(), await named()]
      const topics = [newTopic(), newTopic(), newTopic()]
      for (const topic of topics) await writer.call('irn_publish', { topic, message: `for ${topic}`, ttl: 300 })
      const { result } = await reader.call(`${prefix}_batchSubscribe`, { topics })
      expect(result).toHaveLength(3)
      for (const [index, topic] of topics.entries())
        expect((await reader.call(`${prefix}_subscribe`, { topic })).result).toBe((result as string[])[index])
      const got = [await pushed(reader), await pushed(reader), await pushed(reader)]
      expect(got.map(({ message }) => message).sort()).toEqual(topics.map(topic => `for ${topic}`).sort())
      expect(JSON.parse(reader.frames[0] ?? '')).toHaveProperty('result')
      await closeAll(reader, writer)
    },
  )

  if (isLocalStore)
    test('batchSubscribe: at most 500 topics', async () => {
      const client = await named()
      const topics = Array.from({ length: 500 }, newTopic)
      const { result } = await client.call('irn_batchSubscribe', { topics })
      expect(new Set(result as string[]).size).toBe(500)
      const over = await client.call('irn_batchSubscribe', { topics: [...topics, newTopic()] })
      expect(over.error).toEqual({
        code: -32602,
        message: 'params.topics: must have at most 500 items',
        data: { reason: expect.any(String), values: expect.any(Object) },
      })
      await client.close()
    })

  test('batchUnsubscribe: by client and topic, with any ids', async () => {
    const [reader, writer] = [await named(), await named()]
    const topics = [newTopic(), newTopic()]
    await reader.call('irn_batchSubscribe', { topics })
    const subscriptions = [{ topic: topics[0], id: 'of its own making' }, { topic: topics[1] }]
    expect((await reader.call('irn_batchUnsubscribe', { subscriptions })).result).toBe(true)
    for (const topic of topics) await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })

  test('a v2 client with or without a key can omit the id, because the topic determines the subscription', async () => {
    const [reader, writer] = [await connectRelay(relay.url), await named()]
    const topics = [newTopic(), newTopic()]
    await reader.call('irn_batchSubscribe', { topics })
    expect((await reader.call('irn_unsubscribe', { topic: topics[0] })).result).toBe(true)
    const subscriptions = [{ topic: topics[1] }]
    expect((await reader.call('irn_batchUnsubscribe', { subscriptions })).result).toBe(true)
    for (const topic of topics) await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })

  test('batchUnsubscribe without a key: one wrong id, and no subscription ends', async () => {
    const [reader, writer] = [await connectRelay(relay.url), await named()]
    const topics = [newTopic(), newTopic()]
    const { result: ids } = await reader.call('relay_batchSubscribe', { topics })
    const [first] = ids as string[]
    const subscriptions = topics.map(topic => ({ topic, id: first }))
    const { error } = await reader.call('relay_batchUnsubscribe', { subscriptions })
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^params\.subscriptions\[1\]\.id: /) })
    for (const topic of topics) await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    const got = [await pushed(reader), await pushed(reader)]
    expect(got.map(({ topic }) => topic).sort()).toEqual(topics)
    await closeAll(reader, writer)
  })

  test('batchPublish: in order, and all or none', async () => {
    const [reader, writer] = [await named(), await named()]
    const topic = newTopic()
    await reader.call('irn_subscribe', { topic })
    const messages = ['a', 'b', 'c'].map(message => ({ topic, message, ttl: 300, tag: 7 }))
    expect((await writer.call('irn_batchPublish', { messages })).result).toBe(true)
    const got = [await pushed(reader), await pushed(reader), await pushed(reader)]
    expect(got.map(({ message, tag }) => [message, tag])).toEqual([
      ['a', 7],
      ['b', 7],
      ['c', 7],
    ])
    const long = { topic, message: 'x'.repeat(1001), ttl: 300 }
    const { error } = await writer.call('irn_batchPublish', { messages: [{ topic, message: 'd', ttl: 300 }, long] })
    expect(error?.message).toBe('params.messages[1].message: is longer than 1000 bytes (message-bytes)')
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })
})

describe('a mailbox without pushes', () => {
  test('fetching returns stored messages without removing them; a receipt removes them', async () => {
    const seed = newSeed()
    const [before, writer] = [await named(seed), await named()]
    const topics = [newTopic(), newTopic()]
    const [topic = '', other = ''] = topics
    await before.call('irn_batchSubscribe', { topics })
    await before.close()
    for (const message of ['a', 'é "b"']) await writer.call('irn_publish', { topic, message, ttl: 300, tag: 1108 })
    await writer.call('irn_publish', { topic: other, message: 'c', ttl: 300, attestation: 'proof' })

    const reader = await named(seed)
    // Without `attestation`, a JavaScript wallet asks a third party about the message.
    const item = (topic: string, message: string, tag: number, attestation = '') => ({
      topic,
      message,
      publishedAt: expect.any(Number),
      tag,
      attestation,
    })
    const ofTopic = { messages: [item(topic, 'a', 1108), item(topic, 'é "b"', 1108)], hasMore: false }
    expect((await reader.call('irn_fetchMessages', { topic })).result).toEqual(ofTopic)
    expect((await reader.call('irn_fetchMessages', { topic })).result).toEqual(ofTopic)
    expect((await reader.call('irn_batchFetchMessages', { topics })).result).toEqual({
      messages: [...ofTopic.messages, item(other, 'c', 0, 'proof')],
      hasMore: false,
    })
    const receipts = [
      { topic, messageId: messageId('é "b"') },
      { topic, messageId: messageId('never sent') },
      { topic: other, messageId: messageId('a') },
    ]
    expect((await reader.call('irn_batchReceive', { receipts })).result).toBe(true)
    await reader.call('irn_batchSubscribe', { topics })
    const got = [await pushed(reader), await pushed(reader)]
    expect(got.map(({ message }) => message).sort()).toEqual(['a', 'c'])
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })

  test('a client gets neither messages of others nor its own', async () => {
    const [reader, writer, stranger] = [await named(), await named(), await named()]
    const topic = newTopic()
    for (const client of [reader, writer]) await client.call('irn_subscribe', { topic })
    await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    for (const client of [writer, stranger])
      expect((await client.call('irn_fetchMessages', { topic })).result).toEqual({ messages: [], hasMore: false })
    const receipts = [{ topic, messageId: messageId('m') }]
    expect((await stranger.call('irn_batchReceive', { receipts })).result).toBe(true)
    expect((await reader.call('irn_fetchMessages', { topic })).result).toMatchObject({ messages: [{ message: 'm' }] })
    await closeAll(reader, writer, stranger)
  })

  test('a response that cannot hold all messages has hasMore, and the rest follow after a receipt', async () => {
    const seed = newSeed()
    const [reader, writer] = [await named(seed), await named()]
    const topic = newTopic()
    await reader.call('irn_subscribe', { topic })
    await reader.close()
    const sent = Array.from({ length: 501 }, (_, index) => `m${index}`)
    const letters = sent.map(message => ({ topic, message, ttl: 300 }))
    await writer.call('irn_batchPublish', { messages: letters.slice(0, 500) })
    await writer.call('irn_batchPublish', { messages: letters.slice(500) })
    const again = await named(seed)
    const fetch = async () => {
      const { result } = await again.call('irn_fetchMessages', { topic })
      const { messages, hasMore } = result as { messages: { message: string }[]; hasMore: boolean }
      return { texts: messages.map(({ message }) => message), hasMore }
    }
    expect(await fetch()).toEqual({ texts: sent.slice(0, 500), hasMore: true })
    const receipts = sent.slice(0, 500).map(message => ({ topic, messageId: messageId(message) }))
    expect((await again.call('irn_batchReceive', { receipts })).result).toBe(true)
    expect(await fetch()).toEqual({ texts: ['m500'], hasMore: false })
    await closeAll(again, writer)
  })
})

describe('wc_proposeSession and wc_approveSession', () => {
  let full: Running
  beforeAll(async () => {
    full = await start('full', { topicMessages: 1 })
  })
  afterAll(() => full.stop())

  const propose = (client: RelayClient, pairingTopic: string) =>
    client.call('wc_proposeSession', { pairingTopic, sessionProposal: 'proposal', ttl: 300, correlationId: 1 })
  const approve = (client: RelayClient, pairingTopic: string, sessionTopic: string) =>
    client.call('wc_approveSession', {
      sessionTopic,
      pairingTopic,
      sessionProposalResponse: 'response',
      sessionSettlementRequest: 'settlement',
      ttl: 300,
      correlationId: 1,
      approvedChains: ['eip155:1'],
      approvedMethods: ['personal_sign'],
      approvedEvents: [],
      sessionProperties: null,
    })

  test('a session is settled, and the only subscription is the dApp’s to the session', async () => {
    const [dapp, wallet] = [await named(), await named()]
    const [pairing, session] = [newTopic(), newTopic()]
    expect((await propose(dapp, pairing)).result).toBe(true)
    await wallet.call('irn_subscribe', { topic: pairing })
    const proposal = await pushed(wallet)
    expect(proposal).toMatchObject({ topic: pairing, message: 'proposal', tag: 1100 })
    wallet.acknowledge(proposal.push)
    expect((await approve(wallet, pairing, session)).result).toBe(true)
    const response = await pushed(dapp)
    expect(response).toMatchObject({ topic: pairing, message: 'response', tag: 1101 })
    expect(response.push.method).toBe('irn_subscription')
    dapp.acknowledge(response.push)
    await dapp.call('irn_subscribe', { topic: session })
    const settlement = await pushed(dapp)
    expect(settlement).toMatchObject({ topic: session, message: 'settlement', tag: 1102 })
    dapp.acknowledge(settlement.push)
    await dapp.call('irn_publish', { topic: session, message: 'settled', ttl: 300, tag: 1103 })
    expect(await pushed(wallet)).toMatchObject({ topic: session, message: 'settled', tag: 1103 })
    expect([await dapp.rest(), await wallet.rest()]).toEqual([[], []])
    await closeAll(dapp, wallet)
  })

  test('the response comes before any push caused by the call', async () => {
    const [dapp, wallet] = [await named(), await named()]
    const pairing = newTopic()
    await wallet.call('irn_publish', { topic: pairing, message: 'early', ttl: 300 })
    await propose(dapp, pairing)
    expect((await pushed(dapp)).message).toBe('early')
    expect(dapp.frames.map(frame => 'result' in JSON.parse(frame))).toEqual([true, false])
    await closeAll(dapp, wallet)
  })

  test('a repeated call returns true and sends nothing twice', async () => {
    const seed = newSeed()
    const [dapp, wallet] = [await named(), await named(seed)]
    const [pairing, session] = [newTopic(), newTopic()]
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await propose(dapp, pairing)).result).toBe(true)
      expect((await approve(wallet, pairing, session)).result).toBe(true)
    }
    await wallet.close()
    const again = await named(seed)
    expect((await approve(again, pairing, session)).result).toBe(true)
    expect(await pushed(dapp)).toMatchObject({ message: 'response' })
    await dapp.call('irn_subscribe', { topic: session })
    expect(await pushed(dapp)).toMatchObject({ message: 'settlement' })
    expect(await dapp.rest()).toEqual([])
    await again.call('irn_subscribe', { topic: pairing })
    expect(await pushed(again)).toMatchObject({ message: 'proposal' })
    expect(await again.rest()).toEqual([])
    await closeAll(dapp, again)
  })

  test('a refused message leaves no partial approval', async () => {
    const [dapp, wallet] = [await connectRelay(full.url, newSeed()), await connectRelay(full.url, newSeed())]
    const [pairing, session] = [newTopic(), newTopic()]
    await dapp.call('irn_batchSubscribe', { topics: [pairing, session] })
    await wallet.call('irn_publish', { topic: session, message: 'in the way', ttl: 300 })
    const inTheWay = await dapp.push()
    const { error } = await approve(wallet, pairing, session)
    expect(error).toEqual({
      code: -32005,
      message: 'a topic holds at most 1 messages (topic-messages)',
      data: { reason: 'topicMessages', values: { limit: 1, setting: 'topic-messages' } },
    })
    expect(await dapp.rest()).toEqual([])
    dapp.acknowledge(inTheWay)
    await dapp.call('none', {})
    expect((await approve(wallet, pairing, session)).result).toBe(true)
    const got = [await pushed(dapp), await pushed(dapp)]
    expect(got.map(({ message }) => message).sort()).toEqual(['response', 'settlement'])
    await closeAll(dapp, wallet)
  })

  test('a client refused because its mailbox is full can fetch its messages and is accepted afterwards', async () => {
    const [dapp, other] = [await connectRelay(full.url, newSeed()), await connectRelay(full.url, newSeed())]
    const pairing = newTopic()
    await other.call('irn_publish', { topic: pairing, message: 'in the way', ttl: 300 })
    const { error } = await propose(dapp, pairing)
    expect(error).toEqual({
      code: -32005,
      message: 'a topic holds at most 1 messages (topic-messages)',
      data: { reason: 'topicMessages', values: { limit: 1, setting: 'topic-messages' } },
    })
    const inTheWay = await pushed(dapp)
    expect(inTheWay.message).toBe('in the way')
    dapp.acknowledge(inTheWay.push)
    expect((await propose(dapp, pairing)).result).toBe(true)
    await closeAll(dapp, other)
  })

  test.each([
    ['wc_proposeSession', { pairingTopic: 'p', sessionProposal: 'm' }, 'params.pairingTopic: '],
    [
      'wc_proposeSession',
      { pairingTopic: newTopic(), sessionProposal: 'x'.repeat(1001) },
      'params.sessionProposal: is ',
    ],
    [
      'wc_approveSession',
      { pairingTopic: newTopic(), sessionTopic: newTopic() },
      'params.sessionProposalResponse: is ',
    ],
  ])('%s with wrong params gets an error that names the invalid member', async (method, params, words) => {
    const client = await named()
    expect((await client.call(method, params)).error?.message).toMatch(words)
    await client.close()
  })

  test.each(['irn_proposeSession', 'irn_wc_proposeSession', 'wc_publish', 'publish', 'wc_constructor'])(
    'the method %s does not exist',
    async method => {
      const client = await named()
      expect((await client.call(method, {})).error?.code).toBe(-32601)
      await client.close()
    },
  )
})

if (isLocalStore)
  describe('checks of connections', () => {
    const attempt = async (url: string, query: Record<string, string>, headers: Record<string, string> = {}) => {
      const socket = new WebSocket(socketUrl(url, query), { headers })
      const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
        let body = ''
        for await (const chunk of response) body += chunk
        return [response.statusCode, JSON.parse(body).error]
      })
      const closed = once(socket, 'close').then(([code, reason]) => [code, `${reason}`])
      socket.on('error', () => undefined)
      return Promise.race([refused, closed])
    }

    test('project, token and origin are checked in this order, over HTTP or in a close frame', async () => {
      const strict = await start('strict', {
        auth: 'required',
        projectIds: ['0123'],
        origins: ['https://app.example'],
        publicUrls: ['wss://relay.example'],
      })
      const evil = { Origin: 'https://evil.example' }
      const good = tokenOf(1, undefined, 'wss://relay.example')
      const cases: [query: Record<string, string>, status: number, reason: string][] = [
        [{}, 400, 'Project ID is missing'],
        [{ projectId: '4567' }, 403, 'Project not found'],
        [{ projectId: '0123' }, 401, 'JWT is missing'],
        [{ projectId: '0123', auth: tokenOf(1) }, 401, 'JWT aud is another relay'],
        [{ projectId: '0123', auth: good }, 403, 'Unauthorized: origin not allowed'],
      ]
      for (const [query, status, reason] of cases) {
        expect(await attempt(strict.url, query, evil)).toEqual([status, reason])
        expect(await attempt(strict.url, { ...query, useOnCloseEvent: 'true' }, evil)).toEqual([3000, reason])
      }
      const welcome = new WebSocket(socketUrl(strict.url, { projectId: '0123', auth: good }), {
        headers: { Origin: 'https://app.example' },
      })
      await once(welcome, 'open')
      welcome.close()
      await strict.stop()
    })
  })
