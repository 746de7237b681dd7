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

/**
 * Lua of a script that reads the totals of a shard, KEYS[1]: marks them with ARGV[3], unless they have a mark. Each server
 * remembers the mark, so that it notices when Redis has lost the shard.
 */
export const markLua = `
  redis.call('HSETNX', KEYS[1], 'mark', ARGV[3])
  local mark = redis.call('HGET', KEYS[1], 'mark')`

/** Returns a function that is called with each mark that was read, and calls back when it is not the one before. */
export const createMarks = (onLost: () => void): ((shard: number, mark: string) => void) => {
  const marks = new Map<number, string>()
  return (shard, mark) => {
    const before = marks.get(shard)
    marks.set(shard, mark)
    if (before !== undefined && before !== mark) onLost()
  }
}
