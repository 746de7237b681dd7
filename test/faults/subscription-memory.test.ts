/** Memory per subscription in the most expensive case: each subscription has its own topic. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import { createLog } from '@heliograph/shared/server/process/log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeliveries, type Peer } from '../../relay-server/src/delivery/delivery.ts'
import { createHub, type Hub } from '../../relay-server/src/delivery/hub.ts'
import type { Client, Mailbox } from '../../relay-server/src/mailbox/mailbox.ts'
import { createRelayMetrics } from '../../relay-server/src/metrics.ts'
import { openTemporaryMailbox, type TemporaryMailbox } from '../../relay-server/src/temporary-mailbox.fixture.ts'

/**
 * V8's maps double their capacity when they are full. At the first size they are nearly full; at the second size they
 * have just doubled.
 */
const SIZES = [
  { clients: 250, topics: 1000 },
  { clients: 257, topics: 520 },
] as const
/** Maximum bytes per subscription, including its topic. */
const MAX_BYTES = 500
/** Maximum bytes per subscription that remain after all subscriptions have ended. */
const MAX_BYTES_LEFT = 40

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

/** Returns a flat string, like the text of a frame. */
const hex = (number: number): string => Buffer.from(number.toString(16).padStart(64, '0')).toString()

const CONNECTION = {
  isOpen: true,
  send: () => undefined,
  sendBytes: () => undefined,
  hasRoom: () => true,
  charge: () => undefined,
}

/** Returns a client's topics. */
const topicsOf = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => hex(index * count + place))

const withKey = (index: number): Client => `did:key:z${hex(index).slice(-47)}`
const withoutKey = (index: number): Client => `socket:${index}`

test.each(
  SIZES.flatMap(sizes => [
    { ...sizes, kind: 'with a key', nameOf: withKey },
    { ...sizes, kind: 'without a key', nameOf: withoutKey },
  ]),
)(
  'each of $topics subscriptions of $clients clients $kind takes at most 500 bytes, and frees it afterwards',
  async size => {
    const { clients, topics, nameOf } = size
    const before = await heapBytes()
    const peers: Peer[] = []
    for (let index = 0; index < clients; index++) {
      const peer = hub.connect(nameOf(index), CONNECTION)
      peers.push(peer)
      await Promise.all(topicsOf(index, topics).map(topic => hub.subscribe(peer, topic, 'irn')))
    }
    expect(((await heapBytes()) - before) / (clients * topics)).toBeLessThan(MAX_BYTES)

    for (const [index, peer] of peers.entries()) {
      await Promise.all(topicsOf(index, topics).map(topic => hub.unsubscribe(peer, topic)))
      hub.disconnect(peer)
    }
    peers.length = 0
    await mailbox.sweep()
    expect(((await heapBytes()) - before) / (clients * topics)).toBeLessThan(MAX_BYTES_LEFT)
  },
)
