import { expect, test } from 'vitest'
import type { NetworkView } from '../../messages.ts'
import { matchesNetwork, shownNetworks, sortedNetworks } from './networks.ts'

const network = (chainId: number, title: string): NetworkView => ({
  chainId,
  title,
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrls: [],
  added: true,
})
const networks = [network(8453, 'Base'), network(42161, 'Arbitrum One'), network(1, 'Ethereum')]
const view = (order: 'added' | 'name' | 'chainId', hidden: readonly number[] = [], chainId = 1) => ({
  networks,
  chainId,
  networkList: { order, hidden },
})
const ids = (list: readonly NetworkView[]) => list.map(({ chainId }) => chainId)

test('networks are in the chosen order', () => {
  expect(ids(sortedNetworks(view('added')))).toEqual([8453, 42161, 1])
  expect(ids(sortedNetworks(view('name')))).toEqual([42161, 8453, 1])
  expect(ids(sortedNetworks(view('chainId')))).toEqual([1, 8453, 42161])
})

test('a hidden network is not shown unless it is selected', () => {
  expect(ids(shownNetworks(view('added', [42161])))).toEqual([8453, 1])
  expect(ids(shownNetworks(view('added', [42161], 42161)))).toEqual([8453, 42161, 1])
})

test('a network is found by a part of its name, symbol or chain ID, in any case', () => {
  const [base] = networks as [NetworkView]
  for (const wanted of ['', ' bas ', 'BASE', 'eth', '845']) expect(matchesNetwork(base, wanted), wanted).toBe(true)
  for (const wanted of ['arbitrum', '8454']) expect(matchesNetwork(base, wanted), wanted).toBe(false)
})
