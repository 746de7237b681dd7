import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@heliograph/shared/server/log'
import { sharesOf } from '@heliograph/shared/server/shares.fixture'
import { openStore, type Store } from '@heliograph/shared/server/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wide } from './limits.fixture.ts'
import type { Client, Mailbox } from './mailbox.ts'
import { openLmdbMailbox } from './mailbox-lmdb.ts'
import { openWriteAheadLog } from './write-ahead-log.ts'

const ann: Client = 'did:key:zAnn'
const ben: Client = 'did:key:zBen'
const cat: Client = 'did:key:zCat'
const TOPIC = 'a topic'
const limits = { topicMessages: 10_000, topicBytes: 100_000_000, topicClients: 10, clientTopics: 10, ...wide }

let folder: string
let store: Store
let mailbox: Mailbox
let isDiskFull = false

/** As it is, but while the disk is full. */
const failing =
  (write: Store['write']): Store['write'] =>
  (all, begin) =>
    write(
      all,
      begin &&
        (() => {
          const bytes = begin()
          if (isDiskFull) throw new Error('no space')
          return bytes
        }),
    )

const open = () => {
  store = openStore(folder)
  mailbox = openLmdbMailbox({
    store: { ...store, write: failing(store.write), writeLater: failing(store.writeLater) },
    ahead: openWriteAheadLog(folder),
    durability: 'disk',
    limits,
    shares: sharesOf(),
    log: createLog('test', 'silent'),
  })
}
const restart = async () => {
  await store.close()
  open()
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'message-log-'))
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const publish = async (...texts: string[]) => {
  const publications = texts.map(text => {
    const message = JSON.stringify(text)
    return { topic: TOPIC, message, size: Buffer.byteLength(message), ttl: 300, tag: 0, attestation: '' }
  })
  await mailbox.append(ann, publications).safe
}
const waiting = async (client: Client) =>
  (await mailbox.read(client, TOPIC, 0, 10_000)).map(({ message }) => JSON.parse(message))
const acknowledgeAll = async (client: Client, isDone: (text: string) => boolean) => {
  for (const { seq, message } of await mailbox.read(client, TOPIC, 0, 10_000))
    if (isDone(JSON.parse(message))) await mailbox.acknowledge(client, TOPIC, seq)
}
const chunks = () => [...store.table<Buffer, number>('chunks', 'binary').getRange()]
const lists = () => [...store.table<unknown, [number, number]>('changes', 'msgpack').getRange()]

const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(400)}`)

test('messages of one commit share chunks, and a longer one has its own', async () => {
  await publish(...texts(100))
  expect(chunks().length).toBeLessThan(5)
  await publish('y'.repeat(100_000))
  await restart()
  await mailbox.subscribe(ben, TOPIC)
  expect(await waiting(ben)).toEqual([...texts(100), 'y'.repeat(100_000)])
})

test('with its last message a chunk goes, and so do its changes', async () => {
  await mailbox.subscribe(ben, TOPIC)
  await publish(...texts(100))
  await acknowledgeAll(ben, text => text.startsWith('1'))
  expect(lists().length).toBeGreaterThan(0)
  await acknowledgeAll(ben, () => true)
  expect([chunks(), lists()]).toEqual([[], []])
})

test('what is left of nearly empty chunks moves together: order, readers and acknowledgements stay', async () => {
  await mailbox.subscribe(ben, TOPIC)
  await mailbox.subscribe(cat, TOPIC)
  await publish(...texts(300))
  const isLeft = (text: string) => Number(text.split(' ')[0]) % 30 === 0
  await acknowledgeAll(ben, text => !isLeft(text))
  await acknowledgeAll(cat, text => !isLeft(text) || text.startsWith('30 '))
  const [benWaits, catWaits] = [await waiting(ben), await waiting(cat)]
  const before = chunks().length
  mailbox.sweep()
  await publish('after')
  await publish('and again')
  expect(chunks().length).toBeLessThan(before / 2)
  const all = async () => [await waiting(ben), await waiting(cat)]
  const expected = [
    [...benWaits, 'after', 'and again'],
    [...catWaits, 'after', 'and again'],
  ]
  expect(await all()).toEqual(expected)
  await restart()
  expect(await all()).toEqual(expected)
  for (const client of [ben, cat]) await acknowledgeAll(client, () => true)
  await restart()
  expect([await all(), chunks(), lists()]).toEqual([[[], []], [], []])
})

test('a message that is refused together with others does not come back', async () => {
  await restart()
  await mailbox.subscribe(ben, TOPIC)
  const tooLong = 'z'.repeat(limits.topicBytes)
  await expect(publish('a', tooLong)).rejects.toMatchObject({ code: -32005 })
  await publish('b')
  await restart()
  expect(await waiting(ben)).toEqual(['b'])
})

test('a client that was refused by the disk is not on the topic later', async () => {
  await mailbox.subscribe(ben, TOPIC)
  isDiskFull = true
  await expect(mailbox.subscribe(cat, TOPIC)).rejects.toMatchObject({ code: -32002 })
  isDiskFull = false
  await publish('a')
  await restart()
  expect([...mailbox.clients(TOPIC)]).toEqual([ben])
})
