/** Several sockets of one client, and several calls in one frame. The interface document does not define them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '@heliograph/shared/server/transport/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRelay } from '../../relay-server/src/server.ts'
import { frameOf, openRaw } from '../support/raw.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { redisUrlOf } from '../support/store.ts'
import { newSeed, newTopic } from './unique-names.ts'

let folder: string
let relay: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-together-'))
  // Redelivery is so late that no message is pushed a second time, even on a busy machine.
  const settings = { port: 0, logLevel: 'silent', redeliverySeconds: 600 } as const
  relay = await startRelay({ ...settings, dataDir: folder, redisUrl: await redisUrlOf(folder) })
})
afterAll(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

const named = (seed = newSeed()): Promise<RelayClient> => connectRelay(relay.url, seed)
const closeAll = (...clients: RelayClient[]) => Promise.all(clients.map(client => client.close()))

const request = (id: number, method: string, params: object) => ({ id, jsonrpc: '2.0', method, params })
const batch = async (client: RelayClient, ...frames: object[]): Promise<unknown> => {
  client.send(JSON.stringify(frames))
  return JSON.parse(await client.next())
}
const messageOf = async (client: RelayClient): Promise<string> => (await client.push()).params.data.message

describe('two sockets of one client', () => {
  test('each gets pushes with its own prefix; a message that one socket acknowledges is not pushed to a third', async () => {
    const seed = newSeed()
    const [old, young, writer] = [await named(seed), await named(seed), await named()]
    const topic = newTopic()
    const ids = [await old.call('relay_subscribe', { topic }), await young.call('irn_subscribe', { topic })]
    expect(ids[0]?.result).toBe(ids[1]?.result)
    await writer.call('irn_publish', { topic, message: 'm', ttl: 300, tag: 7 })
    const [first, second] = [await old.push(), await young.push()]
    expect(first).toMatchObject({ method: 'relay_subscription', params: { data: { topic, message: 'm' } } })
    expect(second).toMatchObject({ method: 'irn_subscription', params: { data: { topic, message: 'm', tag: 7 } } })
    old.acknowledge(first)
    await old.call('none', {})
    const third = await named(seed)
    await third.call('irn_subscribe', { topic })
    expect([await third.rest(), await old.rest()]).toEqual([[], []])
    await closeAll(old, young, third, writer)
  })

  test('an unsubscribe on one socket applies to both', async () => {
    const seed = newSeed()
    const [one, two, writer] = [await named(seed), await named(seed), await named()]
    const topic = newTopic()
    for (const client of [one, two]) await client.call('irn_subscribe', { topic })
    expect((await two.call('irn_unsubscribe', { topic })).result).toBe(true)
    await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    expect([await one.rest(), await two.rest()]).toEqual([[], []])
    await closeAll(one, two, writer)
  })
})

describe('calls in one frame', () => {
  test("a subscribe and a publish: first the responses, then stored messages, but not the client's own", async () => {
    const [reader, writer] = [await named(), await named()]
    const topic = newTopic()
    await writer.call('irn_publish', { topic, message: 'early', ttl: 300 })
    const publish = request(2, 'irn_publish', { topic, message: 'own', ttl: 300 })
    const answers = await batch(reader, request(1, 'irn_subscribe', { topic }), publish)
    expect(answers).toEqual([
      { id: 1, jsonrpc: '2.0', result: expect.any(String) },
      { id: 2, jsonrpc: '2.0', result: true },
    ])
    const early = await reader.push()
    expect(early.params.data.message).toBe('early')
    await batch(reader, { id: early.id, jsonrpc: '2.0', result: true }, request(3, 'irn_fetchMessages', { topic }))
    expect((await reader.call('irn_fetchMessages', { topic })).result).toEqual({ messages: [], hasMore: false })
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })

  test('they are executed in order: of a subscribe and an unsubscribe, the last one applies', async () => {
    const [reader, writer] = [await named(), await named()]
    const topic = newTopic()
    const [subscribe, unsubscribe] = ['irn_subscribe', 'irn_unsubscribe'].map((name, id) =>
      request(id, name, { topic }),
    )
    await batch(reader, subscribe ?? {}, unsubscribe ?? {}, subscribe ?? {})
    await writer.call('irn_publish', { topic, message: 'm', ttl: 300 })
    expect(await messageOf(reader)).toBe('m')
    await batch(reader, unsubscribe ?? {}, subscribe ?? {}, unsubscribe ?? {})
    await writer.call('irn_publish', { topic, message: 'n', ttl: 300 })
    expect(await reader.rest()).toEqual([])
    await closeAll(reader, writer)
  })
})

test('a fragmented frame counts as one frame, wherever it is split', async () => {
  const topic = newTopic()
  const reader = await named()
  await reader.call('irn_subscribe', { topic })
  const call = Buffer.from(JSON.stringify(request(1, 'irn_publish', { topic, message: 'é ☀ 😀', ttl: 300 })))
  const socket = await openRaw(relay.url)
  for (let at = 0; at < call.length; at++) {
    const [opcode, fin] = [at === 0 ? 1 : 0, at === call.length - 1 ? 0x80 : 0]
    socket.write(frameOf(fin | opcode, call.subarray(at, at + 1)))
  }
  expect(await messageOf(reader)).toBe('é ☀ 😀')
  socket.destroy()
  await reader.close()
})
