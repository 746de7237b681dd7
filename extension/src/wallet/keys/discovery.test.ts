import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { unreachable } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { rpcError } from '../text/errors.ts'
import { DERIVATION } from '../wallet.fixture.ts'
import { addressesAt } from './derivation.ts'
import { DISCOVERY_END, DISCOVERY_GAP, discover } from './discovery.ts'

const [network] = testNetworks
if (!network) throw new Error('no network')

const addresses = await addressesAt(DERIVATION, 0, 3 * DISCOVERY_GAP)

/** Creates a node on which the accounts at these indexes have a balance or a transaction count. */
const nodeOf = (rich: readonly number[], busy: readonly number[] = []) => {
  const asked: string[] = []
  const chain: Chain = async (_, method, [address, block] = []) => {
    asked.push(String(address))
    expect(block).toBe('latest')
    const used = method === 'eth_getBalance' ? rich : busy
    return used.includes(addresses.indexOf(address as (typeof addresses)[number])) ? '0x1' : '0x0'
  }
  return { chain, asked }
}
const indexesIn = async (chain: Chain, progress: (done: number) => void = () => {}) =>
  (await discover({ chain, network }, DERIVATION, progress)).map(({ index }) => index)

test('finds accounts with a balance or transactions, and stops after a gap of unused ones', async () => {
  const last = 4 + DISCOVERY_GAP
  expect(await indexesIn(nodeOf([]).chain)).toEqual([])
  expect(await indexesIn(nodeOf([0, 4], [2]).chain)).toEqual([0, 2, 4])
  expect(await indexesIn(nodeOf([4, last]).chain)).toEqual([4, last])
  const { chain, asked } = nodeOf([4, last + 1])
  expect(await indexesIn(chain)).toEqual([4])
  expect(new Set(asked)).toEqual(new Set(addresses.slice(0, last + 1)))
})

test('returns the index and the address of each account', async () => {
  expect(await discover({ chain: nodeOf([3]).chain, network }, DERIVATION, () => {})).toEqual([
    { index: 3, address: addresses[3] },
  ])
})

test('a node that reports every account as used does not keep the search going', async () => {
  const found = await indexesIn(async () => '0x1')
  expect(found).toHaveLength(DISCOVERY_END)
})

test('reports progress, and stops when it is cancelled', async () => {
  const told: number[] = []
  await indexesIn(nodeOf([]).chain, done => void told.push(done))
  expect(told).toEqual([0, 0.25, 0.5, 0.75])
  const { chain, asked } = nodeOf([])
  const called = indexesIn(chain, done => {
    if (done > 0) throw rpcError('userRejected', 'cancelled')
  })
  await expect(called).rejects.toThrow('Cancelled')
  expect(new Set(asked).size).toBe(5)
})

test('an unreachable node, or one with invalid responses, is an error, not an empty result', async () => {
  await expect(indexesIn(async () => null)).rejects.toMatchObject({ code: 4901 })
  const failing: Chain = async () => {
    throw unreachable()
  }
  await expect(indexesIn(failing)).rejects.toMatchObject({ code: 4901 })
})
