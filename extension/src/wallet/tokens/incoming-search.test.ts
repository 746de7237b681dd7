import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { trustedInMemory } from '../keys/sealed-cell.fixture.ts'
import { nodeError } from '../networks/answers.ts'
import { unreachable } from '../networks/node.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, type Answers, chainOf, SECOND } from '../wallet.fixture.ts'
import { createIncoming, MAX_LOG_ITEMS, MAX_PER_NETWORK } from './incoming.ts'
import { searchIncoming, UNSETTLED } from './incoming-search.ts'
import { TRANSFER, TRANSFER_BATCH } from './token-moves.ts'

const [network] = defaultNetworks as [Network]
const COIN = '0xC1C1c1c1C1C1C1c1c1C1C1C1c1C1C1C1c1C1c1c1'
const SPAM = `0x${'59'.repeat(20)}` as const
const GEAR = `0x${'9e'.repeat(20)}`
const SENDER = `0x${'5e'.repeat(20)}`
const TIME = 1_700_000_000

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type Logged = { block: number; index?: number; token?: string; to?: string; amount?: number; more?: object }

const logOf = ({ block, index = 0, token = COIN, to = ADDRESS, amount = 1, more }: Logged) => ({
  address: token,
  topics: [TRANSFER, topic(SENDER), topic(to)],
  data: `0x${word(amount)}`,
  blockNumber: encodeQuantity(block),
  logIndex: encodeQuantity(index),
  transactionHash: `0x${word(block * 1_000 + index)}`,
  ...more,
})

type Filter = { fromBlock: string; toBlock: string; topics: readonly unknown[] }

/** Creates a chain with these logs, which the test can change. */
const startChain = (answers: Answers = {}) => {
  const state = { head: 100, logs: [] as ReturnType<typeof logOf>[], ranges: [] as (readonly [number, number])[] }
  const chain = chainOf({
    eth_blockNumber: () => encodeQuantity(state.head),
    eth_getLogs: ([filter]) => {
      const { fromBlock, toBlock, topics } = filter as Filter
      const isBatch = Array.isArray(topics[0])
      if (!isBatch) state.ranges.push([Number(fromBlock), Number(toBlock)])
      return state.logs.filter(
        ({ blockNumber, topics: [event] }) =>
          (event === TRANSFER_BATCH) === isBatch &&
          Number(blockNumber) >= Number(fromBlock) &&
          Number(blockNumber) <= Number(toBlock),
      )
    },
    eth_getBlockByNumber: ([block]) => ({ timestamp: encodeQuantity(TIME + Number(block)) }),
    eth_call: ([call]) => {
      const { to, data } = call as { to: string; data: string }
      if (to.toLowerCase() !== COIN.toLowerCase()) throw nodeError({ code: 3, message: 'execution reverted' })
      return data === '0x313ce567' ? `0x${word(6)}` : `0x${word(32)}${word(4)}${'434f494e'.padEnd(64, '0')}`
    },
    ...answers,
  })
  const secrets = { stateKey: '07'.repeat(32) }
  const vault = { read: async () => secrets, peek: async () => secrets, update: async () => secrets } as never
  const incoming = createIncoming({ store: memoryStore(), vault, trusted: trustedInMemory() })
  const search = (accounts: readonly `0x${string}`[] = [ADDRESS, SECOND]) =>
    searchIncoming({ incoming, chain, network, accounts, listed: [COIN] }, () => {})
  return { state, incoming, search, found: () => incoming.of(network.chainId) }
}

test('finds transfers to all accounts with their times and tokens, newest first', async () => {
  const { state, search, found } = startChain()
  const inLog = { blockTimestamp: encodeQuantity(TIME + 7) }
  state.logs = [
    logOf({ block: 10 }),
    logOf({ block: 90, to: SECOND, token: SPAM, more: inLog }),
    logOf({ block: 20, to: SENDER }),
  ]
  expect(await search()).toEqual({ ended: true, refusal: null })
  expect(await found()).toMatchObject({
    looked: { from: 0, to: 100 },
    isCut: false,
    transfers: [
      { account: SECOND, block: 90, time: (TIME + 7) * 1000, isListed: false, token: SPAM },
      { account: ADDRESS, block: 10, time: (TIME + 10) * 1000, isListed: true, amount: '1', kind: 'erc20' },
    ],
    tokens: [
      { address: SPAM, symbol: null, decimals: null },
      { address: COIN, symbol: 'COIN', decimals: 6 },
    ],
  })
})

test('the next search reads new blocks, and rereads blocks that the chain may have replaced', async () => {
  const { state, search, found } = startChain()
  state.head = 1_000
  state.logs = [logOf({ block: 5 }), logOf({ block: 990 }), logOf({ block: 995 })]
  await search()
  state.ranges = []
  state.head = 1_010
  state.logs = [logOf({ block: 5 }), logOf({ block: 990 }), logOf({ block: 996 }), logOf({ block: 1_005 })]
  await search()
  expect(state.ranges).toEqual([[1_001 - UNSETTLED, 1_010]])
  expect((await found()).transfers.map(({ block }) => block)).toEqual([1_005, 996, 990, 5])
})

test('adding an account searches all blocks again, without duplicates', async () => {
  const { state, search, found } = startChain()
  state.logs = [logOf({ block: 3 }), logOf({ block: 4, to: SECOND })]
  await search([ADDRESS])
  expect((await found()).transfers.map(({ block }) => block)).toEqual([3])
  await search([ADDRESS, SECOND])
  expect((await found()).transfers.map(({ block }) => block)).toEqual([4, 3])
  expect((await found()).looked).toEqual({ from: 0, to: 100 })
})

test('a chain reset restarts the search, but a slightly lagging node does not', async () => {
  const { state, search, found } = startChain()
  state.head = 500
  state.logs = [logOf({ block: 400 })]
  await search()
  state.head = 499
  await search()
  expect((await found()).transfers).toHaveLength(1)
  state.head = 20
  state.logs = [logOf({ block: 7 })]
  await search()
  expect(await found()).toMatchObject({ looked: { from: 0, to: 20 }, transfers: [{ block: 7 }] })
})

test("spam is dropped in favour of listed tokens' transfers, and transfers of nothing go first", async () => {
  const { state, search, found } = startChain()
  state.head = 10_000
  const spam = Array.from({ length: MAX_PER_NETWORK }, (_, at) => logOf({ block: 1_000 + at, token: SPAM }))
  const nothing = Array.from({ length: 20 }, (_, at) => logOf({ block: 3_000 + at, amount: 0 }))
  state.logs = [logOf({ block: 1 }), ...spam, ...nothing]
  await search()
  const { transfers, isCut } = await found()
  expect(transfers).toHaveLength(MAX_PER_NETWORK)
  expect(isCut).toBe(true)
  expect(transfers.at(-1)).toMatchObject({ block: 1, token: COIN })
  expect(transfers.filter(({ amount }) => amount === '0')).toEqual([])
  expect(transfers.at(-2)?.block).toBeGreaterThan(1_000)
})

test('only a few items per log are kept', async () => {
  const { state, search, found } = startChain()
  const count = MAX_LOG_ITEMS + 5
  const list = Array.from({ length: count }, (_, at) => word(at + 1)).join('')
  const data = `0x${word(64)}${word(64 + (count + 1) * 32)}${word(count)}${list}${word(count)}${list}`
  const topics = [TRANSFER_BATCH, topic(SENDER), topic(SENDER), topic(ADDRESS)]
  state.logs = [logOf({ block: 9, token: GEAR, more: { topics, data } })]
  await search()
  const { transfers } = await found()
  expect(transfers.map(({ id }) => id)).toEqual(Array.from({ length: MAX_LOG_ITEMS }, (_, at) => String(at + 1)))
  expect(new Set(transfers.map(({ item }) => item)).size).toBe(MAX_LOG_ITEMS)
})

test('logs without a position, and blocks without a time, do no harm', async () => {
  const { state, search, found } = startChain({ eth_getBlockByNumber: () => null })
  state.logs = [
    logOf({ block: 8 }),
    logOf({ block: 9, more: { transactionHash: '0x12' } }),
    logOf({ block: 10, more: { logIndex: null } }),
  ]
  await search()
  expect((await found()).transfers).toMatchObject([{ block: 8, time: null }])
})

test('a refusal and an unreachable node keep what was found', async () => {
  const { state, search, found } = startChain()
  state.logs = [logOf({ block: 99 })]
  await search()
  const refusing = startChain({
    eth_getLogs: () => {
      throw nodeError({ code: -32601, message: 'no logs here' })
    },
  })
  expect(await refusing.search()).toEqual({ ended: false, refusal: 'no logs here' })
  expect(await refusing.found()).toMatchObject({ looked: null, transfers: [] })
  const gone = startChain({
    eth_blockNumber: () => {
      throw unreachable()
    },
  })
  await expect(gone.search()).rejects.toMatchObject({ code: 4901 })
  expect((await found()).transfers).toHaveLength(1)
})
