/**
 * A relay process that is killed at the worst moments: accepted messages are delivered in order, and never again after
 * their acknowledgement.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectRelay, type Push, type RelayClient } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)
const ANN = 1
const BEN = 2

let folder: string
let relay: Server
const start = async (): Promise<void> => {
  relay = await startServer('relay-server', { dataDir: folder, args: NO_REDELIVERY })
}
/** Kills the process at once, so unwritten data is lost. */
const kill = (): Promise<number | null> => relay.stop('SIGKILL')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-kill-'))
  await start()
})
afterEach(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

const publish = async (client: RelayClient, message: string): Promise<void> => {
  expect((await client.call('relay_publish', { topic: TOPIC, message, ttl: 300 })).result).toBe(true)
}
const subscribe = (client: RelayClient) => client.call('relay_subscribe', { topic: TOPIC })
const texts = (pushes: readonly Push[]): string[] => pushes.map(push => push.params.data.message)

const take = async (client: RelayClient, count: number): Promise<Push[]> => {
  const pushes: Push[] = []
  while (pushes.length < count) pushes.push(await client.push())
  return pushes
}

test('two clients exchange messages, one of them offline when they are published', async () => {
  const [ann, early] = [await connectRelay(relay.url, ANN), await connectRelay(relay.url, BEN)]
  await subscribe(early)
  await early.close()
  for (const message of ['a', 'b', 'c']) await publish(ann, message)
  const ben = await connectRelay(relay.url, BEN)
  await subscribe(ben)
  const pushes = await take(ben, 3)
  expect(texts(pushes)).toEqual(['a', 'b', 'c'])
  await subscribe(ann)
  await publish(ben, 'answer')
  expect(texts([await ann.push()])).toEqual(['answer'])
  await Promise.all([ann.close(), ben.close()])
})

test('killed between response and delivery, the relay then delivers all messages in order, but no acknowledged one again', async () => {
  const messages = Array.from({ length: 200 }, (_, index) => `m${index}`)
  const [ann, early] = [await connectRelay(relay.url, ANN), await connectRelay(relay.url, BEN)]
  await subscribe(early)
  await early.close()
  await Promise.all(messages.map(message => publish(ann, message)))
  await kill()
  await start()

  const ben = await connectRelay(relay.url, BEN)
  await subscribe(ben)
  const first = await take(ben, 200)
  expect(texts(first)).toEqual(messages)
  for (const push of first.slice(0, 120)) ben.acknowledge(push)
  await ben.call('none', {})
  await subscribe(ben)
  await kill()
  await start()

  const again = await connectRelay(relay.url, BEN)
  await subscribe(again)
  const second = await take(again, 80)
  expect(texts(second)).toEqual(messages.slice(120))
  for (const push of second) again.acknowledge(push)
  await again.call('none', {})
  await subscribe(again)
  await kill()
  await start()

  const last = await connectRelay(relay.url, BEN)
  await subscribe(last)
  expect(await last.rest()).toEqual([])
  await last.close()
})

test('killed during publishes, the relay keeps every acknowledged message once', async () => {
  const [ann, early] = [await connectRelay(relay.url, ANN), await connectRelay(relay.url, BEN)]
  await subscribe(early)
  await early.close()
  const accepted: string[] = []
  const enough = new Promise<void>(resolve => {
    const send = async (index: number): Promise<void> => {
      const { result } = await ann.call('relay_publish', { topic: TOPIC, message: `m${index}`, ttl: 300 })
      if (result === true) accepted.push(`m${index}`)
      if (accepted.length === 100) resolve()
    }
    for (let index = 0; index < 1000; index++) void send(index)
  })
  await enough
  await kill()
  await ann.closed
  await start()

  const [writer, ben] = [await connectRelay(relay.url, ANN), await connectRelay(relay.url, BEN)]
  await publish(writer, 'the last')
  await subscribe(ben)
  const got: Push[] = []
  while (texts(got).at(-1) !== 'the last') {
    got.push(await ben.push())
    const last = got.at(-1)
    if (last) ben.acknowledge(last)
  }
  const numbers = texts(got.slice(0, -1)).map(text => Number(text.slice(1)))
  expect(new Set(texts(got)).size).toBe(got.length)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(texts(got)).toEqual(expect.arrayContaining(accepted))
  await Promise.all([writer.close(), ben.close()])
})

test('a message without recipients survives a kill, and so does its assignment to the first subscriber', async () => {
  const ann = await connectRelay(relay.url, ANN)
  await publish(ann, 'm')
  await kill()
  await start()
  const ben = await connectRelay(relay.url, BEN)
  await subscribe(ben)
  expect(texts([await ben.push()])).toEqual(['m'])
  await kill()
  await start()
  const [third, back] = [await connectRelay(relay.url, 3), await connectRelay(relay.url, BEN)]
  await subscribe(third)
  await subscribe(back)
  expect(texts([await back.push()])).toEqual(['m'])
  expect(await third.rest()).toEqual([])
  await Promise.all([third.close(), back.close()])
})

test('on SIGTERM the relay responds to open requests, closes with 1012, and exits with 0', async () => {
  const ann = await connectRelay(relay.url, ANN)
  const accepted: string[] = []
  const answers = Array.from({ length: 50 }, async (_, index) => {
    await publish(ann, `m${index}`)
    accepted.push(`m${index}`)
  })
  await answers[0]
  const code = relay.stop()
  expect(await ann.closed).toBe(1012)
  expect(await code).toBe(0)
  await start()
  const ben = await connectRelay(relay.url, BEN)
  await subscribe(ben)
  expect(texts(await take(ben, accepted.length))).toEqual(accepted)
  await ben.close()
})
