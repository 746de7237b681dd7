/** Reads the price feeds of Ethereum's catalogue on a real chain that has contracts at their addresses. */
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { Interface } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import { createNetworks } from '../../extension/src/wallet/networks/networks.ts'
import { createChain, postWithin } from '../../extension/src/wallet/networks/node.ts'
import { createCell, memoryStore } from '../../extension/src/wallet/storage/store.ts'
import { createPriceFeeds, type NetworkFeeds } from '../../extension/src/wallet/values/feeds.ts'
import { createPrices } from '../../extension/src/wallet/values/prices.ts'
import { feedList } from '../../extension/src/wallet/wallet.fixture.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { compileContracts } from '../support/compile.ts'

const NODE_TIMEOUT = 20_000
const ETHEREUM = 1
const HOUR = 3_600_000
const ETHER = 10n ** 18n
const AGGREGATOR = new Interface(['function set(int256 answer, uint256 updatedAt)'])
const SENDER = `0x${'99'.repeat(20)}`

let anvil: Anvil
let network: Network
let known: NetworkFeeds
const post = postWithin(NODE_TIMEOUT)
let requests = 0
const chain = createChain((...args) => {
  requests++
  return post(...args)
})
const now = Date.now()

const feedOf = (pair: string): string => known.feeds.get(pair)?.address ?? ''
const answer = async (pair: string, value: bigint, age = 0) => {
  const data = AGGREGATOR.encodeFunctionData('set', [value, BigInt(Math.floor((now - age) / 1000))])
  await chain(network, 'eth_sendTransaction', [{ from: SENDER, to: feedOf(pair), data, gas: '0x30d40' }])
}
const startPrices = async (currency: string) => {
  const store = memoryStore()
  const networks = createNetworks(store, [network])
  const cell = createCell<string | null>(store, 'currency', null)
  await cell.update(() => currency)
  return createPrices({ chain, networks, feeds: createPriceFeeds(feedList), currency: cell, now: () => now })
}
/** Returns the value of an ether or of a token in hundredths of the currency. */
const cents = async (currency: string, token: string | null, units: bigint) => {
  const view = await (await startPrices(currency)).on(ETHEREUM)
  const price = view?.prices.find(one => one.token === token)
  return (
    price && { value: (units * 100n * BigInt(price.numerator)) / BigInt(price.denominator), isStale: price.isStale }
  )
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: ETHEREUM })
  network = { ...(defaultNetworks.find(({ chainId }) => chainId === ETHEREUM) as Network), rpcUrls: [anvil.url] }
  known = (await createPriceFeeds(feedList)()).get(ETHEREUM) as NetworkFeeds
  const contracts = compileContracts('support/contracts')
  const put = (address: string, name: string) => chain(network, 'anvil_setCode', [address, contracts.get(name)])
  await chain(network, 'anvil_impersonateAccount', [SENDER])
  await chain(network, 'anvil_setBalance', [SENDER, '0x56bc75e2d63100000'])
  for (const pair of ['ETH / USD', 'EUR / USD', 'RETH / ETH', 'USDC / USD', 'DAI / USD'])
    await put(feedOf(pair), 'Aggregator')
  await put(feedOf('LINK / USD'), 'NoRound')
  await put(MULTICALL, 'Multicall')
  await answer('ETH / USD', 2_000_00000000n)
  await answer('EUR / USD', 1_25000000n)
  await answer('RETH / ETH', ETHER + ETHER / 10n)
  await answer('USDC / USD', 0n)
  await answer('DAI / USD', 1_00000000n, 48 * HOUR)
})

afterAll(async () => {
  await anvil?.stop()
})

const tokenOf = (pair: string): string => known.tokens.find(({ pairs }) => pairs[0] === pair)?.token ?? ''

test('prices of a coin and of a token in dollars and in euro', async () => {
  expect(await cents('USD', null, ETHER)).toEqual({ value: 2_000_00n, isStale: false })
  expect(await cents('EUR', null, ETHER)).toEqual({ value: 1_600_00n, isStale: false })
  expect(await cents('USD', tokenOf('RETH / ETH'), ETHER)).toEqual({ value: 2_200_00n, isStale: false })
})

test('feeds with an old answer are stale; feeds without an answer, or without code, give no price', async () => {
  expect(await cents('USD', tokenOf('DAI / USD'), ETHER)).toEqual({ value: 1_00n, isStale: true })
  for (const pair of ['USDC / USD', 'LINK / USD', 'AAVE / USD'])
    expect(await cents('USD', tokenOf(pair), ETHER), pair).toBeUndefined()
})

test('all feeds are read in two requests, and without Multicall3 in one batch more', async () => {
  const prices = await startPrices('USD')
  requests = 0
  const together = await prices.on(ETHEREUM)
  expect(requests).toBeLessThanOrEqual(2)
  await chain(network, 'anvil_setCode', [MULTICALL, '0x'])
  expect(await (await startPrices('USD')).on(ETHEREUM)).toEqual(together)
})
