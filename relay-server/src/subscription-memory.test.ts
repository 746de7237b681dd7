/** The memory of subscriptions: each has a topic of its own, which costs most. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLog } from '@heliograph/shared/server/log'
import { createMetrics } from '@heliograph/shared/server/metrics'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeliveries, type Peer } from './delivery.ts'
import { createHub, type Hub } from './hub.ts'
import type { Client, Mailbox } from './mailbox/mailbox.ts'
import { createRelayMetrics } from './metrics.ts'
import { openTemporaryMailbox, type TemporaryMailbox } from './temporary-mailbox.fixture.ts'

/** V8's maps double their room when they are full. They are nearly full with the first numbers, and just doubled with the second. */
const SIZES = [
  { clients: 250, topics: 1000 },
  { clients: 257, topics: 520 },
] as const
/** Bytes of a subscription, with its topic. */
const MOST = 500
/** Bytes that are left of each, when all have gone. */
const MOST_LEFT = 40

let opened: TemporaryMailbox
let hub: Hub
let mailbox: Mailbox

beforeEach(async () => {
  opened = await openTemporaryMailbox({ clientTopics: 1000 })
  mailbox = opened.mailbox
  const log = createLog('test', 'silent')
  const metrics = createRelayMetrics(createMetrics())
  hub = createHub(mailbox, createDeliveries({ mailbox, metrics, log, window: 10, redeliverAfter: 8000 }), log)
})
afterEach(() => opened.remove())

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const heapBytes = async (): Promise<number> => {
  await pause(100)
  collect()
  return process.memoryUsage().heapUsed
}

/** In one piece, as text from a frame is. */
const hex = (number: number): string => Buffer.from(number.toString(16).padStart(64, '0')).toString()

const CONNECTION = {
  isOpen: true,
  send: () => undefined,
  sendBytes: () => undefined,
  hasRoom: () => true,
  charge: () => undefined,
}

/** Names of the topics of a client, which come one after the other. */
const topicsOf = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => hex(index * count + place))

const withKey = (index: number): Client => `did:key:z${hex(index).slice(-47)}`
const withoutKey = (index: number): Client => `socket:${index}`

test.each(
  SIZES.flatMap(sizes => [
    { ...sizes, kind: 'with a key', nameOf: withKey },
    { ...sizes, kind: 'without one', nameOf: withoutKey },
  ]),
)(
  'each of $topics subscriptions of $clients clients $kind takes at most 500 bytes, which are given back',
  async size => {
    const { clients, topics, nameOf } = size
    const before = await heapBytes()
    const peers: Peer[] = []
    for (let index = 0; index < clients; index++) {
      const peer = hub.connect(nameOf(index), CONNECTION)
      peers.push(peer)
      await Promise.all(topicsOf(index, topics).map(topic => hub.subscribe(peer, topic, 'irn')))
    }
    expect(((await heapBytes()) - before) / (clients * topics)).toBeLessThan(MOST)

    for (const [index, peer] of peers.entries()) {
      await Promise.all(topicsOf(index, topics).map(topic => hub.unsubscribe(peer, topic)))
      hub.disconnect(peer)
    }
    peers.length = 0
    mailbox.sweep()
    expect(((await heapBytes()) - before) / (clients * topics)).toBeLessThan(MOST_LEFT)
  },
)
