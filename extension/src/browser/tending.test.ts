import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTending } from './alarms.ts'
import browser, { world } from './browser.fixture.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  vi.useFakeTimers()
  world.alarms.length = 0
  world.clearedAlarms.length = 0
  browser.alarms.onAlarm.clear()
})
afterEach(() => void vi.useRealTimers())

/** Returns a wallet that returns these pauses in turn and then has nothing left to do. */
const start = (...pauses: (number | null)[]) => {
  let times = 0
  const tendSoon = createTending(async () => pauses[times++] ?? null)
  return { tendSoon, times: () => times }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

test('runs at once, then after each pause, and clears the alarm when nothing is left', async () => {
  const { tendSoon, times } = start(2_000, 5_000)
  tendSoon()
  expect(world.alarms).toEqual([['tending', { periodInMinutes: 0.5 }]])
  await settle()
  expect(times()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(times()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(times()).toBe(2)
  expect(world.clearedAlarms).toEqual([])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([times(), world.clearedAlarms]).toEqual([3, ['tending']])
})

test('uses the alarm for a long pause, which wakes the worker', async () => {
  const { tendSoon, times } = start(30_000)
  tendSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([times(), world.clearedAlarms]).toEqual([1, []])
  await browser.alarms.onAlarm.fire({ name: 'tending' })
  expect([times(), world.clearedAlarms]).toEqual([2, ['tending']])
  await browser.alarms.onAlarm.fire({ name: 'another' })
  expect(times()).toBe(2)
})

test('sets the alarm no earlier than needed', async () => {
  const { tendSoon } = start(120_000, 30_000)
  tendSoon()
  await settle()
  expect(world.alarms.at(-1)).toEqual(['tending', { periodInMinutes: 2 }])
  await browser.alarms.onAlarm.fire({ name: 'tending' })
  expect(world.alarms.at(-1)).toEqual(['tending', { periodInMinutes: 0.5 }])
})

test('handles work added during a run in the same run', async () => {
  let busy = () => {}
  let times = 0
  const tendSoon = createTending(() => {
    times++
    return times > 1 ? Promise.resolve(null) : new Promise(resolve => (busy = () => resolve(null)))
  })
  tendSoon()
  tendSoon()
  expect(times).toBe(1)
  busy()
  await settle()
  expect([times, world.clearedAlarms]).toEqual([2, ['tending']])
})

test('reports a failure and retries with the alarm', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let works = false
  const tendSoon = createTending(async () => {
    if (!works) throw new Error('no storage')
    return null
  })
  tendSoon()
  await settle()
  expect([log.mock.calls.length, world.clearedAlarms]).toEqual([1, []])
  works = true
  await browser.alarms.onAlarm.fire({ name: 'tending' })
  expect(world.clearedAlarms).toEqual(['tending'])
  log.mockRestore()
})
