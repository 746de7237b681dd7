import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../process/log.ts'
import { openStore, type Store } from '../storage/store.ts'
import { openUptime, type Uptime } from './uptime.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const START = Date.UTC(2025, 10, 3, 4)

let folder: string
let store: Store
let time: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-'))
  store = openStore(folder)
  time = START
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const open = (): Uptime => openUptime(store, createLog('test', 'silent'), () => time)

/** Advances time with a tick every second. */
const pass = (uptime: Uptime, ms: number, isUp = true): void => {
  for (const end = time + ms; time < end; ) {
    time += SECOND
    uptime.tick(isUp, 0)
  }
}

test('the first day counts from the first start, earlier days do not count', () => {
  const uptime = open()
  pass(uptime, 600 * SECOND)
  const days = uptime.days()
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toEqual({ day: '2025-11-03', up: 600 * SECOND, of: 600 * SECOND })
  expect(days.at(-2)).toEqual({ day: '2025-11-02', up: 0, of: 0 })
})

test('time between a stop and the next start is downtime', async () => {
  const before = open()
  pass(before, 600 * SECOND)
  await before.save()
  time += 300 * SECOND
  const after = open()
  pass(after, 100 * SECOND)
  expect(after.days().at(-1)).toEqual({ day: '2025-11-03', up: 700 * SECOND, of: 1000 * SECOND })
})

test('a day without any uptime between others counts as down', async () => {
  const before = open()
  pass(before, 600 * SECOND)
  await before.save()
  time = START + 2 * DAY
  const after = open()
  pass(after, 10 * SECOND)
  const [first, down, last] = after.days().slice(-3)
  expect(first).toEqual({ day: '2025-11-03', up: 600 * SECOND, of: 20 * HOUR })
  expect(down).toEqual({ day: '2025-11-04', up: 0, of: DAY })
  expect(last).toEqual({ day: '2025-11-05', up: 10 * SECOND, of: 4 * HOUR + 10 * SECOND })
})

test('time while the service is failing or the machine sleeps is not uptime', () => {
  const uptime = open()
  pass(uptime, 60 * SECOND)
  pass(uptime, 30 * SECOND, false)
  time += 10 * 60 * SECOND
  uptime.tick(true, 0)
  expect(uptime.days().at(-1)).toMatchObject({ up: 60 * SECOND, of: 690 * SECOND })
})

test('a crash loses at most the last minute', async () => {
  const before = open()
  pass(before, 119 * SECOND)
  await endOfTurn()
  const after = open()
  expect(after.days().at(-1)).toMatchObject({ up: 60 * SECOND, of: 119 * SECOND })
})

test('the peak of connections is the peak of today', () => {
  const uptime = open()
  uptime.tick(true, 3)
  uptime.tick(true, 1)
  expect(uptime.peak()).toBe(3)
  time += DAY
  expect(uptime.peak()).toBe(0)
})

test('days older than 30 days are removed', async () => {
  for (let day = 0; day < 40; day++) {
    const uptime = open()
    pass(uptime, 10 * SECOND)
    await uptime.save()
    time += DAY
  }
  const kept = [...store.table<unknown, number>('days').entries()]
  expect(kept).toHaveLength(31)
  expect(open().days()[0]?.of).toBe(DAY)
})
