/** Measures the costs of one relay on one Redis server, and message latencies at given rates, with real servers. */
import { withRunning } from '../bench/clusters.ts'
import { generate } from '../bench/generate.ts'
import type { RedisServer } from '../support/redis.ts'
import type { Costs } from './plan.ts'
import type { MessageCosts } from './simulation.ts'

const STAGE = '1 relay, Redis'
const KIB = 1024
/** Number of sockets with a did:key and one subscription each. */
const SOCKETS = 10_000
/** Seconds during which the sockets are pinged. */
const WATCHED = 30
const STORE = { messages: 20_000, topics: 2000, writers: 50, window: 8 }
/**
 * A rate at which the processor is about half idle. A busier processor would handle several messages together, at a
 * lower cost per message.
 */
const MODERATE = { channels: 200, rate: 800, seconds: 15 }

/** Parts of a message's processor time, by the calls that docs/scaling.md lists. */
const RELAY_PARTS = { publish: 0.4, read: 0.2, deliver: 0.25, acknowledge: 0.15 }
const PRIMARY_PARTS = { append: 0.5, read: 0.17, acknowledge: 0.33 }

const memoryOf = async (stores: readonly RedisServer[]): Promise<number> => {
  const info = await Promise.all(stores.map(store => store.command('INFO', 'memory')))
  return info.reduce<number>((sum, text) => sum + Number(/used_memory:(\d+)/.exec(`${text}`)?.[1]), 0)
}

/** Runs work that adds `count` items. Returns by how many bytes each item increased the memory of Redis. */
const grown = async <T>(stores: readonly RedisServer[], count: number, work: () => Promise<T>) => {
  const before = await memoryOf(stores)
  const result = await work()
  return { result, bytes: ((await memoryOf(stores)) - before) / count }
}

const sharesOf = <K extends string>(parts: Record<K, number>, total: number): Record<K, number> =>
  Object.fromEntries(Object.entries<number>(parts).map(([name, part]) => [name, part * total])) as Record<K, number>

export const measureMessage = (): Promise<MessageCosts> =>
  withRunning(STAGE, async ({ target }) => {
    const { cpus } = await generate('pace', target, MODERATE)
    const [relay = 0, primary = 0] = cpus
    return { relay: sharesOf(RELAY_PARTS, relay), primary: sharesOf(PRIMARY_PARTS, primary) }
  })

/** Measures all costs that a plan needs. Takes about two minutes. */
export const measureCosts = async (): Promise<Costs> => {
  const message = await measureMessage()
  const idle = await withRunning(STAGE, ({ target, stores }) =>
    grown(stores, SOCKETS, () => generate('idle', target, { sockets: SOCKETS, isNamed: true, seconds: WATCHED })),
  )
  const stored = await withRunning(STAGE, ({ target, stores }) =>
    grown(stores, STORE.messages, () => generate('store', target, STORE)),
  )
  return {
    message,
    connectionBytes: idle.result.kib * KIB,
    connectionLoad: idle.result.cpu,
    subscriptionBytes: idle.bytes,
    waitingBytes: stored.bytes,
  }
}

/**
 * Measures real times in seconds at a rate of messages per second, and the utilization of the processor. The relay and
 * Redis share a processor, because the load needs the other one.
 */
export const measureTimes = (rate: number, seconds: number) =>
  withRunning(STAGE, async ({ target }) => {
    const times = await generate('pace', target, { channels: 200, rate, seconds })
    const of = (milliseconds: number): number => milliseconds / 1000
    return {
      answer: { p50: of(times.answerP50), p99: of(times.answerP99) },
      delivery: { p50: of(times.deliveryP50), p99: of(times.deliveryP99) },
      used: times.cpus.reduce((total, cpu) => total + cpu, 0) * rate,
    }
  })
