/**
 * Shards: each topic belongs to one, whose keys are in one slot of a cluster, together with the totals of its topics. So a
 * script can change a topic and the totals at once.
 */
import { createHash } from 'node:crypto'

/** More than a cluster has primaries. Changing it loses the contents. */
export const SHARDS = 256

export const shardOf = (topic: string): number => createHash('sha1').update(topic).digest().readUInt8(0) % SHARDS

/** A key of a shard. `prefix` is `relay` or `bridge`; the braces make the shard its slot. */
export const shardKey = (prefix: string, shard: number, name: string): string => `${prefix}:{${shard}}:${name}`
