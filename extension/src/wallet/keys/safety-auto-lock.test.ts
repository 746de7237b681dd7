import { expect, test } from 'vitest'
import { memoryStore, type Stores } from '../storage/store.ts'
import { createAutoLock, MAX_AUTO_LOCK } from './safety.ts'

const MINUTE = 60_000

const started = (store: Stores = { local: memoryStore(), session: memoryStore() }, time = 0) => {
  const locks: (number | null)[] = []
  const clock = { time }
  const autoLock = createAutoLock({
    settings: store.local,
    session: store.session,
    now: () => clock.time,
    lockAt: at => void locks.push(at),
  })
  return { autoLock, locks, clock, store }
}

test('each use restarts the countdown', async () => {
  const { autoLock, locks, clock } = started()
  await autoLock.used()
  clock.time = MINUTE
  await autoLock.used()
  await autoLock.setMinutes(5)
  expect(locks).toEqual([15 * MINUTE, 16 * MINUTE, 6 * MINUTE])
  expect(await autoLock.minutes()).toBe(5)
})

test('minutes out of bounds are rejected and change nothing', async () => {
  const { autoLock, locks } = started()
  for (const minutes of [0, -1, 1.5, MAX_AUTO_LOCK + 1, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(autoLock.setMinutes(minutes)).rejects.toMatchObject({ code: -32602 })
  expect([await autoLock.minutes(), locks]).toEqual([15, []])
})

test('a restarted worker sets the alarm again, or reports that the lock is overdue', async () => {
  const { autoLock, store } = started()
  expect(await autoLock.isOverdue()).toBe(false)
  await autoLock.used()
  const next = started(store, 14 * MINUTE)
  expect([await next.autoLock.isOverdue(), next.locks]).toEqual([false, [15 * MINUTE]])
  const late = started(store, 15 * MINUTE)
  expect([await late.autoLock.isOverdue(), await late.autoLock.isOverdue(), late.locks]).toEqual([true, false, []])
})

test('the minutes are stored on disk, and the lock time in the session', async () => {
  const { autoLock, store } = started()
  await autoLock.setMinutes(30)
  const tomorrow = started({ ...store, session: memoryStore() }, 1_000 * MINUTE)
  expect([await tomorrow.autoLock.minutes(), await tomorrow.autoLock.isOverdue()]).toEqual([30, false])
})
