import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createMetrics, type Metrics } from '@heliograph/shared/server/metrics/metrics'
import { createLog } from '@heliograph/shared/server/process/log'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import { type BridgeFrame, encodeBridgeFrame } from '@heliograph/shared/wire/bridge-frames'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FrameQueue } from './frame-queue.ts'
import { openFrameStore } from './frame-store.ts'
import { createHub, type Hub } from './hub.ts'
import { createBridgeMetrics } from './metrics.ts'
import { openLocalQueue } from './queue.ts'

const log = createLog('test', 'silent')
const queueLimits = { topicFrames: 5, topicBytes: 10_000, storeFrames: 100, storeBytes: 10_000 }
const limits = { topicClients: 3, clientTopics: 3, subscriptions: 4, unconfirmed: 30 }

let folder: string
let store: Store
let queue: FrameQueue
let metrics: Metrics
let hub: Hub
let notified: string[]
let refusals: string[]

const open = (): void => {
  store = openStore(folder)
  const frames = openFrameStore(store, log)
  const life = 60_000
  queue = openLocalQueue({ store: frames, limits: queueLimits, shares: sharesOf(), life, onExpired: () => undefined })
  metrics = createMetrics()
  notified = []
  refusals = []
  hub = createHub({
    queue,
    limits,
    shares: sharesOf(),
    metrics: createBridgeMetrics(metrics),
    refused: reason => void refusals.push(reason),
    log,
    notify: topic => void notified.push(topic),
  })
}
/** Simulates a crash after all pending writes. */
const crash = async (): Promise<void> => {
  await queue.close()
  await store.close()
  open()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-'))
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A socket that records what it receives and answers pings on request. */
const connect = () => {
  const received: BridgeFrame[] = []
  const connection = {
    room: Number.POSITIVE_INFINITY,
    pings: 0,
    hasRoom: () => connection.room > 0,
    send: (frame: string) => {
      connection.room -= 1
      received.push(JSON.parse(frame))
    },
    ping: () => ++connection.pings,
    closes: [] as [code: number, reason: string][],
    close: (code: number, reason: string) => void connection.closes.push([code, reason]),
  }
  const session = hub.connect(connection)
  const send = (frame: Partial<BridgeFrame>): number =>
    hub.receive(
      session,
      Buffer.from(encodeBridgeFrame({ topic: 't', type: 'pub', payload: '', silent: true, ...frame })),
    )
  return {
    session,
    connection,
    pub: (payload: string, more: Partial<BridgeFrame> = {}) => send({ payload, ...more }),
    sub: (topic = 't') => send({ topic, type: 'sub' }),
    send,
    /** Returns and clears the received payloads. */
    take: () => received.splice(0).map(({ payload }) => payload),
    confirm: (ping = connection.pings) => hub.confirm(session, ping),
    leave: () => hub.disconnect(session),
  }
}

const counted = async (name: string): Promise<string | undefined> =>
  new RegExp(`^heliograph_${name} (\\d+)$`, 'm').exec(await metrics.text())?.[1]

test('ignores a subscription handled after its socket has closed', () => {
  const late = connect()
  late.leave()
  late.sub()
  expect(hub.size().subscriptions).toBe(0)
})

test('a frame goes to every subscriber of its topic except its publisher', () => {
  const [ann, ben, cat, eve] = [connect(), connect(), connect(), connect()]
  for (const client of [ann, ben, cat]) client.sub()
  eve.sub('another')
  ann.pub('a')
  expect([ann.take(), ben.take(), cat.take(), eve.take()]).toEqual([[], ['a'], ['a'], []])
})

test('frames without a subscriber are queued, and the first subscriber gets them in order', () => {
  const [ann, ben, cat] = [connect(), connect(), connect()]
  for (const payload of ['a', 'b', 'c']) ann.pub(payload)
  ben.sub()
  expect(ben.take()).toEqual(['a', 'b', 'c'])
  ben.confirm()
  cat.sub()
  expect(cat.take()).toEqual([])
  expect(queue.size()).toEqual({ topics: 0, frames: 0, bytes: 0 })
})

test('a publisher that subscribes to its own topic gets none of its frames, and they stay queued', () => {
  const [ann, ben] = [connect(), connect()]
  ann.pub('a')
  ann.sub()
  ann.pub('b')
  expect(ann.take()).toEqual([])
  ben.sub()
  expect(ben.take()).toEqual(['a', 'b'])
})

test('subscribing twice has no further effect', () => {
  const [ann, ben] = [connect(), connect()]
  ann.pub('a')
  ben.sub()
  ben.sub()
  ann.pub('b')
  expect(ben.take()).toEqual(['a', 'b'])
})

test('an unconfirmed frame is queued again when its socket closes, before later frames', async () => {
  const [ann, ben] = [connect(), connect()]
  ben.sub()
  for (const payload of ['a', 'b']) ann.pub(payload)
  ben.confirm(1)
  ann.pub('c')
  ben.leave()
  ann.pub('d')
  const again = connect()
  again.sub()
  expect([ben.take(), again.take()]).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c', 'd'],
  ])
  expect(await counted('returns_total')).toBe('2')
})

test('a new socket gets the frames that a dead one has not confirmed', () => {
  const [ann, gone, back] = [connect(), connect(), connect()]
  gone.sub()
  ann.pub('a')
  back.sub()
  expect(back.take()).toEqual(['a'])
  back.confirm()
  gone.leave()
  expect([back.take(), queue.size().frames]).toEqual([[], 0])
})

test('a frame confirmed by one of two subscribers is not kept for the other', async () => {
  const [ann, ben, cat] = [connect(), connect(), connect()]
  for (const client of [ben, cat]) client.sub()
  ann.pub('a')
  ben.confirm()
  cat.leave()
  const late = connect()
  late.sub()
  expect([late.take(), await counted('returns_total')]).toEqual([[], '0'])
})

test('a subscriber with a full buffer gets queued frames later, in order with newer ones', () => {
  const [ann, ben] = [connect(), connect()]
  for (const payload of ['a', 'b', 'c']) ann.pub(payload)
  ben.connection.room = 2
  ben.sub()
  ann.pub('d')
  expect(ben.take()).toEqual(['a', 'b'])
  ben.connection.room = 2
  hub.drain(ben.session)
  ben.confirm()
  ann.pub('e')
  expect(ben.take()).toEqual(['c', 'd'])
  ben.connection.room = 2
  hub.drain(ben.session)
  ann.pub('f')
  expect(ben.take()).toEqual(['e', 'f'])
})

test('an unconfirming subscriber gets frames up to the window, and the rest once it confirms', () => {
  hub = createHub({
    queue,
    limits: { ...limits, unconfirmed: 2 },
    shares: sharesOf(),
    metrics: createBridgeMetrics(createMetrics()),
    refused: () => undefined,
    log,
    notify: () => undefined,
  })
  const [ann, ben] = [connect(), connect()]
  ben.sub()
  for (const payload of ['a', 'b', 'c', 'd', 'e']) ann.pub(payload)
  expect(ben.take()).toEqual(['a', 'b'])
  ben.confirm(1)
  expect(ben.take()).toEqual(['c'])
  ben.confirm()
  expect(ben.take()).toEqual(['d', 'e'])
})

test('a subscriber that does not read does not delay another', () => {
  const [ann, ben, cat] = [connect(), connect(), connect()]
  ben.connection.room = 0
  for (const client of [ben, cat]) client.sub()
  for (let index = 0; index < 20; index++) {
    ann.pub(`${index}`)
    cat.confirm()
  }
  expect(cat.take()).toHaveLength(20)
})

test.each([Number.NaN, -1, 0])('a pong for ping %d that was never sent confirms nothing', ping => {
  const [ann, ben] = [connect(), connect()]
  ben.sub()
  ann.pub('a')
  ben.confirm(ping)
  expect(queue.size().frames).toBe(1)
})

test('queued frames survive a crash, and sent frames that were not confirmed for a second', async () => {
  const [ann, ben] = [connect(), connect()]
  ben.sub('live')
  ann.pub('a')
  ann.pub('b', { topic: 'live' })
  ann.pub('c', { topic: 'live' })
  hub.tick()
  ben.confirm(1)
  await crash()
  const late = connect()
  late.sub()
  late.sub('live')
  expect(late.take()).toEqual(['a', 'c'])
})

test('frames not confirmed by a closed socket survive a crash', async () => {
  const [ann, ben] = [connect(), connect()]
  ben.sub()
  ann.pub('a')
  ben.leave()
  await crash()
  const late = connect()
  late.sub()
  expect(late.take()).toEqual(['a'])
})

test('confirmed frames are not sent again after a crash', async () => {
  const [ann, ben] = [connect(), connect()]
  for (const payload of ['a', 'b']) ann.pub(payload)
  await queue.close()
  ben.sub()
  ben.confirm(1)
  await crash()
  const late = connect()
  late.sub()
  expect(late.take()).toEqual(['b'])
})

test('every frame that is not silent calls the webhook, even with a subscriber', () => {
  const [ann, ben] = [connect(), connect()]
  ann.pub('a', { silent: false })
  ben.sub()
  ann.pub('b', { silent: false })
  ann.pub('c')
  ann.send({ type: 'sub', topic: 'u', silent: false })
  expect(notified).toEqual(['t', 't'])
})

test.each([
  ['topic-clients', ['t', 't', 't', 't']],
  ['subscriptions', ['t', 'u', 'v', 'w', 'x']],
])('exceeding %s closes the socket without subscribing, and is counted', (limit, topics) => {
  const clients = topics.map(topic => {
    const client = connect()
    client.sub(topic)
    return { client, topic }
  })
  const last = clients.at(-1)
  connect().pub('a', { topic: last?.topic ?? '' })
  expect(last?.client.take()).toEqual([])
  expect(refusals).toEqual([limit])
  expect(last?.client.connection.closes).toEqual([[1013, `limit reached (${limit})`]])
  clients[0]?.client.leave()
  last?.client.sub(last.topic)
  connect().pub('b', { topic: last?.topic ?? '' })
  expect(last?.client.take()).toEqual(expect.arrayContaining(['b']))
})

test('a socket that exceeds client-topics is closed', () => {
  const client = connect()
  for (const topic of ['t', 'u', 'v', 'w']) client.sub(topic)
  for (const topic of ['t', 'w']) connect().pub(topic, { topic })
  expect(client.take()).toEqual(['t'])
  expect(refusals).toEqual(['client-topics'])
  expect(client.connection.closes).toEqual([[1008, 'limit reached (client-topics)']])
})

test('exceeding a queue limit closes the socket, is counted, and calls no webhook', async () => {
  const [ann, eve, ben] = [connect(), connect(), connect()]
  for (let index = 0; index < 5; index++) ann.pub(`${index}`, { silent: false })
  expect(ann.connection.closes).toEqual([])
  ann.pub('5', { silent: false })
  eve.pub('6', { silent: false })
  for (const { connection } of [ann, eve]) expect(connection.closes).toEqual([[1013, 'limit reached (topic-frames)']])
  expect(await counted('dropped_total')).toBe('2')
  ben.sub()
  expect([ben.take(), notified.length]).toEqual([['0', '1', '2', '3', '4'], 5])
  expect(refusals).toEqual(['topic-frames', 'topic-frames'])
})

test('a frame delivered at once is accepted even if the queue is full', () => {
  const [ann, ben] = [connect(), connect()]
  for (let index = 0; index < 5; index++) ann.pub(`${index}`)
  ben.sub()
  ann.pub('live')
  expect([ben.take().at(-1), refusals]).toEqual(['live', []])
  ben.leave()
  const late = connect()
  late.sub()
  expect(late.take()).toEqual(['0', '1', '2', '3', '4', 'live'])
})

test('a message over the message rate closes the socket, unless it is an acknowledgement', () => {
  const ann = connect()
  const refuse = (frame: Partial<BridgeFrame>) =>
    hub.refuse(
      ann.session,
      Buffer.from(encodeBridgeFrame({ topic: 't', type: 'pub', payload: '', silent: true, ...frame })),
    )
  expect(refuse({ type: 'ack' })).toBe(0)
  expect(ann.connection.closes).toEqual([])
  expect(refuse({})).toBe(1)
  expect(ann.connection.closes).toEqual([[1008, 'too many messages (message-rate)']])
  expect(queue.size().frames).toBe(0)
})

test('acknowledgements cost no tokens; other and invalid frames cost one', async () => {
  const ann = connect()
  expect([ann.pub('a'), ann.sub(), ann.send({ type: 'ack' })]).toEqual([1, 1, 0])
  expect([hub.receive(ann.session, Buffer.from('nonsense')), await counted('ignored_total')]).toEqual([1, '1'])
})

test('all open sockets are pinged', () => {
  const [ann, ben, gone] = [connect(), connect(), connect()]
  gone.leave()
  hub.ping()
  expect([ann, ben, gone].map(({ connection }) => connection.pings)).toEqual([1, 1, 0])
})
