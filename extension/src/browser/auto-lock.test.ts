import { expect, test, vi } from 'vitest'
import { AUTO_LOCK_MINUTES, createAutoLock } from './auto-lock.ts'
import browser, { world } from './browser.fixture.ts'

vi.mock('webextension-polyfill', () => import('./browser.fixture.ts'))

test('each use puts the alarm off, and only that alarm locks', async () => {
  let locks = 0
  const used = createAutoLock(async () => locks++)
  expect(world.alarms).toEqual([])
  used()
  used()
  const alarm = ['auto-lock', { delayInMinutes: AUTO_LOCK_MINUTES }]
  expect(world.alarms).toEqual([alarm, alarm])
  await browser.alarms.onAlarm.fire({ name: 'another' })
  expect(locks).toBe(0)
  await browser.alarms.onAlarm.fire({ name: 'auto-lock' })
  expect(locks).toBe(1)
})
