/**
 * Shards: each topic belongs to one. A shard's keys, including the totals of its topics, are in one slot of a cluster,
 * so that a script can change a topic and the totals together.
 */
import { createHash, randomInt } from 'node:crypto'
import type { Nodes } from './nodes.ts'

/** Number of shards, which is more than a cluster has primaries. Changing it loses all stored contents. */
export const SHARDS = 256

export const shardOf = (topic: string): number => createHash('sha1').update(topic).digest().readUInt8(0) % SHARDS

/** Returns a key of a shard. `prefix` is `relay` or `bridge`. The braces make the shard decide the key's slot. */
export const shardKey = (prefix: string, shard: number, name: string): string => `${prefix}:{${shard}}:${name}`

/**
 * Lua code for a script that reads a shard's totals, KEYS[1]. It marks them with ARGV[3] unless they have a mark. Each
 * server remembers the mark, to detect that Redis has lost the shard.
 */
export const markLua = `
  redis.call('HSETNX', KEYS[1], 'mark', ARGV[3])
  local mark = redis.call('HGET', KEYS[1], 'mark')`

/**
 * Returns a function to call with each mark that was read. That function calls `onLost` if the shard's mark has
 * changed.
 */
export const createMarks = (onLost: () => void): ((shard: number, mark: string) => void) => {
  const marks = new Map<number, string>()
  return (shard, mark) => {
    const before = marks.get(shard)
    marks.set(shard, mark)
    if (before !== undefined && before !== mark) onLost()
  }
}

/** Minimum number of shards that a server checks per round, so that its sums do not become too old. */
const FEWEST = 4

/**
 * Divides the shards among the servers: any number of servers together checks each shard about once per round. Returns
 * a function that returns the shards of the next round. Each server starts at a random shard.
 */
export const createRounds = ({ count }: Pick<Nodes, 'count'>): (() => number[]) => {
  let first = randomInt(SHARDS)
  return () => {
    const length = Math.max(FEWEST, Math.ceil(SHARDS / count()))
    const shards = Array.from({ length: Math.min(SHARDS, length) }, (_, index) => (first + index) % SHARDS)
    first = (first + shards.length) % SHARDS
    return shards
  }
}
