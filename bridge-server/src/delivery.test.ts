/** Tests delivery from a queue that answers asynchronously, as the queue in Redis does. */
import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import { expect, test } from 'vitest'
import { createDelivery, type Session, type Subscription } from './delivery.ts'
import type { FrameQueue, Page, QueuedFrame } from './frame-queue.ts'
import { createBridgeMetrics } from './metrics.ts'

const frameOf = (seq: number, publisher = 0): QueuedFrame => ({ seq, topic: 't', publisher, text: `${seq}` })

const open = () => {
  const reads: { after: number; answer: (page: Page) => Promise<void>; fail: () => Promise<void> }[] = []
  const removed: number[] = []
  const turn = () => new Promise<void>(resolve => setImmediate(resolve))
  const queue: FrameQueue = {
    serve: () => undefined,
    publish: () => undefined,
    read: (_, after) =>
      new Promise((resolve, reject) => {
        const answer = (page: Page) => {
          resolve(page)
          return turn()
        }
        const fail = () => {
          reject(new Error('Redis is down'))
          return turn()
        }
        reads.push({ after, answer, fail })
      }),
    detach: () => undefined,
    textOf: ({ text }) => text,
    remove: ({ seq }) => void removed.push(seq),
    keep: () => true,
    tick: () => Promise.resolve(),
    size: () => ({ topics: 0, frames: 0, bytes: 0 }),
    stored: () => 0,
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const delivery = createDelivery({ queue, window: 3, metrics: createBridgeMetrics(createMetrics()) })
  const sent: string[] = []
  let pings = 0
  const session: Session = {
    number: 1,
    payers: NOBODY,
    connection: {
      send: text => void sent.push(text),
      hasRoom: () => true,
      ping: () => ++pings,
      close: () => undefined,
    },
    subscriptions: new Map(),
    behind: new Set(),
    unconfirmed: [],
    isRefused: false,
  }
  const subscription: Subscription = { session, topic: 't', cursor: 0, isReading: false, heard: 0 }
  session.subscriptions.set('t', subscription)
  delivery.catchUp(subscription)
  /** Takes the oldest unanswered read. */
  const next = () => {
    const read = reads.shift()
    if (!read) throw new Error('no read is pending')
    return read
  }
  return { delivery, session, subscription, sent, removed, reads, next }
}

test('a frame that arrives while the topic is being read is sent after the earlier frames', async () => {
  const { delivery, subscription, sent, reads, next } = open()
  expect(delivery.offer(subscription, frameOf(2), 0)).toBe(false)
  await next().answer({ frames: [frameOf(1)], end: 1 })
  const second = next()
  expect([second.after, sent]).toEqual([1, ['1']])
  await second.answer({ frames: [frameOf(2)], end: 2 })
  expect(delivery.offer(subscription, frameOf(3), 0)).toBe(true)
  expect([sent, reads]).toEqual([['1', '2', '3'], []])
})

test('a frame that was read is not sent again when it arrives on the channel', async () => {
  const { delivery, subscription, sent, next } = open()
  await next().answer({ frames: [frameOf(1), frameOf(2)], end: 2 })
  for (const seq of [1, 2]) expect(delivery.offer(subscription, frameOf(seq), 0)).toBe(false)
  expect(sent).toEqual(['1', '2'])
})

test('a topic is read in pages, without the subscriber’s own frames', async () => {
  const { sent, reads, next } = open()
  await next().answer({ frames: [frameOf(1), frameOf(2, 1)], end: undefined })
  const second = next()
  expect(second.after).toBe(2)
  await second.answer({ frames: [frameOf(3)], end: 3 })
  expect([sent, reads]).toEqual([['1', '3'], []])
})

test('reading stops if there is no room, and continues once frames are confirmed', async () => {
  const { delivery, session, sent, removed, reads, next } = open()
  await next().answer({ frames: [1, 2, 3, 4].map(seq => frameOf(seq)), end: 4 })
  expect([sent, reads]).toEqual([['1', '2', '3'], []])
  delivery.confirm(session, 2)
  const second = next()
  expect([removed, second.after]).toEqual([[1, 2], 3])
  await second.answer({ frames: [frameOf(4)], end: 4 })
  expect(sent).toEqual(['1', '2', '3', '4'])
})

test('a failed read is tried again', async () => {
  const { delivery, session, subscription, sent, reads, next } = open()
  await next().fail()
  expect(delivery.offer(subscription, frameOf(2), 0)).toBe(false)
  expect(reads).toEqual([])
  delivery.tick(session)
  await next().answer({ frames: [frameOf(1), frameOf(2)], end: 2 })
  expect(sent).toEqual(['1', '2'])
})

test('after a gap the topic is read again, even if it is being read', async () => {
  const { delivery, subscription, sent, next } = open()
  delivery.catchUp(subscription)
  await next().answer({ frames: [], end: 0 })
  await next().answer({ frames: [frameOf(1)], end: 1 })
  delivery.catchUp(subscription)
  await next().answer({ frames: [frameOf(2)], end: 2 })
  expect(sent).toEqual(['1', '2'])
})

test('if a frame was missed, the topic is read before later frames are sent', async () => {
  const { delivery, subscription, sent, reads, next } = open()
  await next().answer({ frames: [], end: 0 })
  expect(delivery.offer(subscription, frameOf(1), 0)).toBe(true)
  expect(delivery.offer(subscription, frameOf(3), 2)).toBe(false)
  const read = next()
  expect([read.after, sent]).toEqual([1, ['1']])
  await read.answer({ frames: [frameOf(2), frameOf(3)], end: 3 })
  expect([sent, reads]).toEqual([['1', '2', '3'], []])
})

test('the subscriber’s own frame does not count as missed', async () => {
  const { delivery, subscription, sent, reads, next } = open()
  await next().answer({ frames: [], end: 0 })
  expect(delivery.offer(subscription, frameOf(1, 1), 0)).toBe(false)
  expect(delivery.offer(subscription, frameOf(2), 1)).toBe(true)
  expect([sent, reads]).toEqual([['2'], []])
})

test('nothing is sent to a socket that has closed while its topic was read', async () => {
  const { delivery, session, sent, reads, next } = open()
  delivery.end(session)
  await next().answer({ frames: [frameOf(1)], end: undefined })
  expect([sent, reads]).toEqual([[], []])
})
