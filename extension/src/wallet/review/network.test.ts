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

const findings = (title: string, symbol = 'ETH') =>
  reviewNetwork({ ...local, chainId: 5, title, currency: { symbol, decimals: 18 } }, false, defaultNetworks).map(
    ({ level, name, values }) => [level, name, ...values].join(' '),
  )

test('a name that is spelled otherwise but looks like one that is taken is a danger', () => {
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
    expect(findings(title), title).toEqual([`danger imitatedNetwork ${title} Ethereum`, 'caution unlistedNetwork'])
  for (const title of ['Etherium Classic', 'Polygon', 'Base'])
    expect(findings(title)).toEqual(['caution unlistedNetwork'])
})

test('a coin that looks like another but is spelled otherwise is a danger', () => {
  expect(findings('Another', '\u0395\u03a4\u0397')).toEqual([
    'danger imitatedAsset \u0395\u03a4\u0397 ETH',
    'caution unlistedNetwork',
  ])
  expect(findings('Another', 'eth')).toEqual(['caution unlistedNetwork'])
})
