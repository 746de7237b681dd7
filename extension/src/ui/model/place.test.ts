import { expect, test } from 'vitest'
import type { AccountView, NetworkView, SiteView, UiState } from '../../messages.ts'
import { activityAt, assetAt, isSamePlace, ownPlace, placeAt, sitePlace } from './place.ts'

const ORIGIN = 'https://site.example'

const accountOf = (digits: string): AccountView => ({
  address: `0xAb${digits.repeat(19)}`,
  name: digits,
  kind: 'privateKey',
  phraseId: null,
})
const networkOf = (chainId: number): NetworkView => ({
  chainId,
  title: `Network ${chainId}`,
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrls: [],
  added: false,
})
const site = (origin: string, more: Partial<SiteView>): SiteView => ({
  origin,
  since: 1,
  accounts: [],
  chainId: null,
  asMetaMask: false,
  asEthereum: false,
  readsLocalNode: false,
  isBlocked: false,
  subscriptions: 0,
  asked: null,
  ...more,
})

const [trading, treasury, cold] = [accountOf('11'), accountOf('22'), accountOf('33')]
const [ethereum, kaia, local] = [networkOf(1), networkOf(8217), networkOf(31_337)]
const view: Parameters<typeof ownPlace>[0] = {
  accounts: [trading, treasury, cold],
  selected: treasury.address,
  networks: [ethereum, kaia, local],
  chainId: ethereum.chainId,
  sites: [site(ORIGIN, { accounts: [cold.address.toLowerCase(), trading.address], chainId: kaia.chainId })],
}

test("the wallet's own choice is the selected account, or the first one, on the selected network", () => {
  expect(ownPlace(view)).toEqual({ account: treasury, network: ethereum })
  expect(ownPlace({ ...view, selected: cold.address.slice(0, -1) })).toEqual({ account: trading, network: ethereum })
  expect(ownPlace({ ...view, accounts: [], selected: null })).toBeNull()
})

test('a connected site has the place of its first account and of its own network', () => {
  expect(sitePlace(view, ORIGIN)).toMatchObject({ account: cold, network: kaia, site: { origin: ORIGIN } })
})

test("a site without its own network is on the wallet's", () => {
  const sites = [site(ORIGIN, { accounts: [cold.address] })]
  expect(sitePlace({ ...view, sites, chainId: local.chainId }, ORIGIN)).toMatchObject({ network: local })
})

test('a site that is not connected, or whose account is not shown, has no place', () => {
  expect(sitePlace(view, null)).toBeNull()
  expect(sitePlace(view, 'https://other.example')).toBeNull()
  expect(sitePlace({ ...view, sites: [site(ORIGIN, { accounts: [] })] }, ORIGIN)).toBeNull()
  expect(sitePlace({ ...view, accounts: [trading] }, ORIGIN)).toBeNull()
  expect(sitePlace({ ...view, networks: [ethereum] }, ORIGIN)).toBeNull()
})

test('a place is an account and a network together', () => {
  const place = placeAt(view, cold.address, kaia.chainId)
  expect(place).toEqual({ account: cold, network: kaia })
  expect(placeAt(view, cold.address, 999)).toBeNull()
  if (!place) throw new Error('there is no place')
  expect(isSamePlace(place, { ...place })).toBe(true)
  expect(isSamePlace(place, { ...place, network: ethereum })).toBe(false)
  expect(isSamePlace(place, { ...place, account: trading })).toBe(false)
})

test('the activity is filtered by account and network', () => {
  const entry = { account: cold.address.toLowerCase(), chainId: kaia.chainId }
  const others = [
    { ...entry, chainId: 1 },
    { ...entry, account: trading.address },
  ]
  const activity = [...others, entry] as unknown as UiState['activity']
  expect(activityAt(activity, { account: cold, network: kaia })).toEqual([entry])
})

test("a token's page shows the listed token on its network, the currency, or nothing once the token is not listed", () => {
  const asset = { chainId: kaia.chainId, address: `0xAb${'c1'.repeat(19)}`, symbol: 'USDC', decimals: 6 }
  expect(assetAt([asset], kaia, { address: asset.address.toLowerCase() })).toBe(asset)
  expect(assetAt([asset], ethereum, { address: asset.address })).toBeUndefined()
  expect(assetAt([], kaia, { address: asset.address })).toBeUndefined()
  expect(assetAt([asset], kaia, { address: null })).toBeNull()
})
