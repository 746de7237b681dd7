/** Sums up the totals of all shards, as far as this server knows them. */
import { partOfTopic } from '@heliograph/shared/server/limits/shares'
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { QueueLimits, QueueSize } from '../frame-queue.ts'
import type { Totals } from './topic-script.ts'

const NOTHING: Totals = { topics: 0, frames: 0, bytes: 0, oldestAt: 0 }

/**
 * Returns the limit for a topic that has subscribers. It is higher, so that a full queue does not stop live delivery.
 */
const withReserve = (limit: number): number => Math.ceil(limit * 1.125)

export const createTotals = (limits: QueueLimits) => {
  const shards = Array.from({ length: SHARDS }, () => NOTHING)
  const sums = { topics: 0, frames: 0, bytes: 0 }
  /** Frames and bytes in flight to Redis, for each shard and for all shards together. */
  const sent = Array.from({ length: SHARDS }, () => ({ frames: 0, bytes: 0 }))
  const allSent = { frames: 0, bytes: 0 }
  /** Maximum number of frames, and of their bytes, that one payer may have on a topic. */
  const parts = [partOfTopic(limits.topicFrames, 'messages'), partOfTopic(limits.topicBytes, 'bytes')]

  return {
    /** Called with the totals in each answer, in the order of the answers. With a single server the sums are exact. */
    note: (shard: number, totals: Totals): void => {
      const before = shards[shard] ?? NOTHING
      for (const name of ['topics', 'frames', 'bytes'] as const) sums[name] += totals[name] - before[name]
      shards[shard] = totals
    },
    size: (): QueueSize => {
      const oldest = shards.reduce((time, { oldestAt }) => (oldestAt > 0 ? Math.min(time, oldestAt) : time), Infinity)
      return { ...sums, ...(oldest < Infinity && { oldestAt: oldest }) }
    },
    /**
     * Counts frames in flight: a positive number when they are sent to Redis, a negative number when Redis has
     * answered.
     */
    send: (shard: number, frames: number, bytes: number): void => {
      for (const sum of [sent[shard], allSent]) {
        if (!sum) continue
        sum.frames += frames
        sum.bytes += bytes
      }
    },
    /**
     * Returns the six limits for new frames of a shard (frames and bytes per topic, over all topics, and of one payer
     * on the topic), then the same six for topics that have subscribers. The frames of other shards are already
     * subtracted from the limits over all topics. For topics without subscribers, other shards' frames in flight are
     * subtracted too, although Redis may still refuse these frames.
     */
    limitsOf: (shard: number): number[] => {
      const { topicFrames, topicBytes, storeFrames, storeBytes } = limits
      const known = shards[shard] ?? NOTHING
      const own = sent[shard] ?? NOTHING
      const [frames, bytes] = [sums.frames - known.frames, sums.bytes - known.bytes]
      return [
        ...[topicFrames, topicBytes],
        ...[storeFrames - frames - (allSent.frames - own.frames), storeBytes - bytes - (allSent.bytes - own.bytes)],
        ...parts,
        ...[withReserve(topicFrames), withReserve(topicBytes)],
        ...[withReserve(storeFrames) - frames, withReserve(storeBytes) - bytes],
        ...parts.map(withReserve),
      ]
    },
  }
}
