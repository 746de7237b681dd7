import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Accepted } from '../mailbox/mailbox.ts'
import type { Subscription } from './delivery.ts'
import { createFanOut } from './fan-out.ts'

const TOPIC = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
/** Subscriptions visited per turn of the event loop. */
const SLICE = 16

const messageOf = (seq: number): Accepted => ({ seq }) as Accepted

/** Subscriptions by topic, which record what they were offered and accept each message once. */
const setUp = () => {
  const subscriptions = new Map<string, Subscription[]>()
  const course: string[] = []
  const offer = vi.fn((subscription: Subscription, { seq }: Accepted) => {
    if (seq <= subscription.cursor) return
    if (seq > subscription.cursor + 1) throw new Error(`${seq} after ${subscription.cursor}`)
    subscription.cursor = seq
    course.push(`${subscription.topic}: ${seq}`)
  })
  const faults: unknown[] = []
  const fanOut = createFanOut({
    subscriptionsOf: topic => subscriptions.get(topic) ?? [],
    offer,
    onFault: fault => faults.push(fault),
  })
  const join = (topic: string, count: number, cursor = 0) => {
    const before = subscriptions.get(topic) ?? []
    const all = Array.from(
      { length: count },
      (_, index) => ({ topic: `${before.length + index}`, cursor }) as Subscription,
    )
    subscriptions.set(topic, [...before, ...all])
    return all
  }
  const over = async () => {
    while (fanOut.isUnderWay(TOPIC) || fanOut.isUnderWay(OTHER)) await turn()
  }
  return { fanOut, offer, course, faults, join, over, subscriptions }
}

test('visits a subscription once for all messages of a turn', async () => {
  const { fanOut, course, join, over, faults } = setUp()
  join(TOPIC, 3)
  for (const seq of [1, 2]) fanOut.add(TOPIC, messageOf(seq))
  expect(course).toEqual([])
  await over()
  expect(course).toEqual(['0: 1', '0: 2', '1: 1', '1: 2', '2: 1', '2: 2'])
  expect(faults).toEqual([])
})

test('yields to the event loop between slices, and alternates between topics', async () => {
  const { fanOut, course, join, over } = setUp()
  join(TOPIC, 2 * SLICE)
  for (const subscription of join(OTHER, 1)) subscription.topic = 'other'
  fanOut.add(TOPIC, messageOf(1))
  fanOut.add(OTHER, messageOf(1))
  await turn()
  expect(course).toHaveLength(SLICE)
  await over()
  expect(course).toHaveLength(2 * SLICE + 1)
  expect(course.indexOf('other: 1')).toBe(SLICE)
})

test('messages added during a round go to everyone, in another round for the subscriptions already visited', async () => {
  const { fanOut, join, over, faults, offer } = setUp()
  const early = join(TOPIC, 2 * SLICE)
  fanOut.add(TOPIC, messageOf(1))
  await turn()
  const late = join(TOPIC, 1, 1)
  fanOut.add(TOPIC, messageOf(2))
  expect(fanOut.isUnderWay(TOPIC)).toBe(true)
  await over()
  expect([...early, ...late].map(({ cursor }) => cursor)).toEqual(Array(2 * SLICE + 1).fill(2))
  expect(faults).toEqual([])
  const calls = offer.mock.calls.length
  await turn()
  expect(offer).toHaveBeenCalledTimes(calls)
})

test('an error in one subscription does not affect others', async () => {
  const { fanOut, join, over, faults } = setUp()
  const [broken, ...others] = join(TOPIC, 40)
  if (broken) broken.cursor = -1
  fanOut.add(TOPIC, messageOf(1))
  await over()
  expect(others.every(({ cursor }) => cursor === 1)).toBe(true)
  expect(faults).toMatchObject([{ message: '1 after -1' }])
})

test('each subscription gets the messages published during its life in order, whatever else happens', async () => {
  const step = fc.oneof(
    fc.record({ publish: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ join: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ leave: fc.nat() }),
    fc.record({ turns: fc.integer({ min: 1, max: 4 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const { fanOut, join, over, faults, subscriptions } = setUp()
      let seq = 0
      join(TOPIC, 20)
      for (const one of steps)
        if ('publish' in one) for (let left = one.publish; left > 0; left--) fanOut.add(TOPIC, messageOf(++seq))
        else if ('join' in one) join(TOPIC, one.join, seq)
        else if ('turns' in one) for (let left = one.turns; left > 0; left--) await turn()
        else {
          const all = subscriptions.get(TOPIC) ?? []
          subscriptions.set(TOPIC, all.toSpliced(one.leave % Math.max(all.length, 1), 1))
        }
      await over()
      expect(faults).toEqual([])
      expect((subscriptions.get(TOPIC) ?? []).every(({ cursor }) => cursor === seq)).toBe(true)
    }),
  )
})
