import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import type { ListedNetwork } from '../../messages.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { listedNetworks } from '../wallet.fixture.ts'
import { reviewNetwork } from './network.ts'

const [local] = testNetworks as [Network]
const unlisted: Network = { ...local, chainId: 88_120, title: 'Another' }

const base: ListedNetwork = {
  chainId: 8453,
  title: 'Base',
  symbol: 'ETH',
  explorerUrl: 'https://basescan.org/',
  testnet: false,
  nodes: [{ url: 'https://mainnet.base.org/', operator: 'Base' }],
}

const review = (network: Network, known = false, catalogue: readonly ListedNetwork[] = [base]) =>
  reviewNetwork(network, known, testNetworks, catalogue).map(({ level, name, values }) =>
    [level, name, ...values].join(' '),
  )

test('a network that is not in the catalogue always has a caution', () => {
  expect(review(unlisted)).toEqual(['caution unlistedNetwork'])
})

test('a name that belongs to another network is reported first, regardless of case', () => {
  for (const title of ['KAIA', 'base'])
    expect(review({ ...unlisted, title })).toEqual([`danger namesakeNetwork ${title}`, 'caution unlistedNetwork'])
})

test('a site supplies only the RPC URL of a known network, which is a caution unless the catalogue has it', () => {
  expect(review(local, true)).toEqual(['caution suggestedRpc'])
  const known = { ...local, chainId: 8453, title: 'Renamed' }
  expect(review({ ...known, rpcUrls: ['https://node.example/'] }, true)).toEqual(['caution suggestedRpc'])
  expect(review({ ...known, rpcUrls: ['https://mainnet.base.org/'] }, true)).toEqual([])
})

const asListed = ({ chainId, title, symbol, explorerUrl, nodes }: ListedNetwork): Network => ({
  ...local,
  chainId,
  title,
  currency: { symbol, decimals: 18 },
  ...(explorerUrl !== null && { explorerUrl }),
  ...(nodes[0] && { rpcUrls: [nodes[0].url] }),
})

test('each value that differs from the catalogue is a caution with both values', () => {
  const right = asListed(base)
  expect(review(right)).toEqual(['none listedNetwork'])
  expect(review({ ...right, title: 'Base Mainnet' })).toEqual(['caution otherNetworkName Base Mainnet Base'])
  expect(review({ ...right, currency: { symbol: 'BASE', decimals: 18 } })).toEqual(['caution otherCurrency BASE ETH'])
  expect(review({ ...right, explorerUrl: 'https://basescan.example/' })).toEqual([
    'caution otherExplorer basescan.example basescan.org',
  ])
  expect(review({ ...right, rpcUrls: ['https://node.example/'] })).toEqual([
    'none listedNetwork',
    'caution suggestedRpc',
  ])
  expect(
    review({ ...unlisted, chainId: 8453, currency: { symbol: 'X', decimals: 18 }, explorerUrl: 'https://a.example' }),
  ).toEqual([
    'caution otherNetworkName Another Base',
    'caution otherCurrency X ETH',
    'caution otherExplorer a.example basescan.org',
    'caution suggestedRpc',
  ])
})

test('case, paths and an explorer that only one side has are not differences', () => {
  const right = asListed(base)
  const { explorerUrl: _, ...without } = right
  for (const network of [
    without,
    { ...right, title: 'BASE' },
    { ...right, explorerUrl: 'https://basescan.org/blocks' },
  ])
    expect(review(network)).toEqual(['none listedNetwork'])
  expect(review(right, false, [{ ...base, explorerUrl: null }])).toEqual(['none listedNetwork'])
})

test('no network in the catalogue imitates another', async () => {
  const catalogue = await listedNetworks()
  for (const network of catalogue) expect(review(asListed(network), false, catalogue)).toEqual(['none listedNetwork'])
})

const named = (title: string, symbol = 'ETH') => review({ ...unlisted, title, currency: { symbol, decimals: 18 } })

test("a name that looks like another network's is a danger", () => {
  const alike = [
    'Ethere\u03c5m',
    '\u0415thereum',
    'Ethereurn',
    'E\u200bthereum',
    'Ether eum',
    'Ｅｔｈｅｒｅｕｍ',
    'ЕТНЕRЕUМ',
    '\u0395thereum',
  ]
  for (const title of alike)
    expect(named(title), title).toEqual([`danger imitatedNetwork ${title} Ethereum`, 'caution unlistedNetwork'])
  expect(named('B\u0430se')).toEqual(['danger imitatedNetwork B\u0430se Base', 'caution unlistedNetwork'])
  for (const title of ['Etherium Classic', 'Polygon', 'Optimism'])
    expect(named(title)).toEqual(['caution unlistedNetwork'])
})

test('a currency symbol that imitates another with look-alike letters is a danger', () => {
  expect(named('Another', '\u0395\u03a4\u0397')).toEqual([
    'danger imitatedAsset \u0395\u03a4\u0397 ETH',
    'caution unlistedNetwork',
  ])
  expect(named('Another', 'eth')).toEqual(['caution unlistedNetwork'])
})
