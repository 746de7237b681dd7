/** Received coins, noticed by a headless wallet's looks on a fake chain. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { localChain } from '../networks/networks.fixture.ts'
import { ADDRESS, createdWallet, type Headless, NOW, SECOND, startWallet } from '../wallet.fixture.ts'
import { MOST_BLOCKS } from './coin-search.ts'
import { NEWS_PAUSE } from './looking.ts'
import { startTokenChain } from './token-chain.fixture.ts'

const { chainId } = localChain
const ONE = 10n ** 18n
const HASH = `0x${'ab'.repeat(32)}`
const ALL = {
  ...{ account: null, chainId: null, direction: null, status: null, origin: null, from: null, until: null },
  ...{ text: '', hidesMarked: false },
}

/** What happens to the account: at each block, its balance changes, its nonce is set, or a transaction pays it. */
type Event = { block: number; change?: bigint; nonce?: number; paid?: Record<string, unknown> }

const payment = (more: Record<string, unknown> = {}) => ({
  ...{ from: SECOND, to: ADDRESS, hash: HASH, value: encodeQuantity(ONE / 2n) },
  ...more,
})

/** Starts a wallet on a chain with these events, and makes its first look at block 100. */
const start = async (events: Event[] = []) => {
  const clock = { time: NOW }
  /** The state that the node still keeps, and an answer that replaces its own. */
  const node: { oldest: number; instead: (method: string, params: readonly unknown[]) => unknown } = {
    oldest: 0,
    instead: () => undefined,
  }
  const blockIn = (tag: unknown) => (tag === 'latest' ? fake.world.head : Number(tag))
  const fake = startTokenChain({
    before: (method, params) => {
      const instead = node.instead(method, params)
      if (instead !== undefined) return instead
      const block = blockIn(params[1])
      const until = events.filter(event => event.block <= block)
      if (method === 'eth_getBlockByNumber') {
        const at = blockIn(params[0])
        const transactions = events.flatMap(({ block: own, paid }) => (own === at && paid ? [paid] : []))
        return { number: params[0], timestamp: encodeQuantity(1_700_000_000 + at), transactions }
      }
      if (method !== 'eth_getBalance' && method !== 'eth_getTransactionCount') return undefined
      if (block < node.oldest) throw nodeError({ code: -32000, message: 'missing trie node' })
      if (method === 'eth_getTransactionCount') return encodeQuantity(until.findLast(one => one.nonce)?.nonce ?? 7)
      return encodeQuantity(until.reduce((sum, { change = 0n }) => sum + change, 10n * ONE))
    },
  })
  const options = { chain: fake.chain, tokenList: async () => ({}), now: () => clock.time }
  const headless = await createdWallet(options)
  const look = async (head: number, { wallet }: Pick<Headless, 'wallet'> = headless) => {
    fake.world.head = head
    clock.time += NEWS_PAUSE
    await wallet.tend()
    await expect.poll(async () => (await wallet.ui.getState(null)).looks[0]?.at).toBe(clock.time)
    const { looks } = await wallet.ui.getState(null)
    const { entries } = await wallet.ui.getAllActivity({ filter: ALL, skip: 0 })
    return { rows: entries, unseen: looks[0]?.unseen }
  }
  await look(100)
  return { ...fake, ...headless, headless, options, node, events, look }
}

const amountsOf = (rows: readonly { moves: readonly { amount: string }[] }[]) => rows.map(one => one.moves[0]?.amount)

test('coins that a transaction sent are received from its sender, count in the badge, and are then seen', async () => {
  const { look, events, wallet } = await start()
  events.push({ block: 150, change: ONE / 2n, paid: payment() })
  const { rows, unseen } = await look(200)
  expect(rows).toMatchObject([
    {
      ...{ direction: 'in', account: ADDRESS, hash: HASH, block: '150', time: 1_700_000_150_000, marks: [] },
      moves: [{ kind: 'native', token: null, symbol: 'ETH', amount: String(ONE / 2n), counterpart: SECOND }],
    },
  ])
  expect(unseen).toBe(1)
  await wallet.ui.seeIncoming({ address: ADDRESS, chainId })
  expect(await look(300)).toMatchObject({ rows: [{ hash: HASH }], unseen: 0 })
})

test('the first look reports nothing, nor does one without a higher balance', async () => {
  const { look, events } = await start([{ block: 50, change: ONE }])
  expect((await look(200)).rows).toEqual([])
  events.push({ block: 250, change: -ONE })
  expect((await look(300)).rows).toEqual([])
})

test('if the account sent a transaction, the difference cannot be told, and the next look continues from there', async () => {
  const { look, events } = await start()
  events.push({ block: 120, nonce: 8 }, { block: 150, change: ONE, paid: payment() })
  expect((await look(200)).rows).toEqual([])
  events.push({ block: 250, change: ONE / 2n, paid: payment() })
  expect(amountsOf((await look(300)).rows)).toEqual([String(ONE / 2n)])
})

test('coins from a contract have a block but no sender', async () => {
  const { look, events } = await start()
  events.push({ block: 150, change: ONE / 2n, paid: payment({ to: SECOND }) })
  const { rows } = await look(200)
  expect(rows).toMatchObject([{ hash: '', block: '150', moves: [{ counterpart: '' }] }])
})

test('several amounts are found one by one, in few calls, and the rest is one amount', async () => {
  const { look, events, asked } = await start()
  const blocks = [110, 120, 130, 140, 150]
  events.push(
    ...blocks.map((block, at) => ({
      block,
      change: ONE,
      paid: payment({ value: encodeQuantity(ONE), hash: `0x${`${at}1`.repeat(32)}` }),
    })),
  )
  asked.length = 0
  const { rows } = await look(1_000)
  expect(rows.map(({ block }) => block)).toEqual(['150', '140', '130', null])
  expect(amountsOf(rows)).toEqual([ONE, ONE, ONE, 2n * ONE].map(String))
  expect(asked.filter(method => method === 'eth_getBalance').length).toBeLessThan(MOST_BLOCKS * 14)
})

test.each([
  ['has no earlier states', { oldest: 200 }],
  [
    'tells the latest balance for every block',
    { instead: (method: string) => (method === 'eth_getBalance' ? encodeQuantity(11n * ONE) : undefined) },
  ],
])('a node that %s tells the amount alone', async (_, change) => {
  const { look, events, node } = await start()
  events.push({ block: 150, change: ONE, paid: payment({ value: encodeQuantity(ONE) }) })
  Object.assign(node, change)
  const { rows, unseen } = await look(200)
  expect(rows).toMatchObject([{ hash: '', block: null, moves: [{ amount: String(ONE), counterpart: '' }] }])
  expect(unseen).toBe(1)
})

test.each([null, 'high', -5, {}, '0x', `0x${'f'.repeat(70)}`])(
  'an odd balance or nonce, %j, reports nothing',
  async odd => {
    const { look, events, node } = await start()
    events.push({ block: 150, change: ONE / 2n, paid: payment() })
    for (const odd_of of ['eth_getBalance', 'eth_getTransactionCount']) {
      node.instead = method => (method === odd_of ? odd : undefined)
      expect((await look(200)).rows).toEqual([])
    }
    node.instead = () => undefined
    expect((await look(210)).rows).toMatchObject([{ hash: HASH }])
  },
)

test('a node that does not tell its height fails no look', async () => {
  const { look, wallet, node } = await start()
  node.instead = method => (method === 'eth_blockNumber' ? null : undefined)
  await look(200)
  expect((await wallet.ui.getState(null)).looks).toMatchObject([{ status: 'done', limits: ['noLogs'] }])
})

test.each([
  null,
  {},
  { transactions: 'none' },
  { timestamp: 'now', transactions: [null, 7, {}, { ...payment(), hash: '0x1' }, { ...payment(), from: 'me' }] },
])('of an odd block, %j, the amount alone is told', async odd => {
  const { look, events, node } = await start()
  events.push({ block: 150, change: ONE / 2n, paid: payment() })
  node.instead = method => (method === 'eth_getBlockByNumber' ? odd : undefined)
  expect((await look(200)).rows).toMatchObject([{ hash: '', time: null, moves: [{ amount: String(ONE / 2n) }] }])
})

test('after a restart, nothing is reported twice', async () => {
  const { look, events, store, options } = await start()
  events.push({ block: 150, change: ONE / 2n, paid: payment() })
  await look(200)
  expect((await look(300, startWallet({ ...options, store }))).rows).toHaveLength(1)
})

test('a transaction that moves to another block is reported once', async () => {
  const { look, events } = await start()
  events.push({ block: 150, change: ONE / 2n, paid: payment() })
  await look(200)
  events.length = 0
  expect((await look(201)).rows).toHaveLength(1)
  events.push({ block: 202, change: ONE / 2n, paid: payment() })
  expect((await look(210)).rows).toHaveLength(1)
  events.push({ block: 220, change: ONE, paid: payment({ hash: `0x${'cd'.repeat(32)}`, value: encodeQuantity(ONE) }) })
  expect(amountsOf((await look(230)).rows)).toEqual([ONE, ONE / 2n].map(String))
})

test('a transaction that returns after replaced blocks with another nonce is reported once', async () => {
  const { look, events } = await start()
  const paidOnce = { block: 150, change: ONE / 2n, paid: payment() }
  events.push(paidOnce)
  await look(200)
  for (const [at, replaced] of [[{ block: 201, nonce: 8 }], [], [{ ...paidOnce, block: 225 }]].entries()) {
    events.splice(0, events.length, ...replaced)
    expect((await look(210 + 10 * at)).rows).toHaveLength(1)
  }
})
