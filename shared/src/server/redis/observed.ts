/**
 * State of the Redis servers, which one request at a time reads regularly. Metrics and the status page show it. A figure that
 * the servers do not tell is absent: hosted ones may refuse the commands.
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
import type { Redis } from './redis.ts'

/** Milliseconds between two readings. */
const READ_EVERY = 10_000

/** Figures of all primaries, undefined if one of them did not tell. */
export type Observed = {
  replication?: Replication
  /** Sums. The limit is undefined if a primary has none. */
  memory?: Memory
  /** Share of its limit that the fullest primary uses, from 0 to 1. */
  fullest?: number
  /** Only of a cluster. */
  slots?: Slots
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The values if all are there. */
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

/** The least favourable of what the primaries say of the cluster. */
const slotsOf = (views: readonly Slots[]): Slots | undefined =>
  views.length === 0
    ? undefined
    : {
        assigned: Math.min(...views.map(({ assigned }) => assigned)),
        ok: Math.min(...views.map(({ ok }) => ok)),
        failing: Math.max(...views.map(({ failing }) => failing)),
      }

/** Puts together the replies of the primaries, of which some may be missing. */
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
  /** The last reading. Empty before the first, and while no primary answers. */
  latest: () => Observed
  close: () => void
}

/** Reads the state now and then regularly. */
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
