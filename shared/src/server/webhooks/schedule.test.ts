import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createSchedule, newTarget } from './schedule.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A schedule of named calls, which the test completes. */
const start = () => {
  const begun: string[] = []
  const ends = new Map<string, (hasAnswered: boolean | undefined) => void>()
  const schedule = createSchedule<string>(call => {
    begun.push(call)
    return new Promise(resolve => ends.set(call, resolve))
  })
  const end = async (call: string, hasAnswered: boolean | undefined): Promise<void> => {
    ends.get(call)?.(hasAnswered)
    await turn()
  }
  return { schedule, begun, end }
}

test('makes four calls to a target at a time', async () => {
  const { schedule, begun, end } = start()
  const target = newTarget<string>()
  for (const call of ['a', 'b', 'c', 'd', 'e', 'f']) schedule.add(target, call, 0)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await end('c', true)
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('makes one call at a time to a target that did not respond', async () => {
  const { schedule, begun, end } = start()
  const target = newTarget<string>()
  for (const call of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) schedule.add(target, call, 0)
  for (const call of ['a', 'b', 'c', 'd']) await end(call, false)
  expect(begun).toHaveLength(5)
  await end('e', undefined)
  expect(begun).toHaveLength(6)
  await end('f', true)
  schedule.add(target, 'h', 0)
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})

test('limits running calls overall, and alternates between targets', async () => {
  const { schedule, begun, end } = start()
  const targets = Array.from({ length: 200 }, () => newTarget<string>())
  for (const [at, target] of targets.entries())
    for (let call = 0; call < 8; call++) schedule.add(target, `${at}.${call}`, 0)
  expect(begun).toHaveLength(512)
  await end('0.0', true)
  await end('0.1', true)
  expect(begun.slice(512)).toEqual(['128.0', '129.0'])
})

test('makes no call before its time, and none after closing', async () => {
  vi.useFakeTimers({ now: 1000 })
  const { schedule, begun } = start()
  const target = newTarget<string>()
  schedule.add(target, 'late', 1500)
  schedule.add(target, 'later', 2500)
  await vi.advanceTimersByTimeAsync(499)
  expect(begun).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['late'])
  schedule.close()
  schedule.add(target, 'never', 0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(begun).toEqual(['late'])
})
