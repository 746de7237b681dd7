import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { reviewNetwork } from './network.ts'

const [local] = defaultNetworks as [Network]
const names = (network: Network, known = false) =>
  reviewNetwork(network, known, defaultNetworks).map(({ name }) => name)

test('a network that is not the wallet’s own is never without a caution', () => {
  expect(names({ ...local, chainId: 5, title: 'Another' })).toEqual(['unlistedNetwork'])
})

test('a name that is taken comes first, whatever its case', () => {
  expect(names({ ...local, chainId: 5, title: 'KAIA' })).toEqual(['namesakeNetwork', 'unlistedNetwork'])
})

test('of a known network, only the RPC is the word of the site', () => {
  expect(names(local, true)).toEqual(['suggestedRpc'])
})
