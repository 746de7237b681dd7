/** Compares the simulation with exact results of queueing theory, and tests the plan. */
import { expect, test } from 'vitest'
import { randomFrom } from '../support/random.ts'
import { createEvents } from './events.ts'
import { ASSUMED, planFor } from './plan.ts'
import { type MessageCosts, processors, simulate } from './simulation.ts'

const NOTHING: MessageCosts = {
  relay: { publish: 0, read: 0, deliver: 0, acknowledge: 0 },
  primary: { append: 0, read: 0, acknowledge: 0 },
}
const publishing = (publish: number): MessageCosts => ({ ...NOTHING, relay: { ...NOTHING.relay, publish } })
const run = (costs: MessageCosts, rate: number, relays = 1, network = 0, load = 0) =>
  simulate({
    ...{ random: randomFrom(1), rate, seconds: 100, costs, network },
    relays: processors(relays, load),
    primaries: processors(1),
  })

test('events are returned in order of time', () => {
  const random = randomFrom(1)
  const events = createEvents<number>()
  const times = Array.from({ length: 1000 }, () => random(500))
  for (const at of times) events.add(at, at)
  const taken = times.map(() => events.next()?.at)
  expect([taken, events.next()]).toEqual([times.toSorted((a, b) => a - b), undefined])
})

// In an M/D/1 queue at a utilization of one half, half of the messages find it empty, and their time in the system is
// exactly the service time: https://en.wikipedia.org/wiki/M/D/1_queue
test('at a utilization of one half, half of the messages do not wait, and nearly no message waits without load', () => {
  const half = run(publishing(0.001), 500)
  expect(half.utilization.relay).toBeCloseTo(0.5, 1)
  expect(half.answer.p50).toBeGreaterThanOrEqual(0.001)
  expect(half.answer.p50).toBeLessThan(0.00105)
  expect(half.answer.p99).toBeGreaterThan(0.003)
  expect(run(publishing(0.001), 1).answer.p99).toBeLessThan(0.0012)
})

test('more relays share the work, and other work makes a relay slower', () => {
  expect(run(publishing(0.001), 500, 10).utilization.relay).toBeLessThan(0.07)
  expect(run(publishing(0.001), 100, 1, 0, 0.5).utilization.relay).toBeCloseTo(0.55, 1)
})

test('a response crosses the network twice, and a delivery four times', () => {
  const { answer, delivery } = run(NOTHING, 100, 2, 0.01)
  expect([answer.p50, delivery.p50]).toEqual([expect.closeTo(0.02, 6), expect.closeTo(0.04, 6)])
})

const costs = {
  message: { relay: { ...NOTHING.relay, publish: 0.0002 }, primary: { ...NOTHING.primary, append: 0.0002 } },
  connectionBytes: 10_000,
  connectionLoad: 2e-6,
  subscriptionBytes: 2000,
  waitingBytes: 1000,
}

test('a plan grows with the wallets, and names the limiting resource', () => {
  const [small, large] = [planFor(1000, costs), planFor(100_000_000, costs)]
  expect([small.relays, small.primaries]).toEqual([1, 1])
  expect(large.rate).toBeCloseTo((100_000_000 * ASSUMED.messagesADay * ASSUMED.peak) / 86_400, 0)
  expect(large.relays * ASSUMED.relayBytes).toBeGreaterThanOrEqual(large.relayBytes)
  expect(large.limits.relays).toBe('memory')
  const busy = { ...costs, message: { ...costs.message, primary: { ...NOTHING.primary, append: 0.01 } } }
  expect(planFor(100_000_000, busy).limits.primaries).toMatch(/^processor, more than 256 shards$/)
})
