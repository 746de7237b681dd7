/** The wallet's own looks for tokens and collectibles, with a headless wallet and a fake chain. */
import { expect, test } from 'vitest'
import { FIRST_RANGE } from '../networks/log-search.ts'
import { localChain } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import {
  ADDRESS,
  createdWallet,
  type Headless,
  NOW,
  PASSWORD,
  SECOND,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'
import { UNSETTLED } from './incoming-search.ts'
import { FEW_LISTED } from './look-steps.ts'
import { BUSY_PAUSE, NEWS_PAUSE, RETRY_PAUSE } from './looking.ts'
import { type FakeChain, startTokenChain, transferLog } from './token-chain.fixture.ts'

const { chainId } = localChain
const addressOf = (byte: string) => `0x${byte.repeat(20)}`
const [GOLD, SILVER, STRAY, FAKE, SPAM, CATS] = ['a1', 'a2', 'b1', 'b2', 'b3', 'c1'].map(addressOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const LIST = {
  [chainId]: [
    [GOLD, 'GOLD', 6],
    [SILVER, 'SILVER', 18],
  ],
} as const
const tokenList = async () => LIST
const here = { address: ADDRESS, chainId }

/** Tokens that the catalogue lists, a stray one, an imitation, an advertisement and a collection. */
const tokens: FakeChain['tokens'] = {
  [GOLD]: { symbol: 'GOLD', decimals: 6, held: 5_000_000n },
  [SILVER]: { symbol: 'SILVER', decimals: 18, held: 0n },
  [STRAY]: { symbol: 'STRAY', decimals: 18, held: 7n },
  [FAKE]: { symbol: 'G0LD', decimals: 18, held: 10n ** 30n },
  [SPAM]: { symbol: '$ 5000 at win.example.com', decimals: 0, held: 1n },
  [CATS]: { name: 'Cats', items: [4, 9] },
}
const logs = [
  transferLog(STRAY, ADDRESS, { block: 10 }),
  transferLog(FAKE, ADDRESS, { block: 11 }),
  transferLog(SPAM, ADDRESS, { block: 12 }),
  transferLog(CATS, ADDRESS, { block: 13, id: 4 }),
  transferLog(CATS, ADDRESS, { block: 14, id: 9 }),
  transferLog(CATS, ADDRESS, { block: 15, id: 5 }),
]

const viewOf = async ({ wallet }: Headless, account = ADDRESS) =>
  (await wallet.ui.getState(null)).looks.find(look => look.account === account && look.chainId === chainId)
const ended = async (headless: Headless) => {
  await expect.poll(() => viewOf(headless)).toMatchObject({ at: expect.any(Number) })
  await expect.poll(async () => (await viewOf(headless))?.status).not.toBe('running')
}
const start = async (world: Partial<FakeChain> = {}, options: Parameters<typeof startWallet>[0] = {}) => {
  const fake = startTokenChain({ tokens, logs, ...world })
  const headless = await createdWallet({ chain: fake.chain, tokenList, ...options })
  return { ...fake, ...headless }
}
/** Starts a look and waits for its end. */
const looked = async (world: Partial<FakeChain> = {}, options: Parameters<typeof startWallet>[0] = {}) => {
  const started = await start(world, options)
  await started.wallet.tend()
  await ended(started)
  return started
}
const assetsOf = async ({ wallet }: Headless) => (await wallet.ui.getState(null)).assets

test('listed tokens are added at once, other ones are only offered, and spam does not count', async () => {
  const headless = await looked()
  expect(await assetsOf(headless)).toEqual([
    { chainId, address: expect.stringMatching(new RegExp(GOLD, 'i')), symbol: 'GOLD', decimals: 6, isFound: true },
  ])
  expect(await viewOf(headless)).toEqual({
    account: ADDRESS,
    chainId,
    status: 'done',
    at: NOW,
    tokens: 2,
    collectibles: 2,
    others: 4,
    limits: [],
    search: { from: 0, to: 100, ended: true },
    unseen: 0,
  })
  const { tokens: found } = await headless.wallet.ui.getFoundTokens(here)
  const marks = Object.fromEntries(found.map(({ address, spam }) => [address.toLowerCase(), spam]))
  expect(marks).toEqual({ [STRAY]: null, [CATS]: null, [FAKE]: 'imitation', [SPAM]: 'site' })
  expect(found.slice(-2).every(({ spam }) => spam !== null)).toBe(true)
  expect((await headless.wallet.ui.getHoldings(here)).tokens).toMatchObject([{ amount: '5000000' }])
})

test('an account without tokens has none, and says so', async () => {
  const headless = await looked({ tokens: {}, logs: [] })
  expect(await viewOf(headless)).toMatchObject({ status: 'done', tokens: 0, collectibles: 0 })
  expect(await assetsOf(headless)).toEqual([])
})

test('it looks once, and then again after a while, only at new blocks', async () => {
  const clock = { time: NOW }
  const { asked, wallet, world, ...rest } = await looked({}, { now: () => clock.time })
  const headless = { wallet, ...rest } as Headless
  asked.length = 0
  expect(await wallet.tend()).toBe(NEWS_PAUSE)
  expect(asked).toEqual([])
  clock.time += NEWS_PAUSE
  world.head = 200
  world.logs = [...logs, transferLog(SILVER, ADDRESS, { block: 150 })]
  world.tokens = { ...tokens, [SILVER]: { ...tokens[SILVER], held: 3n } }
  expect(await wallet.tend()).toBe(BUSY_PAUSE)
  await expect.poll(async () => (await viewOf(headless))?.at).toBe(clock.time)
  expect(asked).not.toContain('eth_getCode')
  expect(asked.filter(method => method === 'eth_getLogs')).toHaveLength(2)
  expect((await assetsOf(headless)).map(({ symbol }) => symbol)).toEqual(['GOLD', 'SILVER'])
})

test('a new transfer counts until it is seen, spam does not, and neither does the first search', async () => {
  const clock = { time: NOW }
  const headless = await looked({}, { now: () => clock.time })
  const { wallet, world } = headless
  expect((await wallet.ui.getState(null)).unseen).toBe(0)
  world.head = 200
  world.logs = [
    ...logs,
    transferLog(GOLD, ADDRESS, { block: 150 }),
    transferLog(SPAM, ADDRESS, { block: 151 }),
    transferLog(GOLD, ADDRESS, { block: 152, amount: 0 }),
  ]
  clock.time += NEWS_PAUSE
  await wallet.tend()
  await expect.poll(async () => (await wallet.ui.getState(null)).unseen).toBe(1)
  await ended(headless)
  await wallet.ui.seeIncoming(here)
  expect((await wallet.ui.getState(null)).unseen).toBe(0)
  const filter = { account: ADDRESS, chainId, direction: 'in', status: null, origin: null, from: null, until: null }
  const { entries } = await wallet.ui.getAllActivity({
    filter: { ...filter, text: '', hidesMarked: true } as never,
    skip: 0,
  })
  expect(entries.map(({ moves }) => moves[0]?.symbol)).toContain('GOLD')
})

test('switched off, locked, or without a node, it makes no call', async () => {
  const off = await start()
  await off.wallet.ui.setLooking({ on: false })
  expect(await off.wallet.tend()).toBeNull()
  const locked = await start()
  await locked.wallet.ui.lock(null)
  expect(await locked.wallet.tend()).toBeNull()
  const without = await start({}, { networks: [{ ...localChain, rpcUrls: [] }] })
  expect(await without.wallet.tend()).toBeNull()
  expect([...off.asked, ...locked.asked, ...without.asked]).toEqual([])
  await off.wallet.ui.setLooking({ on: true })
  expect(await off.wallet.tend()).toBe(BUSY_PAUSE)
  await ended(off)
})

test('a new account is looked at too', async () => {
  const headless = await looked()
  const { wallet } = headless
  const { phrases } = await wallet.ui.getState(null)
  await wallet.ui.addAccount({ name: 'Second', phraseId: phrases[0]?.id ?? '' })
  await wallet.tend()
  await wallet.ui.selectAccount({ address: SECOND })
  await expect.poll(() => viewOf(headless, SECOND)).toMatchObject({ status: 'done', tokens: 1 })
})

/** Notes the URLs of the nodes that are asked. */
const noteNodes = (asked: Chain): { chain: Chain; nodes: string[] } => {
  const nodes: string[] = []
  const chain: Chain = (network, method, params) => {
    nodes.push(...network.rpcUrls)
    return asked(network, method, params)
  }
  return { chain, nodes }
}

test('only the nodes that the user chose are asked, and after a change only the new ones', async () => {
  const fake = startTokenChain({ tokens, logs })
  const { chain, nodes } = noteNodes(fake.chain)
  const headless = await createdWallet({ chain, tokenList })
  const { wallet } = headless
  await wallet.tend()
  await ended(headless)
  expect(new Set(nodes)).toEqual(new Set(localChain.rpcUrls))
  await wallet.ui.setRpcUrls({ chainId, rpcUrls: ['https://other.example/'] })
  nodes.length = 0
  const before = fake.asked.length
  await wallet.tend()
  await expect.poll(() => fake.asked.slice(before)).toContain('eth_getLogs')
  await ended(headless)
  expect(new Set(nodes)).toEqual(new Set(['https://other.example/']))
})

test('a change of the node in the middle sends nothing more to the old one', async () => {
  const fake = startTokenChain({ tokens, logs })
  const { chain, nodes } = noteNodes(fake.chain)
  const headless = await createdWallet({ chain, tokenList })
  const { wallet } = headless
  let changing: Promise<unknown> | undefined
  fake.world.before = method => {
    if (method === 'eth_getCode') changing ??= wallet.ui.setRpcUrls({ chainId, rpcUrls: ['https://other.example/'] })
  }
  await wallet.tend()
  await expect.poll(() => changing !== undefined).toBe(true)
  await changing
  nodes.length = 0
  await expect
    .poll(async () => {
      await wallet.tend()
      return viewOf(headless)
    })
    .toMatchObject({ status: 'done', tokens: 2 })
  expect(new Set(nodes)).toEqual(new Set(['https://other.example/']))
})

test('a lock in the middle stops the calls, and the look continues after the unlock', async () => {
  const stop = { at: 'eth_getLogs', hit: false }
  const headless = await start()
  const { wallet, world, asked } = headless
  let locking: Promise<unknown> | undefined
  world.before = method => {
    if (method !== stop.at || locking) return
    locking = wallet.ui.lock(null)
  }
  await wallet.tend()
  await expect.poll(() => locking !== undefined).toBe(true)
  await locking
  const before = asked.length
  expect(await wallet.tend()).toBeNull()
  await wallet.ui.unlock({ password: PASSWORD })
  // Calls that were on their way when the wallet locked may still be answered, but none is made.
  expect(asked.length - before).toBeLessThanOrEqual(1)
  await expect
    .poll(async () => {
      await wallet.tend()
      return viewOf(headless)
    })
    .toMatchObject({ status: 'done', tokens: 2 })
})

test.each<[string, (headless: Headless) => Promise<unknown>]>([
  ['switching it off', ({ wallet }) => wallet.ui.setLooking({ on: false })],
  ['hiding the network', ({ wallet }) => wallet.ui.setNetworkHidden({ chainId, hidden: true })],
])('%s in the middle stops the calls', async (_, stop) => {
  const fake = startTokenChain({ tokens, logs })
  let asked: number | undefined
  const chain: Chain = async (network, method, params) => {
    const answer = await fake.chain(network, method, params)
    if (asked !== undefined) return answer
    asked = fake.asked.length
    await stop(headless)
    return answer
  }
  const headless = await createdWallet({ chain, tokenList })
  await headless.wallet.tend()
  await expect.poll(() => asked).toBeDefined()
  await expect.poll(async () => (await viewOf(headless))?.status).not.toBe('running')
  expect(fake.asked).toHaveLength(asked ?? 0)
})

test('an open request pauses it', async () => {
  const { wallet, asked, ask } = await start({}, { person: undecided })
  void ask('eth_requestAccounts').catch(() => undefined)
  await expect.poll(() => wallet.isAsked()).toBe(true)
  asked.length = 0
  await wallet.tend()
  await expect.poll(async () => (await wallet.ui.getState(null)).looks).toMatchObject([{ status: 'pending' }])
  expect(asked).toEqual([])
})

test('a task of the user ends it at once, and it continues later', async () => {
  const headless = await start()
  const { wallet, world } = headless
  let searching: Promise<unknown> | undefined
  world.before = method => {
    if (method === 'eth_getLogs') searching ??= wallet.ui.findTokens(here)
  }
  await wallet.tend()
  await expect.poll(() => searching !== undefined).toBe(true)
  expect(await searching).toMatchObject({ refusal: null })
  await expect
    .poll(async () => {
      await wallet.tend()
      return viewOf(headless)
    })
    .toMatchObject({ status: 'done', tokens: 2 })
})

test('a node that searches no logs is asked for listed tokens only, and the view says so', async () => {
  const headless = await looked({
    before: method => {
      if (method === 'eth_getLogs') throw refusal('methodNotFound', 'no logs')
    },
  })
  expect(await viewOf(headless)).toMatchObject({ status: 'done', tokens: 1, collectibles: 0, limits: ['noLogs'] })
  expect((await assetsOf(headless)).map(({ symbol }) => symbol)).toEqual(['GOLD'])
})

test('a network without Multicall3 is asked for a few listed tokens, one by one', async () => {
  const many = Array.from({ length: FEW_LISTED + 20 }, (_, at) => {
    const address = `0x${(at + 1).toString(16).padStart(40, '0')}`
    return [address, `T${at}`, 18] as const
  })
  const held = Object.fromEntries(many.map(([address, symbol]) => [address, { symbol, decimals: 18, held: 1n }]))
  const headless = await looked(
    { tokens: held, logs: [], hasMulticall: false },
    { tokenList: async () => ({ [chainId]: many }) },
  )
  expect(await viewOf(headless)).toMatchObject({ status: 'done', tokens: FEW_LISTED, limits: ['fewListed'] })
  expect(await assetsOf(headless)).toHaveLength(FEW_LISTED)
})

test('an unreachable node fails the look, which is repeated later or when the user asks', async () => {
  const clock = { time: NOW }
  const state = { isGone: true }
  const headless = await looked(
    {
      before: () => {
        if (state.isGone) throw unreachable()
      },
    },
    { now: () => clock.time },
  )
  expect(await viewOf(headless)).toMatchObject({ status: 'failed', tokens: 0 })
  expect(await headless.wallet.tend()).toBe(RETRY_PAUSE)
  state.isGone = false
  await headless.wallet.ui.lookAgain({ chainId })
  await headless.wallet.tend()
  await expect.poll(() => viewOf(headless)).toMatchObject({ status: 'done', tokens: 2 })
})

test('a token that the user hid stays hidden', async () => {
  const clock = { time: NOW }
  const headless = await looked({}, { now: () => clock.time })
  await headless.wallet.ui.hideToken({ ...here, token: GOLD })
  await headless.wallet.ui.lookAgain({ chainId })
  clock.time += 1
  await headless.wallet.tend()
  await expect.poll(async () => (await viewOf(headless))?.at).toBe(clock.time)
  expect(await assetsOf(headless)).toEqual([])
})

test('after a stop of the worker it continues, without reading the searched blocks again', async () => {
  const head = 30_000
  const first = await start({ head })
  let queries = 0
  first.world.before = method => (method === 'eth_getLogs' && ++queries > 2 ? new Promise(() => {}) : undefined)
  await first.wallet.tend()
  await expect.poll(() => queries).toBeGreaterThan(2)
  const ranges: number[][] = []
  const fake = startTokenChain({
    ...{ tokens, logs, head },
    before: (method, [filter]) => {
      const { fromBlock, toBlock } = (method === 'eth_getLogs' ? filter : {}) as Record<string, string>
      if (fromBlock !== undefined) ranges.push([Number(fromBlock), Number(toBlock)])
    },
  })
  const second = startWallet({ chain: fake.chain, tokenList, store: first.store })
  await second.wallet.tend()
  await ended(second)
  expect(await viewOf(second)).toMatchObject({ status: 'done', search: { from: 0, to: head } })
  const searched = [head + 1 - FIRST_RANGE, head - UNSETTLED]
  expect(ranges.flat()).toEqual(expect.arrayContaining([head, (searched[0] ?? 0) - 1]))
  expect(ranges.every(([from = 0, to = 0]) => from > (searched[1] ?? 0) || to < (searched[0] ?? 0))).toBe(true)
})
