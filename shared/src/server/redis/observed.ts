/**
 * State of the Redis servers, read regularly for the metrics and the status page, with one request at a time. Values
 * that the servers do not report are absent: hosted servers may refuse the commands.
 */
import { oneAtATime } from '../process/one-at-a-time.ts'
import {
  type Fields,
  fieldsOf,
  highest,
  type Memory,
  memoryIn,
  type Replication,
  replicationIn,
  type Slots,
  slotsIn,
} from './info.ts'
import type { Nodes } from './nodes.ts'
import type { Redis } from './redis.ts'

/** Milliseconds between two readings. */
const READ_EVERY = 10_000

/** State of all primaries. A value is absent if one of them did not report it. */
export type Observed = {
  replication?: Replication
  /** Sums over all primaries. The limit is undefined if a primary has no limit. */
  memory?: Memory
  /** Share of its limit that the fullest primary uses, from 0 to 1. */
  fullest?: number
  /** Absent without a cluster. */
  slots?: Slots
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the values, or undefined if one of them is undefined or there are none. */
const allOf = <T>(values: readonly (T | undefined)[]): readonly T[] | undefined => {
  const known = values.filter(value => value !== undefined)
  return known.length === values.length && known.length > 0 ? known : undefined
}

const replicationOf = (primaries: readonly Replication[]): Replication => ({
  replicas: sumOf(primaries.map(({ replicas }) => replicas)),
  lagBytes: highest(primaries.flatMap(({ lagBytes }) => lagBytes ?? [])),
  silentSeconds: highest(primaries.flatMap(({ silentSeconds }) => silentSeconds ?? [])),
})

const memoryOf = (primaries: readonly Memory[]): Pick<Observed, 'memory' | 'fullest'> => {
  const limits = allOf(primaries.map(({ limitBytes }) => limitBytes))
  const shares = primaries.flatMap(({ usedBytes, limitBytes }) => (limitBytes ? usedBytes / limitBytes : []))
  const fullest = highest(shares)
  return {
    memory: { usedBytes: sumOf(primaries.map(({ usedBytes }) => usedBytes)), limitBytes: limits && sumOf(limits) },
    ...(fullest !== undefined && { fullest }),
  }
}

/** Merges the primaries' views of the cluster. Keeps the worst value of each field. */
const slotsOf = (views: readonly Slots[]): Slots | undefined =>
  views.length === 0
    ? undefined
    : {
        assigned: Math.min(...views.map(({ assigned }) => assigned)),
        ok: Math.min(...views.map(({ ok }) => ok)),
        failing: Math.max(...views.map(({ failing }) => failing)),
      }

/** Combines the replies of the primaries. Some replies may be missing. */
export const observedIn = (infos: readonly (Fields | undefined)[], views: readonly Fields[]): Observed => {
  const replication = allOf(infos.map(info => info && replicationIn(info)))
  const memory = allOf(infos.map(info => info && memoryIn(info)))
  const slots = slotsOf(views.flatMap(view => slotsIn(view) ?? []))
  return {
    ...(replication && { replication: replicationOf(replication) }),
    ...(memory && memoryOf(memory)),
    ...(slots && { slots }),
  }
}

const readEach = async (redis: Redis, args: readonly string[]): Promise<(Fields | undefined)[]> =>
  (await redis.sendEach(args)).map(reply => (typeof reply === 'string' ? fieldsOf(reply) : undefined))

/** Reads the state of all primaries. Never rejects. */
export const observe = async (redis: Redis): Promise<Observed> => {
  const infos = await readEach(redis, ['INFO'])
  const isCluster = infos.some(info => info?.get('cluster_enabled') === '1')
  const views = isCluster ? await readEach(redis, ['CLUSTER', 'INFO']) : []
  return observedIn(
    infos,
    views.filter(view => view !== undefined),
  )
}

export type Observer = {
  /** Returns the last state that was read. It is empty before the first reading, and while no primary answers. */
  latest: () => Observed
  close: () => void
}

/** Reads the state immediately, and then regularly. */
export const observeRegularly = (redis: Redis): Observer => {
  let latest: Observed = {}
  const read = oneAtATime(
    async () => {
      latest = await observe(redis)
    },
    () => undefined,
  )
  read()
  const timer = setInterval(read, READ_EVERY)
  return { latest: () => latest, close: () => clearInterval(timer) }
}

/** State of Redis and of the servers that share it, for the status page. Names no server, user or address. */
export type RedisReport = Observed & {
  isUsable: boolean
  /** Servers of this kind with a lease. */
  servers: number
  primaries: number
}

/** Returns a function that returns the current report. */
export const createRedisReport =
  (redis: Redis, nodes: Nodes, { latest }: Observer): (() => RedisReport) =>
  () => ({
    isUsable: redis.failure() === undefined,
    servers: nodes.count(),
    primaries: redis.primaries(),
    ...latest(),
  })
