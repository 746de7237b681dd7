import { defaultNetworks } from '@heliograph/shared/network'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import type { Chain } from '../networks/node.ts'
import { createdWallet, feedList, NOW, PASSWORD, startWallet } from '../wallet.fixture.ts'

const ETHEREUM = 1
const AGGREGATOR = new Interface(['function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)'])

/** Creates a wallet whose node for Ethereum answers every feed with 3, and the calls that its nodes get. */
const startValues = async () => {
  const asked: string[] = []
  const chain: Chain = async ({ chainId }, method, params = []) => {
    const [{ to }] = params as [{ to: string }]
    asked.push(`${chainId} ${method} ${to}`)
    const time = BigInt(NOW / 1000)
    return AGGREGATOR.encodeFunctionResult('latestRoundData', [1n, 3n, time, time, 1n])
  }
  const networks = defaultNetworks.map(network =>
    network.chainId === ETHEREUM ? { ...network, rpcUrls: ['https://node.example/'] } : network,
  )
  return { ...(await createdWallet({ chain, networks })), asked }
}

test('a new wallet reads no price, and a page that asks for prices gets none', async () => {
  const { wallet, asked } = await startValues()
  expect((await wallet.ui.getState(null)).currency).toBeNull()
  expect(await wallet.ui.getPrices({ chainId: ETHEREUM })).toBeNull()
  expect(await wallet.ui.getCurrencies(null)).toEqual(expect.arrayContaining(['USD', 'EUR', 'GBP', 'JPY']))
  expect(asked).toEqual([])
})

test('switched on, prices are read only from feeds of the catalogue; switched off, nothing is read', async () => {
  const { wallet, asked } = await startValues()
  await wallet.ui.setCurrency({ currency: 'EUR' })
  expect((await wallet.ui.getState(null)).currency).toBe('EUR')
  expect(asked).toEqual([])
  const view = await wallet.ui.getPrices({ chainId: ETHEREUM })
  expect(view).toMatchObject({ currency: 'EUR' })
  expect(view?.prices.length).toBeGreaterThan(20)
  const { networks } = await feedList()
  const feeds = networks[ETHEREUM]?.feeds.map(([, address]) => `1 eth_call ${address}`) ?? []
  expect(asked.slice(1).filter(call => !feeds.includes(call))).toEqual([])
  await wallet.ui.setCurrency({ currency: null })
  const before = asked.length
  expect(await wallet.ui.getPrices({ chainId: ETHEREUM })).toBeNull()
  expect(asked).toHaveLength(before)
})

test('a currency without a feed is refused', async () => {
  const { wallet } = await startValues()
  await expect(wallet.ui.setCurrency({ currency: 'XAU' })).rejects.toMatchObject({
    code: -32602,
    reason: 'currencyNotOffered',
  })
})

test('a locked wallet reads no prices, and keeps the currency', async () => {
  const { wallet, asked, store } = await startValues()
  await wallet.ui.setCurrency({ currency: 'USD' })
  await wallet.ui.lock(null)
  await expect(wallet.ui.getPrices({ chainId: ETHEREUM })).rejects.toMatchObject({ code: 4100 })
  expect(asked).toEqual([])
  const later = startWallet({ store })
  await later.wallet.ui.unlock({ password: PASSWORD })
  expect((await later.wallet.ui.getState(null)).currency).toBe('USD')
})
