/** The sums of all shards, as far as this server knows them. */
import { partOfTopic } from '@heliograph/shared/server/limits/shares'
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { QueueLimits, QueueSize } from '../frame-queue.ts'
import type { Totals } from './topic-script.ts'

const NOTHING: Totals = { topics: 0, frames: 0, bytes: 0, oldestAt: 0 }

/** The limit for a topic that has subscribers. It is higher, so that a full queue does not stop live delivery. */
const withReserve = (limit: number): number => Math.ceil(limit * 1.125)

export const createTotals = (limits: QueueLimits) => {
  const shards = Array.from({ length: SHARDS }, () => NOTHING)
  const sums = { topics: 0, frames: 0, bytes: 0 }
  /** Frames of each shard, and of all, that were sent to Redis and have no answer yet. */
  const sent = Array.from({ length: SHARDS }, () => ({ frames: 0, bytes: 0 }))
  const allSent = { frames: 0, bytes: 0 }
  /** The most that one payer may have of a topic. */
  const parts = [partOfTopic(limits.topicFrames, 'messages'), partOfTopic(limits.topicBytes, 'bytes')]

  return {
    /** Called with each answer in the order of the answers, so that the sums are exact as long as there is one server. */
    note: (shard: number, totals: Totals): void => {
      const before = shards[shard] ?? NOTHING
      for (const name of ['topics', 'frames', 'bytes'] as const) sums[name] += totals[name] - before[name]
      shards[shard] = totals
    },
    size: (): QueueSize => {
      const oldest = shards.reduce((time, { oldestAt }) => (oldestAt > 0 ? Math.min(time, oldestAt) : time), Infinity)
      return { ...sums, ...(oldest < Infinity && { oldestAt: oldest }) }
    },
    /** Counts frames that are sent to Redis, or with a negative number those that have an answer. */
    send: (shard: number, frames: number, bytes: number): void => {
      for (const sum of [sent[shard], allSent]) {
        if (!sum) continue
        sum.frames += frames
        sum.bytes += bytes
      }
    },
    /**
     * The limits for new frames of a shard: of the topic, of all topics, and of one payer's part of the topic; and the same
     * for topics that have subscribers. The other shards take their part of the limits of all topics. Frames on their way count too, except for topics with subscribers: Redis may refuse
     * them.
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
