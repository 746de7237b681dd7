import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { reviewNetwork } from './network.ts'

const [local] = defaultNetworks as [Network]
const names = (network: Network, known = false) =>
  reviewNetwork(network, known, defaultNetworks).map(({ name }) => name)

test('a network that is not built in always has a caution', () => {
  expect(names({ ...local, chainId: 5, title: 'Another' })).toEqual(['unlistedNetwork'])
})

test('a name that another network has is reported first, in any case', () => {
  expect(names({ ...local, chainId: 5, title: 'KAIA' })).toEqual(['namesakeNetwork', 'unlistedNetwork'])
})

test('a site supplies only the RPC URL of a known network', () => {
  expect(names(local, true)).toEqual(['suggestedRpc'])
})

const findings = (title: string, symbol = 'ETH') =>
  reviewNetwork({ ...local, chainId: 5, title, currency: { symbol, decimals: 18 } }, false, defaultNetworks).map(
    ({ level, name, values }) => [level, name, ...values].join(' '),
  )

test('a name that looks like that of another network is a danger', () => {
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

test('a currency symbol that looks like another with other letters is a danger', () => {
  expect(findings('Another', '\u0395\u03a4\u0397')).toEqual([
    'danger imitatedAsset \u0395\u03a4\u0397 ETH',
    'caution unlistedNetwork',
  ])
  expect(findings('Another', 'eth')).toEqual(['caution unlistedNetwork'])
})
