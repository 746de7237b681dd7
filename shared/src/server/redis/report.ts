/**
 * Reports the state of Redis and of the servers that share it, for the status page. Names no server, user or address.
 */
import type { Nodes } from './nodes.ts'
import type { Observed, Observer } from './observed.ts'
import type { Redis } from './redis.ts'

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
