/** Divides shards among servers: together, however many they are, they check each shard about once per round. */
import { randomInt } from 'node:crypto'
import type { Nodes } from './nodes.ts'
import { SHARDS } from './shards.ts'

/** Minimum number of shards that a server checks per round, so that its sums do not become too old. */
const FEWEST = 4

/** Returns a function that returns the shards of the next round. Each server starts at a random shard. */
export const createRounds = ({ count }: Pick<Nodes, 'count'>): (() => number[]) => {
  let first = randomInt(SHARDS)
  return () => {
    const length = Math.max(FEWEST, Math.ceil(SHARDS / count()))
    const shards = Array.from({ length: Math.min(SHARDS, length) }, (_, index) => (first + index) % SHARDS)
    first = (first + shards.length) % SHARDS
    return shards
  }
}
