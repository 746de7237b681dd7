import { setImmediate as turn } from 'node:timers/promises'
import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client, Mailbox } from '../mailbox/mailbox.ts'
import { createRelayMetrics } from '../metrics.ts'
import { relayError } from '../reasons.ts'
import { openTemporaryMailbox, type TemporaryMailbox } from '../temporary-mailbox.fixture.ts'
import { createDeliveries, type Deliveries, type Peer } from './delivery.ts'
import { createHub, type Hub } from './hub.ts'

const ann: Client = 'did:key:zAnn'
const ben: Client = 'did:key:zBen'
const TOPIC = 'ab'.repeat(32)
const WINDOW = 3
const REDELIVER_AFTER = 8000

let opened: TemporaryMailbox
let mailbox: Mailbox
let deliveries: Deliveries
let hub: Hub
let time = 0

beforeEach(async () => {
  opened = await openTemporaryMailbox()
  mailbox = opened.mailbox
  const log = createLog('test', 'silent')
  const metrics = createRelayMetrics(createMetrics())
  time = 0
  deliveries = createDeliveries({
    mailbox,
    metrics,
    log,
    window: WINDOW,
    redeliverAfter: REDELIVER_AFTER,
    monotonic: () => time,
  })
  hub = createHub(mailbox, deliveries, log)
})
afterEach(() => opened.remove())

/** A connection that records its frames. */
const connect = (client: Client) => {
  const frames: { id: number; method: string; params: { data: { message: string } } }[] = []
  const take = (write: () => Uint8Array | undefined) => void frames.push(JSON.parse(String(write())))
  const connection = {
    isOpen: true,
    room: true,
    hasRoom: () => connection.room,
    send: () => undefined,
    charge: () => undefined,
    sendBytes: take,
  }
  const peer = hub.connect(client, connection)
  return { peer, connection, frames, texts: () => frames.map(frame => frame.params.data.message) }
}

/** Stores a message without offering it. */
const store = async (publisher: Client, message: string) => {
  const json = JSON.stringify(message)
  const publication = { topic: TOPIC, json, size: json.length, ttl: 300, tag: 0, attestation: '' }
  const { accepted, commit } = mailbox.append(publisher, [publication])
  await commit.durable
  return accepted
}

const publish = async (publisher: Client, ...messages: string[]) => {
  for (const message of messages)
    for (const accepted of await store(publisher, message)) hub.offer(TOPIC, mailbox.announce(accepted))
}

const subscribe = async (peer: Peer, prefix: RelayPrefix = 'irn') => {
  const { id, open } = await hub.subscribe(peer, TOPIC, prefix)
  open()
  return id
}

test('a subscriber gets its backlog, then live messages, each once and in order', async () => {
  const reader = connect(ben)
  await mailbox.subscribe(ben, TOPIC)
  await publish(ann, 'a', 'b')
  await subscribe(reader.peer)
  await publish(ann, 'c')
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c']))
})

test('pushes nothing before the response to the subscription', async () => {
  const reader = connect(ben)
  await publish(ann, 'a')
  const { open } = await hub.subscribe(reader.peer, TOPIC, 'irn')
  await publish(ann, 'b')
  expect(reader.frames).toEqual([])
  open()
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b']))
})

test.each([
  ['a client without a key', 'socket:1', 'irn', 50],
  ['a waku client', ben, 'waku', 50],
  ['any other client', ben, 'irn', 0],
] as const)('%s waits for its backlog: %s, %s, %i ms', async (_, client, prefix, wait) => {
  const reader = connect(client)
  const timeouts = vi.spyOn(globalThis, 'setTimeout')
  await subscribe(reader.peer, prefix)
  expect(timeouts.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([wait])
  timeouts.mockRestore()
})

test('each of many subscribers gets each message once and in order, over several turns', async () => {
  const readers = Array.from({ length: 100 }, (_, index) => connect(`socket:${index}`))
  for (const { peer } of readers) await subscribe(peer)
  await eventually(() => expect(readers.every(({ peer }) => peer.subscriptions[0]?.isReady)).toBe(true))
  await publish(ann, 'a', 'b')
  await eventually(() => {
    for (const { texts } of readers) expect(texts()).toEqual(['a', 'b'])
  })
})

test('a message published during a fan-out follows it, even if few subscribers remain', async () => {
  const readers = Array.from({ length: 64 }, (_, index) => connect(`socket:${index}`))
  for (const { peer } of readers) await subscribe(peer)
  await eventually(() => expect(readers.every(({ peer }) => peer.subscriptions[0]?.isReady)).toBe(true))
  await publish(ann, 'a')
  const [gone, ...others] = readers
  if (gone) await hub.unsubscribe(gone.peer, TOPIC)
  await publish(ann, 'b')
  await eventually(() => {
    for (const { texts } of others) expect(texts()).toEqual(['a', 'b'])
  })
  expect(gone?.texts()).toEqual([])
})

test('messages that could not be read are pushed in the next second', async () => {
  await publish(ann, 'm')
  vi.spyOn(mailbox, 'read').mockRejectedValueOnce(new Error('the store does not answer'))
  const { peer, texts } = connect(ben)
  await subscribe(peer)
  await eventually(() => expect(mailbox.read).toHaveBeenCalled())
  expect(texts()).toEqual([])
  await deliveries.redeliver()
  await eventually(() => expect(texts()).toEqual(['m']))
})

test('pushes at most the window without acknowledgement, and continues where it stopped', async () => {
  const reader = connect(ben)
  await subscribe(reader.peer)
  await publish(ann, 'a', 'b', 'c', 'd', 'e')
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c']))
  deliveries.acknowledge(reader.peer, reader.frames[1]?.id ?? 0)
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c', 'd']))
  for (const { id } of reader.frames) deliveries.acknowledge(reader.peer, id)
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c', 'd', 'e']))
})

test('pushes nothing to a subscriber that does not read until it does', async () => {
  const reader = connect(ben)
  await subscribe(reader.peer)
  await publish(ann, 'a')
  await eventually(() => expect(reader.texts()).toEqual(['a']))
  reader.connection.room = false
  await publish(ann, 'b', 'c')
  reader.connection.room = true
  hub.drain(reader.peer)
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c']))
})

test('repeats an unacknowledged push after 8 s with the same id, until it is acknowledged', async () => {
  const reader = connect(ben)
  await subscribe(reader.peer)
  await publish(ann, 'a', 'b')
  await eventually(() => expect(reader.frames).toHaveLength(2))
  const [first, second] = reader.frames
  deliveries.acknowledge(reader.peer, second?.id ?? 0)
  time = REDELIVER_AFTER - 1
  await deliveries.redeliver()
  expect(reader.frames).toHaveLength(2)
  time = REDELIVER_AFTER
  await deliveries.redeliver()
  expect(reader.frames.slice(2)).toEqual([first])
  await deliveries.redeliver()
  expect(reader.frames).toHaveLength(3)
  deliveries.acknowledge(reader.peer, first?.id ?? 0)
  time = 3 * REDELIVER_AFTER
  await deliveries.redeliver()
  expect(reader.frames).toHaveLength(3)
  expect(mailbox.size().messages).toBe(0)
})

test('a message acknowledged on one socket of a client is not repeated on another', async () => {
  const [one, two] = [connect(ben), connect(ben)]
  await subscribe(one.peer)
  await subscribe(two.peer)
  await publish(ann, 'a')
  await eventually(() => expect([one.texts(), two.texts()]).toEqual([['a'], ['a']]))
  deliveries.acknowledge(one.peer, one.frames[0]?.id ?? 0)
  time = REDELIVER_AFTER
  await deliveries.redeliver()
  expect(two.frames).toHaveLength(1)
})

test('an acknowledgement counts only on the socket of the push and with its id', async () => {
  const [one, stranger] = [connect(ben), connect(ben)]
  await subscribe(one.peer)
  await publish(ann, 'a')
  await eventually(() => expect(one.frames).toHaveLength(1))
  const id = one.frames[0]?.id ?? 0
  deliveries.acknowledge(stranger.peer, id)
  for (const wrong of [id + 1, 0, Number.NaN]) deliveries.acknowledge(one.peer, wrong)
  expect(mailbox.size().messages).toBe(1)
})

test('pushes unacknowledged messages again after a reconnect', async () => {
  const before = connect(ben)
  await subscribe(before.peer)
  await publish(ann, 'a', 'b')
  await eventually(() => expect(before.frames).toHaveLength(2))
  deliveries.acknowledge(before.peer, before.frames[0]?.id ?? 0)
  hub.disconnect(before.peer)
  await publish(ann, 'c')
  const after = connect(ben)
  await subscribe(after.peer)
  await eventually(() => expect(after.texts()).toEqual(['b', 'c']))
})

test('subscribing twice gives one subscription', async () => {
  const reader = connect(ben)
  expect(await subscribe(reader.peer)).toBe(await subscribe(reader.peer))
  await publish(ann, 'a')
  await eventually(() => expect(reader.frames).toHaveLength(1))
  await publish(ann, 'b')
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b']))
})

test('unsubscribing ends the topic on all sockets of the client', async () => {
  const [one, two, nobody] = [connect(ben), connect(ben), connect('socket:1')]
  for (const { peer } of [one, two]) await subscribe(peer)
  await subscribe(nobody.peer)
  await hub.unsubscribe(one.peer, TOPIC)
  await publish(ann, 'a')
  await eventually(() => expect(nobody.texts()).toEqual(['a']))
  expect([one.frames, two.frames]).toEqual([[], []])
  await hub.unsubscribe(nobody.peer, TOPIC)
  await publish(ann, 'b')
  expect(nobody.texts()).toEqual(['a'])
})

test('a connection that has closed cannot subscribe', async () => {
  const gone = connect('socket:1')
  gone.connection.isOpen = false
  await expect(hub.subscribe(gone.peer, TOPIC, 'irn')).rejects.toMatchObject({ code: -32002 })
  expect(mailbox.size().topics).toBe(0)
})

test('closed sockets leave no topic behind', async () => {
  const reader = connect('socket:1')
  await subscribe(reader.peer)
  expect(mailbox.size().topics).toBe(1)
  hub.disconnect(reader.peer)
  expect(mailbox.size().topics).toBe(0)
})

test('a refused subscription leaves no topic behind', async () => {
  const reader = connect(ben)
  const topics = Array.from({ length: 10 }, (_, index) => `topic ${index}`)
  for (const topic of topics) await hub.subscribe(reader.peer, topic, 'irn')
  await expect(hub.subscribe(reader.peer, TOPIC, 'irn')).rejects.toMatchObject({ code: -32005 })
  expect([mailbox.size().topics, reader.peer.subscriptions.length]).toEqual([10, 10])
})

test('refresh renews only subscriptions of connected clients with a key', async () => {
  const [present, gone, nobody] = [connect(ben), connect(ann), connect('socket:1')]
  for (const { peer } of [present, gone, nobody]) await subscribe(peer)
  hub.disconnect(gone.peer)
  const renewals = vi.spyOn(mailbox, 'subscribe')
  await hub.refresh()
  expect(renewals.mock.calls).toEqual([[ben, TOPIC, present.peer.payers]])
})

/** Makes the mailbox forget a subscription, as if Redis had lost it. */
const lose = (client: Client, topic = TOPIC) => mailbox.unsubscribe(client, topic)

test('a lost subscription is restored, with the messages published meanwhile', async () => {
  const reader = connect(ben)
  await subscribe(reader.peer)
  await publish(ann, 'a')
  await eventually(() => expect(reader.texts()).toEqual(['a']))
  await lose(ben)
  await store(ann, 'b')
  await hub.restore()
  await publish(ann, 'c')
  await eventually(() => expect(reader.texts()).toEqual(['a', 'b', 'c']))
})

test('all lost subscriptions are restored, however many', async () => {
  const topics = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(64))
  const clients = Array.from({ length: 20 }, (_, index): Client => `did:key:z${index}`)
  for (const client of clients) {
    const { peer } = connect(client)
    for (const topic of topics) await hub.subscribe(peer, topic, 'irn')
    for (const topic of topics) await lose(client, topic)
  }
  await hub.restore()
  for (const topic of topics) expect((await mailbox.clients(topic)).toSorted()).toEqual(clients.toSorted())
})

test('new messages whose numbers are below the cursor are pushed', async () => {
  const reader = connect(ben)
  await subscribe(reader.peer)
  await publish(ann, 'a')
  await eventually(() => expect(reader.texts()).toEqual(['a']))
  const [subscription] = reader.peer.subscriptions
  if (subscription) subscription.cursor = Number.MAX_SAFE_INTEGER
  await publish(ann, 'b')
  await hub.restore()
  await eventually(() => expect(reader.texts().at(-1)).toBe('b'))
})

test('a subscription that a limit refuses is left out, and the others are restored', async () => {
  const [reader, other] = [connect(ben), connect('did:key:zCat')]
  for (const { peer } of [reader, other]) {
    await subscribe(peer)
    await lose(peer.client)
  }
  vi.spyOn(mailbox, 'subscribe').mockRejectedValueOnce(
    relayError('limitExceeded', 'subscriptions', { limit: 1, setting: 'subscriptions' }),
  )
  await hub.restore()
  expect(await mailbox.clients(TOPIC)).toEqual([other.peer.client])
})

test('restoring rejects while the mailbox is unavailable', async () => {
  await subscribe(connect(ben).peer)
  vi.spyOn(mailbox, 'subscribe').mockRejectedValueOnce(
    relayError('resourceUnavailable', 'storeFailing', { cause: 'it is full' }),
  )
  await expect(hub.restore()).rejects.toThrow()
})

test.each(['restore', 'refresh'] as const)('%s does not bring back a subscription that ends meanwhile', async how => {
  const [reader, nameless] = [connect(ben), connect('socket:9')]
  for (const { peer } of [reader, nameless]) await subscribe(peer)
  const original = mailbox.subscribe
  const entered: (() => void)[] = []
  vi.spyOn(mailbox, 'subscribe').mockImplementation(async (...args) => {
    await new Promise<void>(resolve => entered.push(resolve))
    return original(...args)
  })
  const done = hub[how]()
  await eventually(() => expect(entered.length).toBeGreaterThan(0))
  await hub.unsubscribe(reader.peer, TOPIC)
  hub.disconnect(nameless.peer)
  for (const enter of entered) enter()
  await done
  await eventually(async () => expect(await mailbox.clients(TOPIC)).toEqual([]))
})

test('a client that disconnects or subscribes again meanwhile stays subscribed', async () => {
  const [gone, back] = [connect(ben), connect(ann)]
  for (const { peer } of [gone, back]) await subscribe(peer)
  const done = hub.restore()
  hub.disconnect(gone.peer)
  await Promise.all([hub.unsubscribe(back.peer, TOPIC), subscribe(back.peer), done])
  expect((await mailbox.clients(TOPIC)).toSorted()).toEqual([ann, ben].toSorted())
})

test('after any losses and changes, the mailbox has exactly the current subscriptions', async () => {
  const topics = ['00', '11'].map(part => part.repeat(32))
  const clients: Client[] = [ann, ben, 'socket:1']
  const original = mailbox.subscribe
  let isRestoring = false
  vi.spyOn(mailbox, 'subscribe').mockImplementation(async (...args) => {
    if (isRestoring) await turn()
    return original(...args)
  })
  const restore = (): Promise<void> => {
    isRestoring = true
    const done = hub.restore()
    isRestoring = false
    return done
  }
  const step = fc.record({
    act: fc.constantFrom('subscribe', 'unsubscribe', 'lose', 'restore'),
    client: fc.constantFrom(...clients),
    topic: fc.constantFrom(...topics),
    isAwaited: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const peers = new Map(clients.map(client => [client, connect(client).peer]))
      const expected = new Set<string>()
      const running: Promise<unknown>[] = []
      for (const { act, client, topic, isAwaited } of steps) {
        const peer = peers.get(client)
        if (!peer) continue
        if (act === 'subscribe') expected.add(`${client} ${topic}`)
        if (act === 'unsubscribe') expected.delete(`${client} ${topic}`)
        const work = {
          subscribe: () => hub.subscribe(peer, topic, 'irn'),
          unsubscribe: () => hub.unsubscribe(peer, topic),
          lose: () => lose(client, topic),
          restore,
        }[act]()
        running.push(work)
        if (isAwaited) await Promise.all(running)
      }
      await Promise.all(running)
      await hub.restore()
      const known = await Promise.all(
        topics.map(async topic => (await mailbox.clients(topic)).map(client => `${client} ${topic}`)),
      )
      expect(known.flat().toSorted()).toEqual([...expected].toSorted())
      for (const peer of peers.values()) {
        for (const topic of topics) await hub.unsubscribe(peer, topic)
        hub.disconnect(peer)
      }
    }),
  )
})
