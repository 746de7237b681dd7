import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { createNetworks } from '../networks/networks.ts'
import { unreachable } from '../networks/node.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { chainOf, OTHER_SITE, SITE } from '../wallet.fixture.ts'
import type { SiteEvent } from './sites.ts'
import {
  createSubscriptions,
  MAX_CATCH_UP,
  MAX_STRANGERS_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS_PER_SITE,
} from './subscriptions.ts'

const [local] = testNetworks as [Network]
const PAGE = '1 page'

/** Creates an in-memory chain that a test can extend or reorganize. */
const start = (session = memoryStore()) => {
  const node = { head: 5, fork: 'a', logs: [] as unknown[], reachable: true, asked: [] as unknown[], odd: {} }
  const block = (number: number) => ({
    number: encodeQuantity(number),
    hash: `${node.fork}${number}`,
    parentHash: `${node.fork}${number - 1}`,
    transactions: ['0x1'],
    uncles: [],
    size: '0x1',
    ...node.odd,
  })
  const chain = chainOf({
    eth_getBlockByNumber: ([number]) => {
      if (!node.reachable) throw unreachable()
      node.asked.push(number)
      return block(number === 'latest' ? node.head : Number(number))
    },
    eth_getLogs: ([filter]) => {
      node.asked.push(filter)
      return node.logs
    },
  })
  const networks = createNetworks(memoryStore(), testNetworks)
  const events: SiteEvent[] = []
  const gone = new Set<string>()
  const refused = new Set<string>()
  const strangers = new Set<string>()
  const subscriptions = createSubscriptions({
    session,
    chain,
    networks,
    announce: event => void events.push(event),
    isThere: async page => !gone.has(page),
    accountsOf: async origin => (strangers.has(origin) ? undefined : []),
    mayRead: async origin => !refused.has(origin),
  })
  const told = () =>
    events.splice(0).map(event => {
      const { data } = event.data as { data: { subscription: string; result: Record<string, unknown> } }
      return [data.subscription, data.result.hash ?? data.result]
    })
  return { node, networks, events, gone, refused, strangers, subscriptions, told, session }
}

test('a page gets the header of each new block once and in order', async () => {
  const { node, subscriptions, events, told } = start()
  const id = await subscriptions.add(SITE, PAGE, local, { logs: null })
  expect(id).toMatch(/^0x[0-9a-f]{32}$/)
  expect(await subscriptions.ids()).toEqual([id])
  await subscriptions.poll()
  expect(events).toEqual([])
  node.head = 7
  await subscriptions.poll()
  expect(events[0]).toEqual({
    event: 'message',
    page: PAGE,
    data: {
      type: 'eth_subscription',
      data: { subscription: id, result: { number: '0x6', hash: 'a6', parentHash: 'a5' } },
    },
  })
  expect(told()).toEqual([
    [id, 'a6'],
    [id, 'a7'],
  ])
  await subscriptions.poll()
  expect(events).toEqual([])
})

test.for([{ hash: null }, { hash: undefined }, { baseFeePerGas: '0x0007', gasLimit: null, miner: null }])(
  "each block is reported once if a node's blocks have %o",
  async odd => {
    const { node, subscriptions, events } = start()
    node.odd = odd
    await subscriptions.add(SITE, PAGE, local, { logs: null })
    for (const head of [5, 6, 6, 8]) {
      node.head = head
      await subscriptions.poll()
    }
    const numbers = events.map(event => (event.data as { data: { result: { number: string } } }).data.result.number)
    expect(numbers).toEqual(['0x6', '0x7', '0x8'])
  },
)

test('null logs count as no logs', async () => {
  const { node, subscriptions, events } = start()
  await subscriptions.add(SITE, PAGE, local, { logs: {} })
  Object.assign(node, { head: 6, logs: null })
  await subscriptions.poll()
  expect(events).toEqual([])
})

test("logs are requested for new blocks with the page's filter", async () => {
  const { node, subscriptions, told } = start()
  const filter = { address: '0xab', topics: [null, '0x01'] }
  const id = await subscriptions.add(SITE, PAGE, local, { logs: filter })
  node.head = 8
  node.logs = [{ data: '0x1' }, { data: '0x2' }]
  node.asked.length = 0
  await subscriptions.poll()
  expect(node.asked).toEqual(['latest', { ...filter, fromBlock: '0x6', toBlock: '0x8' }])
  expect(told()).toEqual([
    [id, { data: '0x1' }],
    [id, { data: '0x2' }],
  ])
  await subscriptions.poll()
  expect(told()).toEqual([])
})

test('all subscriptions on a chain share one request for the newest block', async () => {
  const { node, subscriptions } = start()
  for (const page of ['1 a', '1 b', '1 c']) await subscriptions.add(SITE, page, local, { logs: null })
  node.asked.length = 0
  await subscriptions.poll()
  expect(node.asked).toEqual(['latest'])
})

test('after a reorganization, the newest block of the new branch is sent', async () => {
  const { node, subscriptions, told } = start()
  const id = await subscriptions.add(SITE, PAGE, local, { logs: null })
  node.fork = 'b'
  await subscriptions.poll()
  expect(told()).toEqual([[id, 'b5']])
  node.head = 4
  await subscriptions.poll()
  expect(told()).toEqual([[id, 'b4']])
})

test('after a long pause it continues near the newest block', async () => {
  const { node, subscriptions, told } = start()
  await subscriptions.add(SITE, PAGE, local, { logs: null })
  node.head = 10_000
  await subscriptions.poll()
  const hashes = told().map(([, hash]) => hash)
  expect(hashes).toHaveLength(MAX_CATCH_UP)
  expect([hashes[0], hashes.at(-1)]).toEqual([`a${10_001 - MAX_CATCH_UP}`, 'a10000'])
})

test('subscriptions survive a worker restart', async () => {
  const before = start()
  const id = await before.subscriptions.add(SITE, PAGE, local, { logs: null })
  const after = start(before.session)
  after.node.head = 6
  await after.subscriptions.poll()
  expect(after.told()).toEqual([[id, 'a6']])
})

test('an unreachable node or an invalid response is retried at the next check', async () => {
  const { node, subscriptions, told } = start()
  const id = await subscriptions.add(SITE, PAGE, local, { logs: null })
  node.reachable = false
  node.head = 6
  await subscriptions.poll()
  expect(told()).toEqual([])
  await expect(subscriptions.add(SITE, PAGE, local, { logs: null })).rejects.toMatchObject({ code: 4901 })
  node.reachable = true
  await subscriptions.poll()
  expect(told()).toEqual([[id, 'a6']])
})

test('a subscription is removed when its page closes, and when its site switches networks', async () => {
  const { node, gone, networks, subscriptions, told } = start()
  await subscriptions.add(SITE, '1 gone', local, { logs: null })
  await subscriptions.add(SITE, PAGE, local, { logs: null })
  const stays = await subscriptions.add(OTHER_SITE, PAGE, local, { logs: null })
  gone.add('1 gone')
  await networks.choose(SITE, 1)
  node.head = 6
  await subscriptions.poll()
  expect(told()).toEqual([[stays, 'a6']])
  expect(await subscriptions.remove(OTHER_SITE, stays)).toBe(true)
  expect(await subscriptions.ids()).toEqual([])
})

test('a site can remove only its own subscriptions', async () => {
  const { subscriptions } = start()
  const id = await subscriptions.add(SITE, PAGE, local, { logs: null })
  expect(await subscriptions.remove(OTHER_SITE, id)).toBe(false)
  expect(await subscriptions.remove(SITE, '0x1')).toBe(false)
  expect(await subscriptions.remove(SITE, id)).toBe(true)
  expect(await subscriptions.remove(SITE, id)).toBe(false)
})

test('the number of subscriptions is limited per site and in total', async () => {
  const { subscriptions } = start()
  const add = (origin: string) => subscriptions.add(origin, PAGE, local, { logs: null })
  for (let i = 0; i < MAX_SUBSCRIPTIONS_PER_SITE; i++) await add(SITE)
  await expect(add(SITE)).rejects.toMatchObject({ code: -32005 })
  for (let i = MAX_SUBSCRIPTIONS_PER_SITE; i < MAX_SUBSCRIPTIONS; i++) await add(`https://${i % 7}.example`)
  await expect(add(OTHER_SITE)).rejects.toMatchObject({ code: -32005 })
})

test('unconnected sites leave room for connected ones', async () => {
  const { subscriptions, strangers } = start()
  const add = (origin: string) => subscriptions.add(origin, PAGE, local, { logs: null })
  for (let i = 0; i < 8; i++) strangers.add(`https://${i}.example`)
  for (let i = 0; i < MAX_STRANGERS_SUBSCRIPTIONS; i++) await add(`https://${i % 7}.example`)
  for (const stranger of strangers) await expect(add(stranger)).rejects.toMatchObject({ code: -32005 })
  for (let i = MAX_STRANGERS_SUBSCRIPTIONS; i < MAX_SUBSCRIPTIONS; i++) await add(`https://connected-${i % 5}.example`)
  await expect(add(SITE)).rejects.toMatchObject({ code: -32005 })
})
