import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { PUBLIC_NETWORKS, SECOND, SITE, startNode, startWallet } from '../wallet.fixture.ts'

const PAGE = '7 page'
const WORD = `0x${'ab'.repeat(32)}`

const start = () => {
  const blocks = { head: 1 }
  const filters: unknown[] = []
  const { chain } = startNode({
    eth_getBlockByNumber: ([number]) => {
      const at = number === 'latest' ? blocks.head : Number(number)
      return { number: encodeQuantity(at), hash: `hash ${at}`, transactions: [] }
    },
    eth_getLogs: ([filter]) => {
      filters.push(filter)
      return [{ data: '0x' }]
    },
  })
  const headless = startWallet({ chain, networks: PUBLIC_NETWORKS })
  let asked = 0
  const subscribe = (...params: unknown[]) =>
    headless.wallet.request(SITE, { id: `${++asked}`, method: 'eth_subscribe', params, page: PAGE })
  return { ...headless, blocks, filters, subscribe }
}

test('a page gets new blocks until it unsubscribes, even if its site is unconnected', async () => {
  const { wallet, ask, events, blocks, subscribe } = start()
  const id = await subscribe('newHeads')
  blocks.head = 2
  expect(await wallet.tend()).toBe(2_000)
  expect(events).toEqual([
    {
      event: 'message',
      page: PAGE,
      data: { type: 'eth_subscription', data: { subscription: id, result: { number: '0x2', hash: 'hash 2' } } },
    },
  ])
  expect(await ask('eth_unsubscribe', id)).toBe(true)
  blocks.head = 3
  expect(await wallet.tend()).toBeNull()
  expect(events).toHaveLength(1)
})

test.each([null, {}, 'latest', true, { includeTransactions: true }, { address: 'me' }, [SECOND]])(
  'newHeads takes no filter, so %j after it is ignored',
  async extra => {
    const { subscribe } = start()
    expect(await subscribe('newHeads', extra, extra)).toMatch(/^0x/)
  },
)

test('log subscriptions accept the same filters as nodes', async () => {
  const { wallet, blocks, filters, subscribe } = start()
  const filter = { address: [SECOND, SECOND.toLowerCase()], topics: [null, WORD, [WORD, null]] }
  await subscribe('logs', filter)
  await subscribe('logs', { address: SECOND })
  await subscribe('logs')
  await subscribe('logs', {}, SECOND)
  await subscribe('logs', { address: null, topics: null })
  blocks.head = 2
  await wallet.tend()
  const range = { fromBlock: '0x2', toBlock: '0x2' }
  expect(filters).toEqual([
    { address: [SECOND, SECOND], topics: filter.topics, ...range },
    { address: SECOND, ...range },
    range,
    range,
    range,
  ])
})

test("available under each of the network's prefixes", async () => {
  const { wallet } = start()
  const request = { id: 'x', method: 'chain_subscribe', params: ['newHeads'], page: PAGE }
  expect(await wallet.request(SITE, request)).toMatch(/^0x/)
})

test('unsupported subscriptions and malformed params are -32602', async () => {
  const { subscribe } = start()
  const wrong: unknown[][] = [
    [],
    [null],
    ['newPendingTransactions'],
    ['syncing'],
    ['newheads'],
    ['logs', 'all'],
    ['logs', { address: 'me' }],
    ['logs', { address: [7] }],
    ['logs', { topics: WORD }],
    ['logs', { topics: ['0x01'] }],
    ['logs', { topics: [[['0x01']]] }],
    ['logs', { topics: [null, null, null, null, null] }],
    ['logs', { address: Array(1_001).fill(SECOND) }],
  ]
  for (const params of wrong)
    await expect(subscribe(...params), JSON.stringify(params).slice(0, 80)).rejects.toMatchObject({ code: -32602 })
})

test('a subscription without a page is 4200, and an unreachable node is 4901', async () => {
  await expect(start().ask('eth_subscribe', 'newHeads')).rejects.toMatchObject({ code: 4200 })
  const { wallet } = startWallet({
    chain: startNode({ eth_getBlockByNumber: () => null }).chain,
    networks: PUBLIC_NETWORKS,
  })
  const request = { id: '1', method: 'eth_subscribe', params: ['newHeads'], page: PAGE }
  await expect(wallet.request(SITE, request)).rejects.toMatchObject({ code: 4901 })
})
