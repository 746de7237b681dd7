/** Metrics of Redis, and of the servers that share it. docs/metrics.md explains their use. */
import type { Metrics } from '../metrics/metrics.ts'
import type { Nodes } from './nodes.ts'
import type { Observer } from './observed.ts'
import { type Redis, RedisUnavailable, type Reply } from './redis.ts'

/** Buckets in seconds, up to the timeout of a call. */
const CALL = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

/** Wraps Redis to measure commands and scripts. Their order stays the same. */
export const measuredRedis = (redis: Redis, { counter, histogram }: Metrics): Redis => {
  const seconds = histogram('redis_call_seconds', 'Seconds from a call of Redis to its reply or failure', CALL)
  const failures = counter(
    'redis_call_failures_total',
    'Calls that Redis did not answer in time, or refused because of its state',
  )
  const measured = async (reply: Promise<Reply>): Promise<Reply> => {
    const calledAt = performance.now()
    try {
      return await reply
    } catch (thrown) {
      if (thrown instanceof RedisUnavailable) failures.inc()
      throw thrown
    } finally {
      seconds.observe((performance.now() - calledAt) / 1000)
    }
  }
  return {
    ...redis,
    send: (key, args) => measured(redis.send(key, args)),
    run: (script, keys, args) => measured(redis.run(script, keys, args)),
  }
}

/**
 * Registers gauges of the servers and of the state of Redis. A gauge whose value Redis does not report has no sample.
 */
export const measureRedis = ({ gauge }: Metrics, redis: Redis, nodes: Nodes, { latest }: Observer): void => {
  gauge('redis_usable', '1 while Redis can be used, else 0', () => (redis.failure() === undefined ? 1 : 0))
  gauge('redis_servers', 'Servers of this kind on Redis, including servers lost in the last seconds', nodes.count)
  gauge('redis_losses', 'Times since the start that Redis was found to have lost stored data', nodes.recovery.losses)
  gauge('redis_primaries', 'Primaries of Redis', redis.primaries)
  gauge('redis_replicas', 'Replicas of all primaries that follow their changes', () => latest().replication?.replicas)
  gauge(
    'redis_replication_lag_bytes',
    'Bytes that the slowest replica has not confirmed',
    () => latest().replication?.lagBytes,
  )
  gauge(
    'redis_replica_silence_seconds',
    'Seconds since the last confirmation of the replica that has been silent for longest',
    () => latest().replication?.silentSeconds,
  )
  gauge('redis_memory_bytes', 'Memory that all primaries use', () => latest().memory?.usedBytes)
  gauge('redis_memory_limit_bytes', 'Sum of maxmemory of all primaries', () => latest().memory?.limitBytes)
  gauge('redis_memory_used_ratio', 'Share of its maxmemory that the fullest primary uses', () => latest().fullest)
  gauge('redis_slots_assigned', 'Slots of the cluster that have a primary', () => latest().slots?.assigned)
  gauge('redis_slots_ok', 'Slots of the cluster whose primary answers', () => latest().slots?.ok)
  gauge('redis_slots_failing', 'Slots of the cluster whose primary does not answer', () => latest().slots?.failing)
}
