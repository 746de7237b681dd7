/**
 * The interface document's relay, row by row and rule by rule, against a running relay. Then the parts that the
 * document leaves open ("not shown"), above all the ten rules of the mailbox as a client sees them.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { RelayConfig } from '../../relay-server/src/config.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { connectRelay, type RelayClient, socketUrl, tokenOf } from '../support/relay-client.ts'
import { redisUrlOf } from '../support/store.ts'
import { newSeed, newTopic } from './unique-names.ts'

const settings: Partial<RelayConfig> = {
  port: 0,
  logLevel: 'silent',
  messageBytes: 1000,
  frameBytes: 10_000,
  topicMessages: 3,
  topicClients: 3,
  clientTopics: 50,
  // Redelivery is so late that no message is pushed a second time, even on a busy machine.
  redeliverySeconds: 600,
  webhookAllow: [parseRange('127.0.0.1')],
}

let folder: string
let relay: Running
const start = async (name: string, more: Partial<RelayConfig> = {}): Promise<Running> => {
  const dataDir = join(folder, name)
  return startRelay({ ...settings, ...more, dataDir, redisUrl: await redisUrlOf(dataDir) })
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-'))
  relay = await start('data')
})
afterAll(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

const named = (): Promise<RelayClient> => connectRelay(relay.url, newSeed())
const anonymous = (): Promise<RelayClient> => connectRelay(relay.url)

const publish = (client: RelayClient, topic: string, message: string, ttl = 300) =>
  client.call('relay_publish', { topic, message, ttl })

describe('§4.4 relay server HTTP API', () => {
  test('§4.4 GET /hello | none | 200, text/plain; charset=utf-8, a greeting of the form `<greeting text> <service_name> v2.0`', async () => {
    const response = await fetch(`${relay.url}/hello`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe('Hello World, this is Heliograph Relay v2.0')
  })

  test('§4.4 POST /subscribe | application/json {topic, webhook} | 200, application/json; charset=utf-8, {success: true}', async () => {
    const response = await fetch(`${relay.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic: 'a client id', webhook: 'https://push.example/hook' }),
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ success: true })
  })
})

describe('§4.3 relay server WebSocket API', () => {
  test('§4.3 relay_subscribe | client to server | topic: string | string: subscription id', async () => {
    const client = await anonymous()
    const { result } = await client.call('relay_subscribe', { topic: newTopic() })
    expect(result).toMatch(/^[0-9a-f]{64}$/)
    await client.close()
  })

  test('§4.3 relay_publish | client to server | topic: string, message: string, ttl: number | `true`', async () => {
    const client = await anonymous()
    expect(await publish(client, newTopic(), 'm')).toEqual({ id: 'call-1', jsonrpc: '2.0', result: true })
    await client.close()
  })

  test('§4.3 relay_subscription | server to client | id: string, data: {topic, message} | client answers with `true`, same `id`', async () => {
    const [reader, writer] = [await anonymous(), await anonymous()]
    const topic = newTopic()
    const { result: id } = await reader.call('relay_subscribe', { topic })
    await publish(writer, topic, 'm')
    const push = await reader.push()
    expect(push).toEqual({
      id: expect.any(Number),
      jsonrpc: '2.0',
      method: 'relay_subscription',
      params: { id, data: { topic, message: 'm' } },
    })
    reader.acknowledge(push)
    expect(await reader.rest()).toEqual([])
    await Promise.all([reader.close(), writer.close()])
  })

  test('§4.3 relay_unsubscribe | client to server | topic: string, id: string | `true`', async () => {
    const [reader, writer] = [await named(), await anonymous()]
    const topic = newTopic()
    const { result: id } = await reader.call('relay_subscribe', { topic })
    expect((await reader.call('relay_unsubscribe', { topic, id })).result).toBe(true)
    await publish(writer, topic, 'm')
    expect(await reader.rest()).toEqual([])
    await Promise.all([reader.close(), writer.close()])
  })

  test.each(['1', '1669822134456789123', '"1669822134456789123"', '"x"', '-1', '1.50', '0'])(
    '§4.3 each response carries the id of its request: %s, digit for digit',
    async id => {
      const client = await anonymous()
      client.send(
        `{"jsonrpc":"2.0","method":"relay_publish","params":{"topic":"${newTopic()}","message":"m","ttl":1},"id":${id}}`,
      )
      expect(await client.next()).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
      await client.close()
    },
  )

  test('§4.3 relay_subscription requests carry an id chosen by the server: a unique whole number below 2^53', async () => {
    const [reader, writer] = [await named(), await anonymous()]
    const topic = newTopic()
    await reader.call('relay_subscribe', { topic })
    for (const message of ['a', 'b', 'c']) await publish(writer, topic, message)
    const ids = [await reader.push(), await reader.push(), await reader.push()].map(({ id }) => id)
    expect(ids.every(Number.isSafeInteger)).toBe(true)
    expect(new Set(ids).size).toBe(3)
    await Promise.all([reader.close(), writer.close()])
  })

  test('§4.3 nor does an id repeat on a later socket of the client: iOS clients keep the ids they have seen, and drop repeats', async () => {
    const seed = newSeed()
    const [topic, writer] = [newTopic(), await anonymous()]
    const ids: number[] = []
    for (const message of ['a', 'b', 'c']) {
      const reader = await connectRelay(relay.url, seed)
      await reader.call('relay_subscribe', { topic })
      await publish(writer, topic, message)
      const push = await reader.push()
      ids.push(push.id)
      reader.acknowledge(push)
      await reader.close()
    }
    expect(new Set(ids).size).toBe(3)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    await writer.close()
  })
})

describe('§2 resources and their fields', () => {
  test('§2 Subscription: subscription id (string, returned by subscribe) bound to a topic', async () => {
    const client = await named()
    const [one, two] = [newTopic(), newTopic()]
    const ids = await Promise.all([one, two, one].map(topic => client.call('relay_subscribe', { topic })))
    expect(ids[0]?.result).toBe(ids[2]?.result)
    expect(ids[0]?.result).not.toBe(ids[1]?.result)
    await client.close()
  })

  test.each(['plain', 'quotes " and \\ and /', 'é ☀ 😀', '\u0000\u001f\u2028', '{"json":[1,2]}', 'x'.repeat(1000)])(
    '§2 Delivered message: topic string, message string, as published: %j',
    async message => {
      const [reader, writer] = [await named(), await anonymous()]
      const topic = `a topic of any text: é " \\ ${newTopic()}`
      const { result: id } = await reader.call('relay_subscribe', { topic })
      await publish(writer, topic, message)
      expect((await reader.push()).params).toEqual({ id, data: { topic, message } })
      await Promise.all([reader.close(), writer.close()])
    },
  )
})

describe('§5 authentication: not shown; a JWT is accepted and not required', () => {
  test('§5 without a token every connection is a separate client', async () => {
    const [one, two] = [await anonymous(), await anonymous()]
    const topic = newTopic()
    const ids = await Promise.all([one, two].map(client => client.call('relay_subscribe', { topic })))
    expect(ids[0]?.result).not.toBe(ids[1]?.result)
    await Promise.all([one.close(), two.close()])
  })

  test('§5 a bad token is refused with 401 and JSON, or with close code 3000 for clients that request it', async () => {
    const refused = new WebSocket(socketUrl(relay.url, { auth: 'x.y.z' }))
    const [, response] = await once(refused, 'unexpected-response')
    let body = ''
    for await (const chunk of response) body += chunk
    expect([response.statusCode, response.headers['content-type']]).toEqual([401, 'application/json; charset=utf-8'])
    expect(JSON.parse(body).error).toMatch(/^JWT /)
    const [code, reason] = await once(
      new WebSocket(socketUrl(relay.url, { auth: 'x.y.z', useOnCloseEvent: 'true' })),
      'close',
    )
    expect([code, `${reason}`]).toEqual([3000, JSON.parse(body).error])
  })

  test('§5 a token in the Authorization header names the same client as in the query', async () => {
    const seed = newSeed()
    const byQuery = await connectRelay(relay.url, seed)
    const topic = newTopic()
    const { result: id } = await byQuery.call('irn_subscribe', { topic })
    const byHeader = new WebSocket(socketUrl(relay.url), { headers: { Authorization: `Bearer ${tokenOf(seed)}` } })
    await once(byHeader, 'open')
    byHeader.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_subscribe', params: { topic } }))
    const [frame] = await once(byHeader, 'message')
    expect(JSON.parse(`${frame}`).result).toBe(id)
    byHeader.close()
    await byQuery.close()
  })
})

describe('§6 events', () => {
  test('§6 relay_subscription is delivered to the subscribed client when a message is published to its topic, and to no other clients', async () => {
    const [reader, stranger, writer] = [await named(), await named(), await anonymous()]
    const [topic, another] = [newTopic(), newTopic()]
    const { result: id } = await reader.call('relay_subscribe', { topic })
    await stranger.call('relay_subscribe', { topic: another })
    await publish(writer, topic, 'm')
    expect((await reader.push()).params).toEqual({ id, data: { topic, message: 'm' } })
    expect(await stranger.rest()).toEqual([])
    await Promise.all([reader.close(), stranger.close(), writer.close()])
  })

  test('§6 the client must answer `true`: until then the message is pushed again with the same id, and not afterwards', async () => {
    const impatient = await start('impatient', { redeliverySeconds: 5 })
    const [reader, writer] = [await connectRelay(impatient.url, 1), await connectRelay(impatient.url)]
    const topic = newTopic()
    await reader.call('relay_subscribe', { topic })
    await publish(writer, topic, 'm')
    const first = await reader.push()
    reader.send(JSON.stringify({ id: first.id, jsonrpc: '2.0', result: false }))
    reader.send(JSON.stringify({ id: first.id, jsonrpc: '2.0', error: { code: 1, message: 'no' } }))
    reader.send(JSON.stringify({ id: first.id + 1, jsonrpc: '2.0', result: true }))
    const second = await reader.push()
    expect(second).toEqual(first)
    reader.acknowledge(second)
    await reader.call('relay_unsubscribe', { topic, id: first.params.id })
    await reader.call('relay_subscribe', { topic })
    expect(await reader.rest()).toEqual([])
    await Promise.all([reader.close(), writer.close()])
    await impatient.stop()
  })

  test('§6 payload delivered to the push webhook: not shown; it is {"topic": …}, for each relay_publish', async () => {
    const bodies: string[] = []
    const hook = createServer((request, response) => {
      request.on('data', chunk => {
        response.end(chunk)
        if (!`${chunk}`.startsWith('{"challenge":')) bodies.push(`${chunk}`)
      })
    }).listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const topic = newTopic()
    await fetch(`${relay.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ topic, webhook: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` }),
    })
    const writer = await anonymous()
    await publish(writer, topic, 'm')
    await writer.call('irn_publish', { topic, message: 'n', ttl: 300, prompt: false })
    await writer.call('irn_publish', { topic, message: 'o', ttl: 300, prompt: true })
    await vi.waitFor(() => expect(bodies).toEqual([JSON.stringify({ topic }), JSON.stringify({ topic })]), {
      timeout: 20_000,
    })
    await writer.close()
    hook.close().closeAllConnections()
  })
})

describe('§7 errors: not shown; JSON-RPC codes on the socket, 4xx and JSON over HTTP', () => {
  test.each([
    ['not JSON at all', '{"id":1,', -32700, null],
    ['a text instead of an object', '"hello"', -32600, null],
    ['an empty batch', '[]', -32600, null],
    ['another version of JSON-RPC', '{"id":5,"jsonrpc":"1.0","method":"relay_publish","params":{}}', -32600, 5],
    ['no method and no result', '{"id":5,"jsonrpc":"2.0"}', -32600, 5],
    ['a method that is not a string', '{"id":5,"jsonrpc":"2.0","method":7}', -32600, 5],
    ['an unknown method', '{"id":5,"jsonrpc":"2.0","method":"relay_steal","params":{}}', -32601, 5],
    ['an unknown prefix', '{"id":5,"jsonrpc":"2.0","method":"eth_publish","params":{}}', -32601, 5],
    [
      'a name that every object inherits',
      '{"id":5,"jsonrpc":"2.0","method":"relay_constructor","params":{}}',
      -32601,
      5,
    ],
    ['the server’s own method', '{"id":5,"jsonrpc":"2.0","method":"relay_subscription","params":{}}', -32601, 5],
    ['no params', '{"id":5,"jsonrpc":"2.0","method":"relay_publish"}', -32602, 5],
    ['params by position', '{"id":5,"jsonrpc":"2.0","method":"relay_subscribe","params":["t"]}', -32602, 5],
    [
      'a topic that is not a string',
      '{"id":5,"jsonrpc":"2.0","method":"relay_subscribe","params":{"topic":1}}',
      -32602,
      5,
    ],
    ['an empty topic', '{"id":5,"jsonrpc":"2.0","method":"relay_subscribe","params":{"topic":""}}', -32602, 5],
    [
      'an unsubscribe without an id',
      '{"id":5,"jsonrpc":"2.0","method":"relay_unsubscribe","params":{"topic":"t"}}',
      -32602,
      5,
    ],
    [
      'a v2 topic that is not a hash',
      '{"id":5,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"t"}}',
      -32602,
      5,
    ],
  ])('§7 %s', async (_, frame, code, id) => {
    const client = await anonymous()
    client.send(frame)
    expect(JSON.parse(await client.next())).toEqual({
      id,
      jsonrpc: '2.0',
      error: { code, message: expect.any(String), data: { reason: expect.any(String), values: expect.any(Object) } },
    })
    expect((await publish(client, newTopic(), 'still here')).result).toBe(true)
    await client.close()
  })

  test.each([
    ['GET', '/nowhere', {}, 404],
    ['POST', '/', { body: '{}', type: 'application/json' }, 405],
    ['DELETE', '/hello', {}, 405],
    ['GET', '/subscribe', {}, 405],
    ['POST', '/subscribe', { body: '{"topic":"t","webhook":"https://a.example"}' }, 415],
    ['POST', '/subscribe', { body: '{"topic"', type: 'application/json' }, 400],
    ['POST', '/subscribe', { body: '{"topic":"t"}', type: 'application/json' }, 400],
    ['POST', '/subscribe', { body: '{"topic":"","webhook":"https://a.example"}', type: 'application/json' }, 400],
    ['POST', '/subscribe', { body: '{"topic":"t","webhook":"ftp://a.example"}', type: 'application/json' }, 400],
    ['POST', '/subscribe', { body: '{"topic":"t","webhook":"https://10.0.0.1"}', type: 'application/json' }, 400],
    ['POST', '/subscribe', { body: `"${'x'.repeat(70_000)}"`, type: 'application/json' }, 413],
  ] as const)('§7 %s %s %j is %i', async (method, path, { body, type }: { body?: string; type?: string }, status) => {
    const response = await fetch(`${relay.url}${path}`, {
      method,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({
      error: expect.any(String),
      reason: expect.any(String),
      values: expect.any(Object),
    })
  })

  test('§7 a notification gets no response, not even an error', async () => {
    const client = await anonymous()
    client.send('{"jsonrpc":"2.0","method":"relay_steal","params":{}}')
    client.send('{"jsonrpc":"2.0","method":"relay_publish","params":{"topic":"t","message":"m","ttl":0}}')
    expect(await client.rest()).toEqual([])
    await client.close()
  })

  test('§7 a batch gets one response, with an item for each request', async () => {
    const client = await anonymous()
    client.send(
      '[{"id":1,"jsonrpc":"2.0","method":"relay_publish","params":{"topic":"b","message":"m","ttl":1}},7,' +
        '{"jsonrpc":"2.0","method":"relay_steal"},{"id":"two","jsonrpc":"2.0","method":"relay_steal"}]',
    )
    expect(JSON.parse(await client.next())).toEqual([
      { id: 1, jsonrpc: '2.0', result: true },
      {
        id: null,
        jsonrpc: '2.0',
        error: { code: -32600, message: expect.any(String), data: { reason: 'frameNoObject', values: {} } },
      },
      {
        id: 'two',
        jsonrpc: '2.0',
        error: {
          code: -32601,
          message: expect.any(String),
          data: { reason: 'methodUnknown', values: { method: '"relay_steal"' } },
        },
      },
    ])
    await client.close()
  })
})

describe('§8 limits: not shown', () => {
  test.each([0, -1, 1.5, 2_592_001, 1e300, '60', null, undefined])(
    '§8 ttl %j is refused for relay_publish',
    async ttl => {
      const client = await anonymous()
      const { error } = await client.call('relay_publish', { topic: newTopic(), message: 'm', ttl })
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^params\.ttl: /) })
      await client.close()
    },
  )

  test('§8 a ttl is in seconds, and an expired message is not delivered', async () => {
    const [writer, reader] = [await anonymous(), await named()]
    const topic = newTopic()
    await publish(writer, topic, 'short', 1)
    await publish(writer, topic, 'long', 300)
    const over = Date.now() + 1000
    while (Date.now() <= over) await pause(over - Date.now() + 1)
    await reader.call('relay_subscribe', { topic })
    expect((await reader.push()).params.data.message).toBe('long')
    expect(await reader.rest()).toEqual([])
    await Promise.all([reader.close(), writer.close()])
  })

  test.each([0, -7, 1e12, 1.9, null, undefined])(
    '§8 ttl %j is clamped to the valid range for v2 clients, never refused',
    async ttl => {
      const client = await anonymous()
      expect((await client.call('irn_publish', { topic: newTopic(), message: 'm', ttl, tag: 1 })).result).toBe(true)
      await client.close()
    },
  )

  test('§8 an error names the limit that is reached, and no accepted message is lost', async () => {
    const [writer, reader] = [await anonymous(), await named()]
    const topic = newTopic()
    for (const message of ['a', 'b', 'c']) await publish(writer, topic, message)
    const full = await publish(writer, topic, 'd')
    expect(full.error).toEqual({
      code: -32005,
      message: 'a topic holds at most 3 messages (topic-messages)',
      data: { reason: 'topicMessages', values: { limit: 3, setting: 'topic-messages' } },
    })
    const long = await publish(writer, newTopic(), 'x'.repeat(1001))
    expect(long.error).toEqual({
      code: -32005,
      message: 'params.message: is longer than 1000 bytes (message-bytes)',
      data: { reason: 'messageTooLong', values: { place: 'params.message', limit: 1000, setting: 'message-bytes' } },
    })
    await reader.call('relay_subscribe', { topic })
    const got = [await reader.push(), await reader.push(), await reader.push()]
    expect(got.map(push => push.params.data.message)).toEqual(['a', 'b', 'c'])
    await Promise.all([reader.close(), writer.close()])
  })

  test('§8 the clients of a topic and the topics of a client are limited', async () => {
    const clients = [await named(), await named(), await named(), await named()]
    const topic = newTopic()
    const answers = []
    for (const client of clients) answers.push(await client.call('relay_subscribe', { topic }))
    expect(answers[3]?.error).toEqual({
      code: -32005,
      message: 'a topic has at most 3 clients (topic-clients)',
      data: { reason: 'topicClients', values: { limit: 3, setting: 'topic-clients' } },
    })
    const [client] = clients
    for (let count = 1; count < 50; count++) await client?.call('relay_subscribe', { topic: newTopic() })
    const over = await client?.call('relay_subscribe', { topic: newTopic() })
    expect(over?.error).toEqual({
      code: -32005,
      message: 'a client has at most 50 topics (client-topics)',
      data: { reason: 'clientTopics', values: { limit: 50, setting: 'client-topics' } },
    })
    await Promise.all(clients.map(one => one.close()))
  })
})

describe('§9 versioning', () => {
  test('§9 the relay server greeting reports version 2.0', async () => {
    expect(await (await fetch(`${relay.url}/hello`)).text()).toMatch(/ v2\.0$/)
  })

  test('§9 JSON-RPC version is `2.0` in every JSON-RPC message', async () => {
    const [reader, writer] = [await named(), await anonymous()]
    const topic = newTopic()
    await reader.call('relay_subscribe', { topic })
    await publish(writer, topic, 'm')
    await reader.push()
    writer.send('garbage')
    await writer.next()
    for (const frame of [...reader.frames, ...writer.frames]) expect(JSON.parse(frame).jsonrpc).toBe('2.0')
    await Promise.all([reader.close(), writer.close()])
  })
})

describe('the same methods under the prefixes of the v2 clients', () => {
  test.each(['irn', 'iridium', 'waku', 'bridge'])(
    '%s_: subscribe, publish, subscription, unsubscribe',
    async prefix => {
      const [reader, writer] = [await named(), await named()]
      const topic = newTopic()
      const before = Date.now()
      const { result: id } = await reader.call(`${prefix}_subscribe`, { topic })
      expect(
        (await writer.call(`${prefix}_publish`, { topic, message: 'm', ttl: 300, tag: 1108, prompt: true })).result,
      ).toBe(true)
      const push = await reader.push()
      expect(push).toEqual({
        id: expect.any(Number),
        jsonrpc: '2.0',
        method: `${prefix}_subscription`,
        params: { id, data: { topic, message: 'm', publishedAt: expect.any(Number), tag: 1108, attestation: '' } },
      })
      expect(push.params.data.publishedAt).toBeGreaterThanOrEqual(before)
      expect(push.params.data.publishedAt).toBeLessThanOrEqual(Date.now())
      reader.acknowledge(push)
      expect((await reader.call(`${prefix}_unsubscribe`, { topic, id: 'of its own making' })).result).toBe(true)
      await Promise.all([reader.close(), writer.close()])
    },
  )

  test('a client gets pushes with the prefix it subscribed with, whatever prefix the publisher used', async () => {
    const [old, young, writer] = [await named(), await named(), await anonymous()]
    const topic = newTopic()
    await old.call('waku_subscribe', { topic })
    await young.call('irn_subscribe', { topic })
    await writer.call('relay_publish', { topic, message: 'm', ttl: 300 })
    expect([(await old.push()).method, (await young.push()).method]).toEqual(['waku_subscription', 'irn_subscription'])
    await Promise.all([old.close(), young.close(), writer.close()])
  })
})

describe('the mailbox, as clients see it', () => {
  test('rule 2: a message for an offline client is stored for it', async () => {
    const seed = newSeed()
    const [topic, writer, before] = [newTopic(), await named(), await connectRelay(relay.url, seed)]
    await before.call('relay_subscribe', { topic })
    await before.close()
    await publish(writer, topic, 'm')
    const after = await connectRelay(relay.url, seed)
    expect(await after.rest()).toEqual([])
    await after.call('relay_subscribe', { topic })
    expect((await after.push()).params.data.message).toBe('m')
    await Promise.all([after.close(), writer.close()])
  })

  test('rule 4: a message is never sent to its publisher, on any of its sockets', async () => {
    const seed = newSeed()
    const topic = newTopic()
    const [one, two, reader] = [await connectRelay(relay.url, seed), await connectRelay(relay.url, seed), await named()]
    for (const client of [one, two, reader]) await client.call('irn_subscribe', { topic })
    await one.call('irn_publish', { topic, message: 'm', ttl: 300 })
    expect((await reader.push()).params.data.message).toBe('m')
    const again = await connectRelay(relay.url, seed)
    await again.call('irn_subscribe', { topic })
    expect([await one.rest(), await two.rest(), await again.rest()]).toEqual([[], [], []])
    await Promise.all([one, two, reader, again].map(client => client.close()))
  })

  test('rule 6: without a token, a stored message is consumed by the first acknowledgement of any other socket', async () => {
    const [writer, first, second] = [await anonymous(), await anonymous(), await anonymous()]
    const topic = newTopic()
    await publish(writer, topic, 'm')
    await first.call('waku_subscribe', { topic })
    first.acknowledge(await first.push())
    await first.call('none', {})
    await second.call('waku_subscribe', { topic })
    await publish(writer, topic, 'n')
    expect((await second.push()).params.data.message).toBe('n')
    await Promise.all([writer.close(), first.close(), second.close()])
  })

  test('rule 6: a live message goes to every subscribed socket', async () => {
    const [writer, one, two] = [await anonymous(), await anonymous(), await anonymous()]
    const topic = newTopic()
    for (const reader of [one, two]) await reader.call('relay_subscribe', { topic })
    await publish(writer, topic, 'm')
    expect([await one.push(), await two.push()].map(push => push.params.data.message)).toEqual(['m', 'm'])
    await Promise.all([writer.close(), one.close(), two.close()])
  })

  test('rule 7: repeating a stored message does not store it twice', async () => {
    const [writer, reader] = [await named(), await named()]
    const topic = newTopic()
    for (let attempt = 0; attempt < 5; attempt++) expect((await publish(writer, topic, 'm')).result).toBe(true)
    await reader.call('relay_subscribe', { topic })
    expect((await reader.push()).params.data.message).toBe('m')
    expect(await reader.rest()).toEqual([])
    await Promise.all([writer.close(), reader.close()])
  })

  test('rule 8: an unsubscribe never ends another client’s subscription', async () => {
    const [one, two, writer] = [await anonymous(), await anonymous(), await anonymous()]
    const topic = newTopic()
    const [first, second] = await Promise.all([one, two].map(client => client.call('relay_subscribe', { topic })))
    const { error } = await one.call('relay_unsubscribe', { topic, id: second?.result })
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^params\.id: /) })
    expect((await one.call('relay_unsubscribe', { topic, id: first?.result })).result).toBe(true)
    await publish(writer, topic, 'm')
    expect((await two.push()).params.data.message).toBe('m')
    expect(await one.rest()).toEqual([])
    await Promise.all([one.close(), two.close(), writer.close()])
  })

  test('rule 9: a subscriber gets the response before its backlog', async () => {
    const [writer, reader] = [await named(), await named()]
    const topic = newTopic()
    await publish(writer, topic, 'm')
    await reader.call('irn_subscribe', { topic })
    await reader.push()
    expect(reader.frames.map(frame => 'result' in JSON.parse(frame))).toEqual([true, false])
    await Promise.all([writer.close(), reader.close()])
  })

  test('rule 9: a publisher gets the response before anything that the message causes', async () => {
    const [writer, reader] = [await named(), await named()]
    const [topic, back] = [newTopic(), newTopic()]
    await writer.call('irn_subscribe', { topic: back })
    await reader.call('irn_subscribe', { topic })
    const replied = reader.push().then(() => reader.call('irn_publish', { topic: back, message: 'reply', ttl: 300 }))
    const published = writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    await Promise.all([published, replied, writer.push()])
    const [, answer, push] = writer.frames.map(frame => JSON.parse(frame))
    expect([answer.result, push.params?.data.message]).toEqual([true, 'reply'])
    await Promise.all([writer.close(), reader.close()])
  })
})

test('the metrics count what the relay did, and contain no topic, message or client', async () => {
  const [writer, reader] = [await named(), await named()]
  const topic = newTopic()
  await reader.call('relay_subscribe', { topic })
  await publish(writer, topic, 'a secret message')
  reader.acknowledge(await reader.push())
  await reader.call('none', {})
  const metrics = await (await fetch(`${relay.url}/metrics`)).text()
  for (const name of ['publishes', 'deliveries', 'acknowledgements'])
    expect(metrics).toMatch(new RegExp(`^heliograph_${name}_total [1-9]`, 'm'))
  expect(metrics).toMatch(/^heliograph_rejects_total\{reason="methodNotFound"\} [1-9]/m)
  expect(metrics).toMatch(/^heliograph_connections [1-9]/m)
  expect(metrics).not.toMatch(/secret|did:key|0{30}/)
  await Promise.all([writer.close(), reader.close()])
})
