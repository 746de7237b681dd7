import { expect, test, vi } from 'vitest'
import { createAutoLock } from './alarms.ts'
import browser, { world } from './browser.fixture.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

test('sets the alarm to the given time, and only that alarm locks', async () => {
  let locks = 0
  const lockAt = createAutoLock(async () => locks++)
  expect(world.alarms).toEqual([])
  lockAt(1_000)
  lockAt(2_000)
  expect(world.alarms).toEqual([
    ['auto-lock', { when: 1_000 }],
    ['auto-lock', { when: 2_000 }],
  ])
  await browser.alarms.onAlarm.fire({ name: 'another' })
  expect(locks).toBe(0)
  await browser.alarms.onAlarm.fire({ name: 'auto-lock' })
  expect(locks).toBe(1)
})
