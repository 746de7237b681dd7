/** Mailboxes have the same contents before an import, in Redis, and after an export, whatever operations preceded. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { defaultsOf } from '@heliograph/shared/server/process/config'
import { createLog } from '@heliograph/shared/server/process/log'
import { joinNodes } from '@heliograph/shared/server/redis/nodes'
import { openRedis } from '@heliograph/shared/server/redis/open'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { openStore } from '@heliograph/shared/server/storage/store'
import { exportFolder, importFolder } from '@heliograph/shared/server/transfer/transfer'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { relayRows } from '../../relay-server/src/config.ts'
import { openLocalMailbox } from '../../relay-server/src/mailbox/local-mailbox.ts'
import type { Client, Mailbox } from '../../relay-server/src/mailbox/mailbox.ts'
import {
  ann,
  ben,
  cat,
  publication,
  roomy,
  socket,
  texts,
} from '../../relay-server/src/mailbox/mailbox-store.fixture.ts'
import { LOG_NAME } from '../../relay-server/src/mailbox/message-log.ts'
import { openRedisMailbox } from '../../relay-server/src/mailbox/redis/redis-mailbox.ts'
import { relayTransfer } from '../../relay-server/src/transfer/relay-transfer.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

const log = createLog('test', 'silent')
const dan: Client = 'did:key:zDan'
const named = [ann, ben, cat]
const topics = ['a topic', 'another']
/**
 * Milliseconds before the transfer at which the steps happen, so messages with the short ttl (in seconds) have expired
 * by then.
 */
const AGO = 60_000
const SHORT = 5

const client = fc.constantFrom(...named, socket)
const topic = fc.constantFrom(...topics)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      client,
      topic,
      text: fc.string(),
      ttl: fc.constantFrom(SHORT, 600),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), client, topic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), client, topic, index: fc.nat(2) }) },
  fc.record({ do: fc.constant('unsubscribe' as const), client, topic }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const take = async (mailbox: Mailbox, one: Step): Promise<void> => {
  if (one.do === 'publish')
    await mailbox.append(one.client, [
      publication(one.text, { topic: one.topic, ttl: one.ttl, tag: one.text.length, attestation: one.text }),
    ]).commit.durable
  else if (one.do === 'subscribe') await mailbox.subscribe(one.client, one.topic)
  else if (one.do === 'unsubscribe') await mailbox.unsubscribe(one.client, one.topic)
  else {
    const message = (await mailbox.read(one.client, one.topic, 0, 100))[one.index]
    if (message) await mailbox.acknowledge(one.client, one.topic, message.seq)
  }
}

let server: RedisServer
let redis: Redis
let folder: string
let runs = 0
beforeAll(async () => {
  server = await startRedis()
  redis = await openRedis([server.url], { durability: 'process' })
})
afterAll(async () => {
  await redis.close()
  await server.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contents-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs `use` with the mailbox of a data folder. */
const withLocal = async <T>(dataDir: string, ago: number, use: (mailbox: Mailbox) => Promise<T>): Promise<T> => {
  const store = openStore(dataDir)
  const mailbox = openLocalMailbox({
    storage: store.log(LOG_NAME),
    failure: store.failure,
    limits: roomy,
    shares: sharesOf(),
    log,
    now: () => Date.now() - ago,
  })
  try {
    return await use(mailbox)
  } finally {
    await store.close()
  }
}

/** Runs `use` with the mailbox in Redis. */
const withShared = async <T>(use: (mailbox: Mailbox) => Promise<T>): Promise<T> => {
  const nodes = await joinNodes({ redis, prefix: 'relay', log })
  const ignore = () => undefined
  const options = { redis, nodes, limits: roomy, shares: sharesOf(), log, onMessages: ignore, onExpired: ignore }
  const mailbox = await openRedisMailbox(options)
  try {
    return await use(mailbox)
  } finally {
    await mailbox.close()
    await nodes.leave()
  }
}

const config = defaultsOf(relayRows)
const work = (dataDir: string) =>
  ({ folder: dataDir, redis, transfer: relayTransfer, config, logLevel: 'silent' }) as const

const allOf = async (mailbox: Mailbox) => {
  const found = []
  for (const name of topics) {
    const clients = (await mailbox.clients(name)).toSorted()
    for (const reader of named) {
      const messages = await mailbox.read(reader, name, 0, 1000)
      found.push({ name, reader, clients, messages: messages.map(({ seq: _, ...message }) => message) })
    }
  }
  return found
}

/** Returns the messages that the first new client gets. */
const openOf = async (mailbox: Mailbox) => {
  const found = []
  for (const name of topics) {
    await mailbox.subscribe(dan, name)
    found.push(texts(await mailbox.read(dan, name, 0, 1000)))
  }
  return found
}

test('whatever clients did, every reader gets the same messages from each store', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async steps => {
      runs += 1
      const [source, copy, target] = ['source', 'copy', 'target'].map(name => join(folder, `${runs}-${name}`))
      if (!source || !copy || !target) return
      await server.command('FLUSHALL')
      await withLocal(source, AGO, async mailbox => {
        // The folder needs a message, because an empty folder would be refused.
        await take(mailbox, { do: 'publish', client: cat, topic: 'another', text: 'first', ttl: 600 })
        for (const one of steps) await take(mailbox, one)
      })
      await mkdir(target)
      await cp(source, copy, { recursive: true })
      const before = await withLocal(copy, 0, allOf)
      const open = await withLocal(copy, 0, openOf)
      const imported = await importFolder(work(source))
      expect(await withShared(allOf)).toEqual(before)
      const exported = await exportFolder(work(target))
      expect(exported.slice(0, 4)).toEqual(imported.slice(0, 4))
      expect(await withLocal(target, 0, allOf)).toEqual(before)
      expect(await withLocal(target, 0, openOf)).toEqual(open)
    }),
    { numRuns: 40 },
  )
})

test('two folders with the same topic and the same message numbers are both imported, each in order', async () => {
  await server.command('FLUSHALL')
  for (const name of ['first', 'second']) {
    const source = join(folder, name)
    await withLocal(source, 0, async mailbox => {
      await mailbox.subscribe(ben, 'a topic')
      for (let index = 0; index < 300; index++)
        await mailbox.append(ann, [publication(`${name} ${index}`, { topic: 'a topic' })]).commit.durable
    })
    expect((await importFolder(work(source))).slice(0, 2)).toEqual(['1 topics', '300 messages'])
  }
  const found = await withShared(async mailbox => texts(await mailbox.read(ben, 'a topic', 0, 1000)))
  for (const name of ['first', 'second'])
    expect(found.filter(text => text.startsWith(name))).toEqual(
      Array.from({ length: 300 }, (_, index) => `${name} ${index}`),
    )
  expect(await server.command('HGET', `relay:{account:client ${ann}}:held`, 'messages')).toBe('600')
})

test('a repeated import from the beginning changes nothing', async () => {
  await server.command('FLUSHALL')
  const [source, copy] = [join(folder, 'source'), join(folder, 'copy')]
  await withLocal(source, 0, async mailbox => {
    await mailbox.subscribe(ben, 'a topic')
    await mailbox.subscribe(cat, 'a topic')
    for (const text of ['one', 'two', 'three']) await mailbox.append(ann, [publication(text)]).commit.durable
  })
  await cp(source, copy, { recursive: true })
  const first = await importFolder(work(source))
  const [before, held] = [
    await withShared(allOf),
    await server.command('HGETALL', `relay:{account:client ${ann}}:held`),
  ]
  // Each folder has made its own key, so the key of the second one is left out.
  expect(await importFolder(work(copy))).toEqual([
    ...first.slice(0, -1),
    'the signing key was left out, because Redis has another one',
  ])
  expect(await withShared(allOf)).toEqual(before)
  expect(await server.command('HGETALL', `relay:{account:client ${ann}}:held`)).toEqual(held)
})
