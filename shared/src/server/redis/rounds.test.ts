import { expect, test } from 'vitest'
import { createRounds, SHARDS } from './shards.ts'

const distinct = (shards: readonly number[]): number => new Set(shards).size

test.each([
  [1, SHARDS, 1],
  [2, SHARDS / 2, 2],
  [3, 86, 3],
  [1000, 4, SHARDS / 4],
])('%i servers check %i shards each per round, and all shards in %i rounds', (count, each, rounds) => {
  const next = createRounds({ count: () => count })
  const all = Array.from({ length: rounds }, next)
  expect(all.map(({ length }) => length)).toEqual(Array(rounds).fill(each))
  expect(distinct(all[0] ?? [])).toBe(each)
  expect(distinct(all.flat())).toBe(SHARDS)
})
