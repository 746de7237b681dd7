/** Shards in turns, so that all servers together look at each shard about once in a round, however many they are. */
import { randomInt } from 'node:crypto'
import type { Nodes } from './nodes.ts'
import { SHARDS } from './shards.ts'

/** The fewest shards of a server in one round, so that its sums are at most so many rounds old. */
const FEWEST = 4

/** Returns the shards of the next round. Each server starts at another one. */
export const createRounds = ({ count }: Pick<Nodes, 'count'>): (() => number[]) => {
  let first = randomInt(SHARDS)
  return () => {
    const length = Math.max(FEWEST, Math.ceil(SHARDS / count()))
    const shards = Array.from({ length: Math.min(SHARDS, length) }, (_, index) => (first + index) % SHARDS)
    first = (first + shards.length) % SHARDS
    return shards
  }
}
