import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { QueueLimits } from './frame-queue.ts'
import type { Frame, FrameStore } from './frame-store.ts'
import { openQueue, type Queue } from './queue.ts'

const START = 1_800_000_000_000
const LIFE = 1000
const roomy: QueueLimits = { topicFrames: 100, topicBytes: 1000, storeFrames: 1000, storeBytes: 10_000 }

/** A store in memory. */
const openList = (frames: readonly Frame[] = []) => {
  const forgotten: Frame[] = []
  const store: FrameStore = {
    load: function* () {
      yield* frames
    },
    keep: () => undefined,
    forget: frame => void forgotten.push(frame),
    textOf: () => '',
    save: () => Promise.resolve(),
    count: () => 0,
  }
  return { store, forgotten }
}

const open = (limits: Partial<QueueLimits> = {}, frames: readonly Frame[] = []) => {
  const { store, forgotten } = openList(frames)
  const clock = { now: START }
  const queue = openQueue({
    store,
    limits: { ...roomy, ...limits },
    shares: sharesOf(),
    life: LIFE,
    now: () => clock.now,
  })
  return { queue, clock, forgotten }
}

const add = (queue: Queue, topic: string, text: string): Frame => queue.add(topic, text, 1)
const texts = (queue: Queue, topic: string) => [...queue.of(topic)].map(({ text }) => text)

test('returns the frames of one topic, in order', () => {
  const { queue } = open()
  for (const text of ['a', 'b', 'c']) add(queue, 't', text)
  add(queue, 'u', 'd')
  expect([texts(queue, 't'), texts(queue, 'u'), texts(queue, 'v')]).toEqual([['a', 'b', 'c'], ['d'], []])
  expect(queue.size()).toEqual({ topics: 2, frames: 4, bytes: 4, oldestAt: START })
})

test('a frame is removed once, and the topic with its last frame', () => {
  const { queue, forgotten } = open()
  const [first, second] = [add(queue, 't', 'é'), add(queue, 't', 'b')]
  for (const frame of [first, first]) queue.remove(frame)
  expect([queue.get(first.seq), queue.get(second.seq), texts(queue, 't')]).toEqual([undefined, second, ['b']])
  expect(forgotten).toEqual([first])
  queue.remove(second)
  expect(queue.size()).toEqual({ topics: 0, frames: 0, bytes: 0 })
})

test.each([
  ['topicFrames', { topicFrames: 2 }, 't'],
  ['topicBytes', { topicBytes: 4 }, 't'],
  ['storeFrames', { storeFrames: 2 }, 'u'],
  ['storeBytes', { storeBytes: 4 }, 'u'],
] as const)('reports exceeding %s until the frame is removed', (bound, limits, topic) => {
  const { queue } = open(limits)
  add(queue, 't', 'aé')
  add(queue, 't', 'b')
  expect(queue.brokenBound(topic)).toBeUndefined()
  const last = add(queue, topic, 'c')
  expect(queue.brokenBound(topic)).toBe(bound)
  queue.remove(last)
  expect([queue.brokenBound(topic), texts(queue, 't')]).toEqual([undefined, ['aé', 'b']])
})

test('an expired frame is not returned, and sweep removes it', () => {
  const { queue, clock, forgotten } = open()
  const first = add(queue, 't', 'a')
  clock.now += LIFE - 1
  add(queue, 't', 'b')
  expect([texts(queue, 't'), queue.sweep()]).toEqual([['a', 'b'], 0])
  clock.now += 1
  expect(texts(queue, 't')).toEqual(['b'])
  expect([queue.get(first.seq), queue.sweep(), queue.get(first.seq), queue.sweep()]).toEqual([first, 1, undefined, 0])
  expect([forgotten, queue.size()]).toEqual([[first], { topics: 1, frames: 1, bytes: 1, oldestAt: START + LIFE - 1 }])
})

test('frames of an earlier process come before new ones', () => {
  const before = ['a', 'b'].map((text, index) => ({
    seq: 7 + index,
    topic: 't',
    at: START - LIFE + 1,
    size: 1,
    publisher: 0,
    payers: NOBODY,
    text,
    isKept: true,
    isStored: true,
  }))
  const { queue, clock } = open({}, before)
  expect(add(queue, 't', 'c').seq).toBe(9)
  expect(texts(queue, 't')).toEqual(['a', 'b', 'c'])
  clock.now += 1
  expect([queue.sweep(), texts(queue, 't')]).toEqual([2, ['c']])
})

/** A minimal reference implementation. */
const createModel = (limits: QueueLimits) => {
  let frames: { topic: string; text: string; at: number }[] = []
  const sum = (list: typeof frames) => list.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0)
  return {
    add: (topic: string, text: string, at: number): string | undefined => {
      frames.push({ topic, text, at })
      const own = frames.filter(frame => frame.topic === topic)
      if (own.length > limits.topicFrames) return 'topicFrames'
      if (sum(own) > limits.topicBytes) return 'topicBytes'
      if (frames.length > limits.storeFrames) return 'storeFrames'
      return sum(frames) > limits.storeBytes ? 'storeBytes' : undefined
    },
    removeLast: () => void frames.pop(),
    removeFirst: (topic: string) => {
      const first = frames.find(frame => frame.topic === topic)
      frames = frames.filter(frame => frame !== first)
    },
    sweep: (now: number) => {
      frames = frames.filter(({ at }) => at + LIFE > now)
    },
    of: (topic: string, now: number) =>
      frames.filter(frame => frame.topic === topic && frame.at + LIFE > now).map(({ text }) => text),
    size: () => ({
      topics: new Set(frames.map(({ topic }) => topic)).size,
      frames: frames.length,
      bytes: sum(frames),
      ...(frames[0] && { oldestAt: frames[0].at }),
    }),
  }
}

const topic = fc.constantFrom('t', 'u', 'v')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), topic, text: fc.string({ maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), topic }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(LIFE) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
)

test('behaves like the reference implementation on random operations', () => {
  const limits = { topicFrames: 5, topicBytes: 20, storeFrames: 8, storeBytes: 30 }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const { queue, clock } = open(limits)
      const model = createModel(limits)
      for (const done of steps) {
        if (done.do === 'add') {
          const frame = add(queue, done.topic, done.text)
          const broken = model.add(done.topic, done.text, clock.now)
          expect(queue.brokenBound(done.topic)).toBe(broken)
          if (broken) {
            queue.remove(frame)
            model.removeLast()
          }
        } else if (done.do === 'remove') {
          queue.sweep()
          model.sweep(clock.now)
          const [first] = queue.of(done.topic)
          if (first) queue.remove(first)
          model.removeFirst(done.topic)
        } else if (done.do === 'wait') clock.now += done.ms
        else {
          queue.sweep()
          model.sweep(clock.now)
        }
        expect(queue.size()).toEqual(model.size())
        for (const name of ['t', 'u', 'v']) expect(texts(queue, name)).toEqual(model.of(name, clock.now))
      }
    }),
  )
})
