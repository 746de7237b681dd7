/** The rows of the table, each with its workload, its servers and its figures. */
import type { DialectName } from './dialects.ts'
import { generate } from './generate.ts'
import { type Stage, withServer } from './servers.ts'

/** Result of one measurement of one server. `lost` and `wrong` must be 0. */
export type Sample = Readonly<Record<string, number>>

/**
 * A line of the table, which shows the sample's member `key`. With `isRatio`, the value is divided by the raw server's
 * value.
 */
export type Figure = { what: string; key: string; unit?: string; isRatio?: true; floor?: number; goal?: number }

/** Measures one server once. `seconds` is the duration of workloads that have no fixed length. */
export type Measure = (seconds: number) => Promise<Sample>

export type Row = {
  /** True if the row runs only when it is named. */
  isLong?: true
  /** True if the row runs in only one round, because its result does not vary. */
  isOnce?: true
  ours: Measure
  raw?: Measure
  figures: readonly Figure[]
}

type Load = { channels: number; subscribers: number; window: number }

const loading = (dialect: DialectName, options: Load): Measure => {
  return seconds =>
    withServer(dialect, async ({ target }) => {
      const { cpus: _, ...sample } = await generate('load', target(), { ...options, seconds })
      return sample
    })
}
const pairs = (channels: number, window: number) => {
  const options = { channels, window, subscribers: 1 }
  return { ours: loading('relay', options), raw: loading('raw4', options) }
}
const PAIRS = { channels: 500, subscribers: 1, window: 16 }
const FAN_OUT = { channels: 1, subscribers: 1000, window: 4 }

const pacing = (dialect: DialectName): Measure => {
  const options = { channels: 500, rate: 5000 }
  return seconds =>
    withServer(dialect, async ({ target }) => {
      const { cpus: _, ...sample } = await generate('pace', target(), { ...options, seconds })
      return sample
    })
}

const idling: Measure = async () => {
  const kib = async (isNamed: boolean): Promise<number> =>
    (await withServer('relay', ({ target }) => generate('idle', target(), { sockets: 10_000, isNamed, seconds: 1 })))
      .kib
  return { lost: 0, wrong: 0, anonymous: await kib(false), named: await kib(true) }
}

const MESSAGES = 100_000
const STORE = { messages: MESSAGES, topics: 10_000, writers: 50, window: 32 }
const DRAIN = { topics: STORE.topics, readers: 1000 }

const storeAndDrain = async ({ target, diskBytes }: Stage) => {
  const empty = diskBytes()
  const stored = await generate('store', target(), STORE)
  const bytes = (diskBytes() - empty) / MESSAGES
  return { bytes, stored, drained: await generate('drain', target(), { ...DRAIN, accepted: stored.accepted }) }
}

const storeAndKill = async ({ target, restart }: Stage) => {
  const { accepted } = await generate('store', target(), { ...STORE, killAfter: MESSAGES / 2 })
  await restart()
  return generate('drain', target(), { ...DRAIN, accepted })
}

/**
 * A message that was never accepted counts as lost. A message that is delivered after its acknowledgement counts as
 * wrong.
 */
const storing: Measure = async () => {
  const { bytes, stored, drained } = await withServer('relay', storeAndDrain)
  const killed = await withServer('relay', storeAndKill)
  return {
    lost: MESSAGES - stored.accepted.length + drained.lost + killed.lost,
    wrong: drained.wrong + drained.again + killed.wrong,
    bytes,
    stored: stored.perSecond,
    drained: drained.perSecond,
  }
}

const restarting: Measure = () =>
  withServer('relay', async ({ target, restart }) => {
    const messages = 10 * MESSAGES
    const { accepted } = await generate('store', target(), { ...STORE, messages })
    return { lost: messages - accepted.length, wrong: 0, restart: await restart() }
  })

const perCore = (what: string, floor: number, goal: number): [Figure] => [
  { what: `${what}: messages/s per core`, key: 'perCore', isRatio: true, floor, goal },
]

export const rows: Readonly<Record<string, Row>> = {
  w1: { ...pairs(500, 16), figures: perCore('500 pairs, 16 in flight each', 0.3, 0.45) },
  w1s: { ...pairs(500, 1), figures: perCore('500 pairs, 1 in flight each', 0.6, 0.75) },
  w1k: { ...pairs(5000, 2), isLong: true, figures: perCore('5,000 pairs, 2 in flight each', 0.6, 0.75) },
  w2: {
    ours: pacing('relay'),
    raw: pacing('raw4'),
    figures: [
      { what: '5,000/s: delivery, p50', key: 'deliveryP50', unit: 'ms', isRatio: true, floor: 1.5, goal: 1.2 },
      { what: '5,000/s: response, p99', key: 'answerP99', unit: 'ms', floor: 10, goal: 5 },
    ],
  },
  w3: {
    ours: idling,
    figures: [
      { what: 'memory of an idle socket', key: 'anonymous', unit: 'KiB', floor: 5, goal: 3.5 },
      { what: 'memory of an idle socket with a did:key', key: 'named', unit: 'KiB', floor: 8, goal: 5 },
    ],
  },
  w4d: {
    ours: storing,
    figures: [
      { what: 'messages stored for offline clients/s', key: 'stored' },
      { what: 'stored messages fetched/s', key: 'drained' },
      { what: 'messages lost by kill -9 halfway', key: 'lost', floor: 0, goal: 0 },
      { what: 'disk space of a 300-byte message', key: 'bytes', unit: 'B', floor: 700, goal: 500 },
    ],
  },
  w4m: {
    isLong: true,
    isOnce: true,
    ours: restarting,
    figures: [{ what: 'restart with 1,000,000 messages', key: 'restart', unit: 's', floor: 5, goal: 2 }],
  },
  w5: {
    ours: loading('relay', FAN_OUT),
    raw: loading('raw2', FAN_OUT),
    figures: perCore('one topic, 1,000 subscribers', 0.35, 0.55),
  },
  b1: {
    ours: loading('bridge', PAIRS),
    raw: loading('raw2', PAIRS),
    figures: [{ what: 'bridge, 500 pairs, 16 in flight each: messages/s per core', key: 'perCore', isRatio: true }],
  },
}
