/** The memory of subscriptions: each has a topic of its own, which costs most. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLog } from '@heliograph/shared/server/log'
import { createMetrics } from '@heliograph/shared/server/metrics'
import { sharesOf } from '@heliograph/shared/server/shares.fixture'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeliveries } from './delivery.ts'
import { createHub, type Hub } from './hub.ts'
import { wide } from './mailbox/limits.fixture.ts'
import { openLocalMailbox } from './mailbox/local-mailbox.ts'
import type { Client, Mailbox } from './mailbox/mailbox.ts'
import { createRelayMetrics } from './metrics.ts'

/** The maps that hold subscriptions double their room: at about these numbers they are nearly full. */
const CLIENTS = 250
const TOPICS = 1000
const MOST_BYTES = 500
/** Bytes that are left of each, when all have gone. */
const MOST_LEFT = 40

const limits = { topicMessages: 10, topicBytes: 1000, topicClients: 10, clientTopics: TOPICS, ...wide }

let folder: string
let store: Store
let hub: Hub
let mailbox: Mailbox

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memory-'))
  store = openStore(folder)
  const log = createLog('test', 'silent')
  const storage = store.log('messages')
  mailbox = openLocalMailbox({ storage, failure: store.failure, limits, shares: sharesOf(), log })
  const metrics = createRelayMetrics(createMetrics())
  hub = createHub(mailbox, createDeliveries({ mailbox, metrics, log, window: 10, redeliverAfter: 8000 }), log)
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const heapBytes = async (): Promise<number> => {
  await pause(100)
  collect()
  return process.memoryUsage().heapUsed
}

/** In one piece, as text from a frame is. */
const hex = (number: number): string => Buffer.from(number.toString(16).padStart(64, '0')).toString()

const connectAll = async (nameOf: (index: number) => Client) => {
  const peers = Array.from({ length: CLIENTS }, (_, index) =>
    hub.connect(nameOf(index), {
      isOpen: true,
      send: () => 0,
      sendBytes: () => 0,
      hasRoom: () => true,
      charge: () => undefined,
    }),
  )
  for (const [index, peer] of peers.entries()) {
    const topics = Array.from({ length: TOPICS }, (_, place) => hex(index * TOPICS + place))
    await Promise.all(topics.map(topic => hub.subscribe(peer, topic, 'irn')))
  }
  return peers
}

test.each([
  ['clients with a key', (index: number): Client => `did:key:z${hex(index).slice(-47)}`],
  ['sockets without one', (index: number): Client => `socket:${index}`],
])('a subscription of %s takes at most 500 bytes, and what it took is given back', async (_, nameOf) => {
  const before = await heapBytes()
  const peers = await connectAll(nameOf)
  const count = CLIENTS * TOPICS
  expect(((await heapBytes()) - before) / count).toBeLessThan(MOST_BYTES)

  for (const [index, peer] of peers.entries()) {
    const topics = Array.from({ length: TOPICS }, (_, place) => hex(index * TOPICS + place))
    await Promise.all(topics.map(topic => hub.unsubscribe(peer, topic)))
    hub.disconnect(peer)
  }
  peers.length = 0
  mailbox.sweep()
  expect(((await heapBytes()) - before) / count).toBeLessThan(MOST_LEFT)
})
