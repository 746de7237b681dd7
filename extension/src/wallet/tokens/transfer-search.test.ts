import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { FIRST_RANGE, LEAST_RANGE, type Looked, MOST_RANGES } from '../networks/log-search.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { unreachable } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { rpcError } from '../text/errors.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { type Sighting, searchTransfers } from './transfer-search.ts'

const [network] = testNetworks as [Network]
const TOKEN = `0x${'5a'.repeat(20)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const logTo = (receiver: string) => ({
  address: TOKEN,
  topics: [TRANSFER, topic(SECOND), topic(receiver)],
  data: `0x${'1'.padStart(64, '0')}`,
})

type Filter = { fromBlock: string; toBlock: string; topics: readonly unknown[] }

/** Runs a search. `answer` returns the logs for each range, which is read from the first filter. */
const searchWith = (answer: (range: Looked) => unknown) => {
  const ranges: Looked[] = []
  const chain: Chain = async (_network, _method, params = []) => {
    const { fromBlock, toBlock, topics } = params[0] as Filter
    if (topics[0] !== TRANSFER) return []
    const range = { from: Number(fromBlock), to: Number(toBlock) }
    ranges.push(range)
    return answer(range)
  }
  const sightings: Sighting[] = []
  const progress: number[] = []
  const search = (head: number, looked: Looked, stop: (done: number) => void = () => {}) =>
    searchTransfers(
      {
        chain,
        network,
        accounts: [ADDRESS],
        progress: done => {
          progress.push(done)
          stop(done)
        },
      },
      head,
      looked,
      async sighting => void sightings.push(sighting),
    )
  return { search, ranges, sightings, progress }
}

const unlooked = (head: number): Looked => ({ from: head + 1, to: head })

test('searches all blocks once, newest first, in growing ranges', async () => {
  const { search, ranges, sightings, progress } = searchWith(() => [logTo(ADDRESS)])
  expect(await search(100_000, unlooked(100_000))).toEqual({ ended: true, refusal: null })
  expect(ranges[0]).toEqual({ from: 100_001 - FIRST_RANGE, to: 100_000 })
  for (const [at, range] of ranges.slice(1).entries()) expect(range.to).toBe((ranges[at]?.from ?? 0) - 1)
  expect(ranges.at(-1)?.from).toBe(0)
  expect(ranges.length).toBeLessThan(6)
  expect(sightings.at(-1)?.looked).toEqual({ from: 0, to: 100_000 })
  expect(sightings[0]?.moves).toMatchObject([{ kind: 'erc20', amount: 1n }])
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
})

test('the next search reads new blocks first, then continues where the last search stopped', async () => {
  const { search, ranges } = searchWith(() => [])
  expect(await search(120, { from: 40, to: 100 })).toEqual({ ended: true, refusal: null })
  expect(ranges).toEqual([
    { from: 101, to: 120 },
    { from: 0, to: 39 },
  ])
})

test('ignores logs of transfers to other addresses', async () => {
  const { search, sightings } = searchWith(() => [logTo(SECOND), { address: 'no', topics: 7 }, null])
  await search(10, unlooked(10))
  expect(sightings.flatMap(({ moves }) => moves)).toEqual([])
})

test('a node with a range limit gets smaller ranges, and no block is skipped', async () => {
  const { search, ranges, sightings } = searchWith(({ from, to }) => {
    if (to - from + 1 > 1_000) throw nodeError({ code: -32005, message: 'more than 1000 blocks' })
    return []
  })
  expect(await search(5_000, unlooked(5_000))).toEqual({ ended: true, refusal: null })
  const taken = ranges.filter(({ from, to }) => to - from + 1 <= 1_000)
  expect(taken.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(5_001)
  expect(sightings).toHaveLength(taken.length)
})

test('stops if a node rejects every range, and keeps the searched blocks', async () => {
  const { search, sightings } = searchWith(({ from }) => {
    if (from < 500) throw nodeError({ code: -32000, message: 'history is pruned' })
    return []
  })
  expect(await search(10_000, { from: 600, to: 10_000 })).toEqual({ ended: false, refusal: 'history is pruned' })
  expect(sightings.at(-1)?.looked.from).toBeGreaterThanOrEqual(500)
  expect(sightings.at(-1)?.looked.from).toBeLessThan(500 + LEAST_RANGE * 2)
})

test('the number of requests per search is limited, so a long chain takes several searches', async () => {
  const { search, ranges } = searchWith(({ from, to }) => {
    if (to - from + 1 > 100) throw nodeError({ code: -32005, message: 'too much' })
    return []
  })
  const end = await search(10_000_000, unlooked(10_000_000))
  expect(end).toEqual({ ended: false, refusal: null })
  expect(ranges).toHaveLength(MOST_RANGES)
})

test('stops when it is cancelled or the node is unreachable', async () => {
  const called = searchWith(() => [])
  const off = called.search(1_000_000, unlooked(1_000_000), done => {
    if (done > 0.01) throw rpcError('userRejected')
  })
  await expect(off).rejects.toMatchObject({ code: 4001 })
  expect(called.sightings.length).toBeGreaterThan(0)
  const gone = searchWith(() => {
    throw unreachable()
  })
  await expect(gone.search(10, unlooked(10))).rejects.toMatchObject({ code: 4901 })
})
