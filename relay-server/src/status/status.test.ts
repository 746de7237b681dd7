import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import type { DamageReport } from '@heliograph/shared/server/storage/damage'
import { createWebhookJournal, type WebhookJournal } from '@heliograph/shared/server/webhooks/journal'
import { beforeEach, expect, test } from 'vitest'
import type { MailboxSize } from '../mailbox/mailbox.ts'
import { createRelayMetrics, type RelayMetrics } from '../metrics.ts'
import { createStatus, type Status, type StatusKeeper } from './status.ts'

const SECOND = 1000
const START = Date.UTC(2025, 10, 3, 4, 12)

let time: number
let failure: string | undefined
let damage: DamageReport = { places: 0, bytes: 0 }
let degraded: string[]
let usedUp: string[]
let size: MailboxSize
let connections: number
let metrics: RelayMetrics
let journal: WebhookJournal
let status: StatusKeeper

beforeEach(() => {
  time = START
  failure = undefined
  degraded = []
  usedUp = []
  damage = { places: 0, bytes: 0 }
  size = { topics: 3, messages: 2, bytes: 500, subscriptions: 1 }
  connections = 4
  metrics = createRelayMetrics(createMetrics())
  journal = createWebhookJournal(() => time)
  status = createStatus({
    server: { protocol: '2.0', publicKey: 'ab'.repeat(32), maxTtl: 100, messageBytes: 1000 },
    storeBytes: 9000,
    metrics,
    mailbox: { size: () => size },
    store: { failure: () => failure, freeBytes: () => 5000 },
    redis: undefined,
    damage: { report: () => damage },
    refusals: { degraded: () => degraded, usedUp: () => usedUp },
    journal,
    uptime: { tick: () => {}, days: () => [{ day: '2025-11-03', up: 1, of: 2 }], peak: () => 7, save: async () => {} },
    connections: () => connections,
    now: () => time,
  })
})

/** Advances time and returns the status. */
const after = async (seconds: number, each = (): void => {}): Promise<Status> => {
  for (let second = 0; second < seconds; second++) {
    time += SECOND
    each()
    await status.tick()
  }
  return JSON.parse(status.json())
}

test('reports reached limits and used-up shares', async () => {
  degraded = ['the limit subscriptions is reached']
  usedUp = ['address-subscriptions']
  expect(await after(1)).toMatchObject({ degraded, usedUp })
})

test('reports the figures and leaves out unknown ones', async () => {
  expect(await after(1)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    at: START + SECOND,
    startedAt: START,
    degraded: [],
    usedUp: [],
    days: [{ day: '2025-11-03', up: 1, of: 2 }],
    connections: { now: 4, peak: 7 },
    topics: { now: 3 },
    mailbox: { messages: 2, bytes: 500, mostBytes: 9000 },
    webhooks: { perMinute: 0, targets: [], more: 0 },
    series: {
      until: START,
      step: 10_000,
      values: {
        connections: [],
        topics: [],
        messages: [],
        webhooks: [],
        p50: [],
        p99: [],
        received: [],
        delivered: [],
      },
    },
    events: [{ at: START, level: 'ok', text: 'Started' }],
    server: {
      protocol: '2.0',
      publicKey: 'ab'.repeat(32),
      prefixes: expect.arrayContaining(['relay', 'irn']),
      maxTtl: 100,
      messageBytes: 1000,
      memoryBytes: expect.any(Number),
      freeBytes: 5000,
      ...(JSON.parse(status.json()).server.commit !== undefined && { commit: expect.stringMatching(/^[0-9a-f]{7}$/) }),
    },
  })
  size = { ...size, active: 1, oldestAt: START - SECOND }
  connections = 9
  expect(await after(1)).toMatchObject({
    topics: { now: 3, active: 1 },
    mailbox: { oldestAt: START - SECOND },
    connections: { now: 9, peak: 9 },
  })
})

test('rates and latencies cover ten seconds each', async () => {
  await after(10, () => {
    metrics.publishes.inc(40)
    metrics.deliveries.inc(20)
    for (const seconds of [0.004, 0.004, 0.09]) metrics.acknowledgementSeconds.observe(seconds)
  })
  const { values } = (await after(10)).series
  expect([values.received, values.delivered]).toEqual([
    [40, 0],
    [20, 0],
  ])
  const [p50, none] = values.p50
  const [p99] = values.p99
  expect(p50).toBeGreaterThan(3)
  expect(p50).toBeLessThanOrEqual(5)
  expect(p99).toBeGreaterThan(75)
  expect(p99).toBeLessThanOrEqual(100)
  expect(none).toBeNull()
  expect(values.connections).toEqual([4, 4])
})

test('keeps one hour', async () => {
  const { series } = await after(2 * 3600)
  expect(series.values.topics).toHaveLength(360)
  expect(series.until).toBe(time)
})

test('lists the first twenty webhooks by origin', async () => {
  const report = { attempt: 0, status: 200, took: 5, waiting: 0, retryAt: undefined }
  for (let index = 0; index < 30; index++)
    journal.note({ ...report, url: `https://h${index}.example/secret`, outcome: 'delivered' })
  const { webhooks } = await after(10)
  expect(webhooks).toMatchObject({ perMinute: 180, firstTry: 1, more: 10 })
  expect(webhooks.targets).toHaveLength(20)
  expect(status.json()).not.toContain('secret')
  expect((await after(60)).webhooks.perMinute).toBe(0)
})

test('a failing store is in the figures and the events', async () => {
  failure = 'the disk is full'
  const failing = await after(1)
  expect(failing.failure).toBe(failure)
  expect(failing.events[0]).toEqual({
    at: time,
    level: 'warn',
    text: 'The store refuses writes: the disk is full',
  })
  failure = undefined
  const well = await after(1)
  expect(well.failure).toBeUndefined()
  expect(well.events[0]?.text).toBe('The store accepts writes again')
})

test('damage is in the figures, if any', () => {
  expect(JSON.parse(status.json()).damage).toBeUndefined()
  damage = { places: 2, bytes: 700, lastAt: time }
  time += 1000
  expect(JSON.parse(status.json()).damage).toEqual(damage)
})

test('caches the status for a moment', () => {
  const first = status.json()
  time += 499
  size = { ...size, messages: 99 }
  expect(status.json()).toBe(first)
  time += 1
  expect(JSON.parse(status.json()).mailbox.messages).toBe(99)
})
