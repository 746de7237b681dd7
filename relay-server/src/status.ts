/** The facts of the status page (status.html), kept while the relay runs, and as the page asks for them. */
import { readBuild } from '@heliograph/shared/server/build'
import { createEvents, type Event } from '@heliograph/shared/server/events'
import { type Histogram, quantile } from '@heliograph/shared/server/histogram'
import type { Refusals } from '@heliograph/shared/server/refusals'
import { createSeries, type SeriesReport } from '@heliograph/shared/server/series'
import type { DamageLog, DamageReport } from '@heliograph/shared/server/storage/damage'
import type { Store } from '@heliograph/shared/server/storage/store'
import type { DayReport, Uptime } from '@heliograph/shared/server/uptime'
import type { TargetReport, WebhookJournal } from '@heliograph/shared/server/webhook-journal'
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { RelayMetrics } from './metrics.ts'
import { createStatusEvents } from './status-events.ts'

/** Milliseconds between two points of a chart, and the time that it shows. */
const STEP = 10_000
const SHOWN = 60 * 60 * 1000
const EVENTS = 8
/** Webhooks that are listed; of more, only their number is told. */
const MOST_WEBHOOKS = 20
/** Milliseconds for which an answer is good, whoever asks. */
const GOOD_FOR = 500
const MS_OF_MINUTE = 60_000

const figures = ['connections', 'topics', 'messages', 'webhooks', 'p50', 'p99', 'received', 'delivered'] as const
type Figure = (typeof figures)[number]

/** Times are in ms of Unix time, latencies in ms, rates in messages a second, shares from 0 to 1. */
export type Status = {
  version: string
  at: number
  startedAt: number
  /** Why the relay takes no messages, while it does not. */
  failure?: string
  /** Why the server does only a part of its work, one sentence for each limit that all share and that is reached. */
  degraded: readonly string[]
  /** Names of the shares that somebody used up of late. */
  usedUp: readonly string[]
  /** What of the store could not be read since the start, if anything. */
  damage?: DamageReport
  days: readonly DayReport[]
  connections: { now: number; peak: number }
  topics: { now: number; active?: number }
  mailbox: { messages: number; bytes: number; mostBytes: number; oldestAt?: number }
  webhooks: {
    /** Delivered in the last minute. */
    perMinute: number
    firstTry?: number
    targets: readonly TargetReport[]
    /** Targets that are not listed. */
    more: number
  }
  series: SeriesReport<Figure>
  events: readonly Event[]
  server: ServerFacts & {
    /** Under which methods are called: relay_, irn_, … */
    prefixes: readonly string[]
    memoryBytes: number
    freeBytes: number
    commit?: string
  }
}

/** What does not change while the relay runs. */
export type ServerFacts = {
  /** Version of the interface. */
  protocol: string
  /** In hex. */
  publicKey: string
  /** Most seconds that a message may wait, and most bytes of one. */
  maxTtl: number
  messageBytes: number
}

export type StatusOptions = {
  server: ServerFacts
  /** Most bytes of messages that wait. */
  storeBytes: number
  metrics: RelayMetrics
  mailbox: Pick<Mailbox, 'size'>
  store: Pick<Store, 'failure' | 'freeBytes'>
  damage: Pick<DamageLog, 'report'>
  refusals: Pick<Refusals, 'degraded' | 'usedUp'>
  journal: WebhookJournal
  uptime: Uptime
  connections: () => number
  /** Milliseconds of Unix time. */
  now?: () => number
}

export type StatusKeeper = {
  /** To be called once a second. */
  tick: () => void
  /** Messages that expired, and their bytes. */
  expired: (messages: number, bytes: number) => void
  /** The status as JSON. */
  json: () => string
}

/** What a growing number grew by since it was asked last. */
const growth = (read: () => number): (() => number) => {
  let before = read()
  return () => {
    const grown = read() - before
    before += grown
    return grown
  }
}

/** The observations of a histogram since it was asked last. */
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
  const received = growth(() => metrics.publishes.value)
  const delivered = growth(() => metrics.deliveries.value)
  const called = growth(journal.delivered)
  const acknowledged = newIn(metrics.acknowledgementSeconds)
  const { version, commit } = readBuild()
  let sampledAt = startedAt
  let made = { at: 0, json: '' }
  events.note('ok', 'Started')

  const sample = (time: number): void => {
    const seconds = (time - sampledAt) / 1000
    sampledAt = time
    const { bounds } = metrics.acknowledgementSeconds
    const counts = acknowledged()
    const p99 = inMs(quantile(bounds, counts, 0.99))
    const { topics, messages } = mailbox.size()
    series.add(time, {
      connections: connections(),
      topics,
      messages,
      webhooks: (called() * 60) / seconds,
      p50: inMs(quantile(bounds, counts, 0.5)),
      p99,
      received: received() / seconds,
      delivered: delivered() / seconds,
    })
    tell.latency(
      counts.reduce((sum, count) => sum + count, 0),
      p99,
    )
  }

  /** Of the last minute, as far as it was sampled. */
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
    return {
      version,
      at: now(),
      startedAt,
      ...(failure !== undefined && { failure }),
      degraded: refusals.degraded(),
      usedUp: refusals.usedUp(),
      ...(damage.report().places > 0 && { damage: damage.report() }),
      days: uptime.days(),
      connections: { now: connections(), peak: Math.max(uptime.peak(), connections()) },
      topics: { now: topics, ...(active !== undefined && { active }) },
      mailbox: { messages, bytes, mostBytes: storeBytes, ...(oldestAt !== undefined && { oldestAt }) },
      webhooks: {
        perMinute: webhooksPerMinute(),
        ...(firstTry !== undefined && { firstTry }),
        targets: targets.slice(0, MOST_WEBHOOKS).map(journal.report),
        more: Math.max(targets.length - MOST_WEBHOOKS, 0),
      },
      series: series.report(),
      events: events.list(),
      server: {
        ...server,
        prefixes: relayPrefixes,
        memoryBytes: process.memoryUsage.rss(),
        freeBytes: store.freeBytes(),
        ...(commit !== undefined && { commit }),
      },
    }
  }

  return {
    tick: () => {
      const failure = store.failure()
      uptime.tick(failure === undefined, connections())
      tell.store(failure)
      tell.webhooks(journal.states())
      if (series.isDue(now())) sample(now())
    },
    expired: tell.expired,
    json: () => {
      if (now() - made.at >= GOOD_FOR || now() < made.at) made = { at: now(), json: JSON.stringify(read()) }
      return made.json
    },
  }
}
