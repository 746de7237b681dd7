import { errorCodes } from '@heliograph/shared/errors'
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import type { PriceView } from '../../messages.ts'
import { MULTICALL } from '../networks/multicall.ts'
import { createNetworks } from '../networks/networks.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { createCell, memoryStore } from '../storage/store.ts'
import { NOW } from '../wallet.fixture.ts'
import { createPriceFeeds, type FeedList } from './feeds.ts'
import { MARGIN } from './price.ts'
import { createPrices, KEPT_FOR } from './prices.ts'

const COIN = `0x${'c0'.repeat(20)}`
const STAKED = `0x${'57'.repeat(20)}`
const FEEDS = {
  ETH: `0x${'e1'.repeat(20)}`,
  COIN: `0x${'e2'.repeat(20)}`,
  STAKED: `0x${'e3'.repeat(20)}`,
  EUR: `0x${'e4'.repeat(20)}`,
  UPTIME: `0x${'e5'.repeat(20)}`,
}
const HOUR = 3600
const ROLLUP = 8453
const ETHEREUM = 1

const list: FeedList = async () => ({
  networks: {
    [ETHEREUM]: {
      coin: 'ETH / USD',
      currencies: ['EUR'],
      feeds: [
        ['COIN / USD', FEEDS.COIN, 6, 24 * HOUR],
        ['ETH / USD', FEEDS.ETH, 8, HOUR],
        ['EUR / USD', FEEDS.EUR, 8, 24 * HOUR],
        ['STAKED / ETH', FEEDS.STAKED, 18, 24 * HOUR],
      ],
      tokens: [
        [COIN, 0, 'COIN / USD'],
        [STAKED, 18, 'STAKED / ETH', 'ETH / USD'],
      ],
    },
    [ROLLUP]: {
      uptime: FEEDS.UPTIME,
      coin: 'ETH / USD',
      currencies: [],
      feeds: [['ETH / USD', FEEDS.ETH, 8, HOUR]],
      tokens: [],
    },
  },
})

const ethereum = { ...(defaultNetworks.find(({ chainId }) => chainId === ETHEREUM) as Network) }
const rollup: Network = { ...ethereum, chainId: ROLLUP, title: 'Rollup' }
const AGGREGATOR = new Interface(['function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)'])
const AGGREGATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

/** A feed's answer and its age in seconds, or data that is not an answer. */
type Answer = { answer: bigint; age?: number } | { data: string } | 'reverts'

type Options = {
  answers?: Partial<Record<keyof typeof FEEDS, Answer>>
  hasMulticall?: boolean
  currency?: string | null
  chain?: Chain
  networks?: readonly Network[]
}

const USUAL: Partial<Record<keyof typeof FEEDS, Answer>> = {
  ETH: { answer: 2_000_00000000n, age: 60 },
  COIN: { answer: 1_500000n, age: 120 },
  STAKED: { answer: 1_100000000000000000n, age: 180 },
  EUR: { answer: 1_25000000n, age: 240 },
  UPTIME: { answer: 0n },
}

/** Creates prices on two networks with nodes, and counts the calls that the nodes get. */
const startPrices = async (options: Options = {}) => {
  const { hasMulticall = true, networks = [ethereum, rollup] } = options
  const answers = { ...USUAL, ...options.answers }
  const clock = { now: NOW }
  const asked: string[] = []

  const dataOf = (to: string): string => {
    const [name] = Object.entries(FEEDS).find(([, address]) => address === to.toLowerCase()) ?? []
    const answer = answers[name as keyof typeof FEEDS] ?? 'reverts'
    if (answer === 'reverts') throw refusal('internal', 'execution reverted')
    if ('data' in answer) return answer.data
    const time = BigInt(Math.floor(NOW / 1000) - (answer.age ?? 0))
    return AGGREGATOR.encodeFunctionResult('latestRoundData', [1n, answer.answer, time, time, 1n])
  }
  const outcomeOf = (to: string): [boolean, string] => {
    try {
      return [true, dataOf(to)]
    } catch {
      return [false, '0x']
    }
  }
  const node: Chain = async (network, method, params = []) => {
    const [{ to, data }] = params as [{ to: string; data: string }]
    asked.push(`${network.chainId} ${to === MULTICALL ? 'together' : method}`)
    if (to !== MULTICALL) return dataOf(to)
    if (!hasMulticall) return '0x'
    const [calls] = AGGREGATE.decodeFunctionData('aggregate3', data)
    return AGGREGATE.encodeFunctionResult('aggregate3', [
      calls.map(({ target }: { target: string }) => outcomeOf(target)),
    ])
  }
  const store = memoryStore()
  const known = createNetworks(store, networks)
  for (const { chainId } of networks) await known.setRpcUrls(chainId, [`https://node-${chainId}.example/`])
  const currency = createCell<string | null>(store, 'currency', null)
  await currency.update(() => (options.currency === undefined ? 'USD' : options.currency))
  const prices = createPrices({
    chain: options.chain ?? node,
    networks: known,
    feeds: createPriceFeeds(list),
    currency,
    now: () => clock.now,
  })
  const on = async (chainId = ETHEREUM) => (await prices.on(chainId))?.prices ?? []
  return { prices, on, asked, clock, currency, networks: known }
}

/** Returns the value of an amount, times 10^digits, rounded down. */
const worthIn = (price: PriceView | undefined, units: bigint, digits = 2): bigint | undefined =>
  price && (units * BigInt(price.numerator) * 10n ** BigInt(digits)) / BigInt(price.denominator)

const priceOf = (prices: readonly PriceView[], token: string | null) => prices.find(price => price.token === token)

const ETHER = 10n ** 18n

test('while values are off, nothing is read', async () => {
  const { prices, asked } = await startPrices({ currency: null })
  expect(await prices.on(ETHEREUM)).toBeNull()
  expect(asked).toEqual([])
})

test('a coin, a token with other decimals, and a token priced in the coin have exact values', async () => {
  const { prices, on, asked } = await startPrices()
  const known = await on()
  expect((await prices.on(ETHEREUM))?.currency).toBe('USD')
  expect(worthIn(priceOf(known, null), 3n * ETHER)).toBe(6_000_00n)
  expect(worthIn(priceOf(known, COIN), 7n)).toBe(10_50n)
  expect(worthIn(priceOf(known, STAKED), ETHER / 2n)).toBe(1_100_00n)
  expect(worthIn(priceOf(known, null), 0n)).toBe(0n)
  expect(worthIn(priceOf(known, null), 10n ** 60n, 0)).toBe(2_000n * 10n ** 42n)
  expect(priceOf(known, STAKED)).toMatchObject({
    pairs: ['STAKED / ETH', 'ETH / USD'],
    updatedAt: NOW - 180_000,
    isStale: false,
  })
  expect(asked).toEqual(['1 together'])
})

test('a network without Multicall3 is read call by call', async () => {
  const { on, asked } = await startPrices({ hasMulticall: false })
  expect(worthIn(priceOf(await on(), null), ETHER)).toBe(2_000_00n)
  expect(asked.filter(call => call === '1 eth_call')).toHaveLength(3)
})

test.each([
  ['zero', { answer: 0n }],
  ['negative', { answer: -5n }],
  ['reverted', 'reverts'],
  ['empty', { data: '0x' }],
  ['cut', { data: `0x${'00'.repeat(64)}` }],
  ['without a round', { answer: 5n, age: NOW / 1000 }],
] as const)('an answer that is %s is no price, and other prices stay', async (_name, answer) => {
  const { on } = await startPrices({ answers: { COIN: answer } })
  const known = await on()
  expect(priceOf(known, COIN)).toBeUndefined()
  expect(worthIn(priceOf(known, null), ETHER)).toBe(2_000_00n)
})

test('a price is stale after its heartbeat and a margin, or if it is from the future', async () => {
  const limit = HOUR + MARGIN / 1000
  for (const [age, isStale] of [
    [limit, false],
    [limit + 1, true],
    [-limit, true],
  ] as const) {
    const { on } = await startPrices({ answers: { ETH: { answer: 1n, age } } })
    const known = await on()
    expect(priceOf(known, null)?.isStale, `${age}`).toBe(isStale)
    expect(priceOf(known, STAKED)?.isStale, `${age}`).toBe(isStale)
    expect(priceOf(known, COIN)?.isStale).toBe(false)
  }
})

test('prices are stale while the sequencer of the network is down', async () => {
  const { on } = await startPrices()
  expect(priceOf(await on(ROLLUP), null)?.isStale).toBe(false)
  const down = await startPrices({ answers: { UPTIME: { answer: 1n } } })
  expect(priceOf(await down.on(ROLLUP), null)?.isStale).toBe(true)
  const silent = await startPrices({ answers: { UPTIME: 'reverts' } })
  expect(priceOf(await silent.on(ROLLUP), null)?.isStale).toBe(false)
})

test('another currency is converted by its own feed, on the network or on another one with a node', async () => {
  const { on, asked } = await startPrices({ currency: 'EUR' })
  expect(worthIn(priceOf(await on(), null), ETHER)).toBe(1_600_00n)
  expect(worthIn(priceOf(await on(ROLLUP), null), ETHER)).toBe(1_600_00n)
  expect(priceOf(await on(ROLLUP), null)).toMatchObject({ pairs: ['ETH / USD', 'EUR / USD'], updatedAt: NOW - 240_000 })
  expect(asked).toEqual(['1 together', '8453 together', '1 eth_call'])
})

test('a stale currency makes values stale, and one without an answer leaves none', async () => {
  const old = await startPrices({ currency: 'EUR', answers: { EUR: { answer: 1n, age: 48 * HOUR } } })
  expect(priceOf(await old.on(), null)?.isStale).toBe(true)
  const none = await startPrices({ currency: 'EUR', answers: { EUR: { answer: 0n } } })
  expect(await none.on()).toEqual([])
})

test('currencies are offered only if a node can read their feed', async () => {
  const { prices, networks } = await startPrices()
  expect(await prices.currencies()).toEqual(['USD', 'EUR'])
  await networks.setRpcUrls(ETHEREUM, [])
  expect(await prices.currencies()).toEqual(['USD'])
  await networks.setRpcUrls(ROLLUP, [])
  expect(await prices.currencies()).toEqual([])
})

test('networks without feeds, without a node, and test networks have no prices, and are not asked', async () => {
  const other: Network = { ...ethereum, chainId: 77, title: 'Other' }
  const { on, asked, networks } = await startPrices({ networks: [ethereum, { ...rollup, testnet: true }, other] })
  await networks.setRpcUrls(ETHEREUM, [])
  expect([await on(77), await on(ROLLUP), await on(ETHEREUM)]).toEqual([[], [], []])
  expect(asked).toEqual([])
})

test('answers are cached for a short time, and read again after a failure', async () => {
  let isOff = true
  const { on, asked, clock } = await startPrices()
  await Promise.all([on(), on()])
  clock.now += KEPT_FOR - 1
  await on()
  expect(asked).toHaveLength(1)
  clock.now += 1
  await on()
  expect(asked).toHaveLength(2)

  const failing = await startPrices({
    chain: async () => {
      if (isOff) throw unreachable()
      return AGGREGATOR.encodeFunctionResult('latestRoundData', [1n, 5n, 1n, BigInt(NOW / 1000), 1n])
    },
  })
  await expect(failing.prices.on(ETHEREUM)).rejects.toMatchObject({ code: errorCodes.chainDisconnected[0] })
  isOff = false
  expect(await failing.on()).not.toEqual([])
})
