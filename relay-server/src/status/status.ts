/** Collects the figures of the status page (status.html). */

import type { Refusals } from '@heliograph/shared/server/limits/refusals'
import { type Histogram, quantile } from '@heliograph/shared/server/metrics/histogram'
import { readCounter } from '@heliograph/shared/server/metrics/metrics'
import { createSeries, type SeriesReport } from '@heliograph/shared/server/metrics/series'
import { readBuild } from '@heliograph/shared/server/process/build'
import type { RedisReport } from '@heliograph/shared/server/redis/observed'
import type { DayReport, Uptime } from '@heliograph/shared/server/service/uptime'
import type { DamageLog, DamageReport } from '@heliograph/shared/server/storage/damage'
import type { Store } from '@heliograph/shared/server/storage/store'
import type { TargetReport, WebhookJournal } from '@heliograph/shared/server/webhooks/journal'
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { RelayMetrics } from '../metrics.ts'
import { createEvents, createStatusEvents, type Event } from './events.ts'

/** Milliseconds between the points of a chart, and the period in milliseconds that it shows. */
const STEP = 10_000
const SHOWN = 60 * 60 * 1000
const EVENTS = 8
/** Maximum number of webhooks in the list. The page shows only the number of further webhooks. */
const MAX_WEBHOOKS = 20
/** Milliseconds for which the JSON is cached. */
const CACHE_MS = 500
const MS_OF_MINUTE = 60_000

const figures = ['connections', 'topics', 'messages', 'webhooks', 'p50', 'p99', 'received', 'delivered'] as const
type Figure = (typeof figures)[number]

/** Times are Unix time in ms, latencies are in ms, rates in messages per second, fractions from 0 to 1. */
export type Status = {
  version: string
  at: number
  startedAt: number
  /** Reason why the relay accepts no messages. Absent while it does. */
  failure?: string
  /** One clause for each shared limit that is reached: "the limit … is reached". */
  degraded: readonly string[]
  /** Names of shares that were used up recently. */
  usedUp: readonly string[]
  /** Damage that was found in the store since the start. Absent if there is none. */
  damage?: DamageReport
  /** State of Redis and the relays on it. Absent if the store is a data directory. */
  redis?: RedisReport
  days: readonly DayReport[]
  connections: { now: number; peak: number }
  topics: { now: number; active?: number }
  mailbox: { messages: number; bytes: number; mostBytes: number; oldestAt?: number }
  webhooks: {
    /** Calls delivered in the last minute. */
    perMinute: number
    /** Fraction of the calls of the last 24 hours that were delivered at the first attempt. */
    firstTry?: number
    targets: readonly TargetReport[]
    /** Number of targets that are not listed. */
    more: number
  }
  series: SeriesReport<Figure>
  events: readonly Event[]
  server: ServerFacts & {
    /** Method prefixes: relay_, irn_, … */
    prefixes: readonly string[]
    memoryBytes: number
    /** Absent if the file system does not report it. */
    freeBytes?: number
    commit?: string
  }
}

/** Constants of the running relay. */
export type ServerFacts = {
  /** Version of the protocol. */
  protocol: string
  /** Public key that signs webhook calls, in hex. */
  publicKey: string
  /** Maximum time to live of a message in seconds, and its maximum size in bytes. */
  maxTtl: number
  messageBytes: number
}

export type StatusOptions = {
  server: ServerFacts
  /** Maximum bytes of stored messages. */
  storeBytes: number
  metrics: RelayMetrics
  mailbox: Pick<Mailbox, 'size'>
  /** The data directory. Its `failure` also reports a failure of Redis. */
  store: Pick<Store, 'failure' | 'freeBytes'>
  redis: (() => RedisReport) | undefined
  damage: Pick<DamageLog, 'report'>
  refusals: Pick<Refusals, 'degraded' | 'usedUp'>
  journal: WebhookJournal
  uptime: Uptime
  connections: () => number
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

export type StatusKeeper = {
  /** Called once a second. */
  tick: () => Promise<void>
  /** Records expired messages and their bytes. */
  expired: (messages: number, bytes: number) => void
  /** Returns the status as JSON. */
  json: () => string
}

/** Returns a function that is called with a counter's value and returns the increase since its last call. */
const growth = (): ((value: number) => number) => {
  let before = 0
  return value => {
    const grown = value - before
    before = value
    return grown
  }
}

/** Returns a function that returns the counts of a histogram's buckets since its last call. */
const newIn = ({ counts }: Histogram): (() => number[]) => {
  let before = counts.slice()
  return () => {
    const grown = Array.from(counts, (count, bucket) => count - (before[bucket] ?? 0))
    before = counts.slice()
    return grown
  }
}

const inMs = (seconds: number | undefined): number | undefined => seconds && seconds * 1000

export const createStatus = (options: StatusOptions): StatusKeeper => {
  const {
    server,
    storeBytes,
    metrics,
    mailbox,
    store,
    redis,
    damage,
    refusals,
    journal,
    uptime,
    connections,
    now = Date.now,
  } = options
  const startedAt = now()
  const events = createEvents(EVENTS, now)
  const tell = createStatusEvents(events, now)
  const series = createSeries(figures, { step: STEP, size: SHOWN / STEP, startedAt })
  const received = growth()
  const delivered = growth()
  const called = growth()
  const acknowledged = newIn(metrics.acknowledgementSeconds)
  const { version, commit } = readBuild()
  let sampledAt = startedAt
  let made = { at: 0, json: '' }
  events.note('ok', 'Started')

  const sample = async (time: number): Promise<void> => {
    const seconds = (time - sampledAt) / 1000
    sampledAt = time
    const [publishes, deliveries] = await Promise.all([readCounter(metrics.publishes), readCounter(metrics.deliveries)])
    const { bounds } = metrics.acknowledgementSeconds
    const counts = acknowledged()
    const p99 = inMs(quantile(bounds, counts, 0.99))
    const { topics, messages } = mailbox.size()
    series.add(time, {
      connections: connections(),
      topics,
      messages,
      webhooks: (called(journal.delivered()) * 60) / seconds,
      p50: inMs(quantile(bounds, counts, 0.5)),
      p99,
      received: received(publishes) / seconds,
      delivered: delivered(deliveries) / seconds,
    })
    tell.latency(
      counts.reduce((sum, count) => sum + count, 0),
      p99,
    )
  }

  /** Returns the webhook calls delivered per minute, averaged over the samples of the last minute. */
  const webhooksPerMinute = (): number => {
    const last = series.report().values.webhooks.slice(-MS_OF_MINUTE / STEP)
    const sum = last.reduce<number>((total, value) => total + (value ?? 0), 0)
    return Math.round(sum / Math.max(last.length, 1))
  }

  const read = (): Status => {
    const { topics, active, messages, bytes, oldestAt } = mailbox.size()
    const failure = store.failure()
    const firstTry = journal.firstTry()
    const targets = journal.states()
    const freeBytes = store.freeBytes()
    return {
      version,
      at: now(),
      startedAt,
      ...(failure !== undefined && { failure }),
      degraded: refusals.degraded(),
      usedUp: refusals.usedUp(),
      ...(damage.report().places > 0 && { damage: damage.report() }),
      ...(redis && { redis: redis() }),
      days: uptime.days(),
      connections: { now: connections(), peak: Math.max(uptime.peak(), connections()) },
      topics: { now: topics, ...(active !== undefined && { active }) },
      mailbox: { messages, bytes, mostBytes: storeBytes, ...(oldestAt !== undefined && { oldestAt }) },
      webhooks: {
        perMinute: webhooksPerMinute(),
        ...(firstTry !== undefined && { firstTry }),
        targets: targets.slice(0, MAX_WEBHOOKS).map(journal.report),
        more: Math.max(targets.length - MAX_WEBHOOKS, 0),
      },
      series: series.report(),
      events: events.list(),
      server: {
        ...server,
        prefixes: relayPrefixes,
        memoryBytes: process.memoryUsage.rss(),
        ...(freeBytes !== undefined && { freeBytes }),
        ...(commit !== undefined && { commit }),
      },
    }
  }

  return {
    tick: async () => {
      const failure = store.failure()
      uptime.tick(failure === undefined, connections())
      tell.store(failure)
      tell.webhooks(journal.states())
      if (series.isDue(now())) await sample(now())
    },
    expired: tell.expired,
    json: () => {
      if (now() - made.at >= CACHE_MS || now() < made.at) made = { at: now(), json: JSON.stringify(read()) }
      return made.json
    },
  }
}
