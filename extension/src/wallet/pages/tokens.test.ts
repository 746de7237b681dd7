import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { unreachable } from '../networks/node.fixture.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  chainOf,
  createdWallet,
  NOW,
  PASSWORD,
  SECOND,
  startWallet,
} from '../wallet.fixture.ts'

const COIN = `0x${'c1'.repeat(20)}`
const FAKE = `0x${'fa'.repeat(20)}`
const SPAM = `0x${'59'.repeat(20)}`
const CATS = `0x${'ca'.repeat(20)}`
const GEAR = `0x${'9e'.repeat(20)}`
const NOBODY = `0x${'00'.repeat(19)}99`

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const textWords = (text: string) => {
  const hex = Buffer.from(text).toString('hex')
  return `0x${word(32)}${word(hex.length / 2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

type Contract = { symbol?: string; decimals?: number; held: bigint; interface?: string }
const contracts: Record<string, Contract> = {
  [COIN]: { symbol: 'COIN', decimals: 6, held: 1_250_000_000n },
  [FAKE]: { symbol: 'ЕTH', decimals: 18, held: 10n ** 30n },
  [SPAM]: { symbol: 'Visit win\u202e.example to claim your prize now', decimals: 0, held: 1n },
  [CATS]: { symbol: 'CATS', held: 3n, interface: '80ac58cd' },
  [GEAR]: { held: 7n, interface: 'd9b67a26' },
}

const call = (params: readonly unknown[]): string => {
  const { to, data } = params[0] as { to: string; data: string }
  const contract = contracts[to.toLowerCase()]
  if (!contract) return '0x'
  const answers: Record<string, string | undefined> = {
    '0x95d89b41': contract.symbol === undefined ? undefined : textWords(contract.symbol),
    '0x313ce567': contract.decimals === undefined ? undefined : `0x${word(contract.decimals)}`,
    '0x70a08231': contract.interface === 'd9b67a26' ? undefined : `0x${word(contract.held)}`,
    '0x00fdd58e': `0x${word(data.endsWith('5') ? contract.held : 0n)}`,
    '0x01ffc9a7': contract.interface && `0x${word(data.slice(10, 18) === contract.interface ? 1 : 0)}`,
  }
  const answer = answers[data.slice(0, 10)]
  if (answer === undefined) throw nodeError({ code: 3, message: 'execution reverted' })
  return answer
}

const transfer = (address: string, ...more: string[]) => ({
  address,
  topics: [TRANSFER, topic(SECOND), topic(ADDRESS), ...more],
  data: more.length > 0 ? '0x' : `0x${word(1)}`,
})
const items = (id: number) => ({
  address: GEAR,
  topics: [SINGLE, topic(SECOND), topic(SECOND), topic(ADDRESS)],
  data: `0x${word(id)}${word(1)}`,
})

const node = (answers: Answers = {}) => {
  const asked: string[] = []
  const all: Answers = {
    eth_blockNumber: () => '0x64',
    eth_getBalance: () => '0x7',
    eth_call: call,
    eth_getLogs: ([filter]) =>
      (filter as { topics: unknown[] }).topics[0] === TRANSFER
        ? [transfer(COIN), transfer(COIN), transfer(FAKE), transfer(SPAM), transfer(CATS, `0x${word(9)}`)]
        : [items(5), items(6)],
    ...answers,
  }
  const chain = chainOf(
    Object.fromEntries(
      Object.entries(all).map(([method, answer]) => [
        method,
        params => {
          asked.push(method)
          return answer(params)
        },
      ]),
    ),
  )
  return { chain, asked }
}

const here = { address: ADDRESS, chainId: 31337 }
const given = (token: string) => ({ ...here, token })

test('a search offers received tokens as untrusted', async () => {
  const { wallet } = await createdWallet({ chain: node().chain })
  expect(await wallet.ui.getFoundTokens(here)).toEqual({ tokens: [], search: null })
  expect(await wallet.ui.findTokens(here)).toEqual({ search: { from: 0, to: 100, ended: true }, refusal: null })
  const { tokens } = await wallet.ui.getFoundTokens(here)
  const told = Object.fromEntries(tokens.map(token => [token.address.toLowerCase(), token]))
  expect(told[COIN]).toMatchObject({
    kind: 'erc20',
    symbol: 'COIN',
    decimals: 6,
    held: '1250000000',
    isPlain: true,
    imitates: null,
  })
  expect(told[FAKE]).toMatchObject({ symbol: 'ЕTH', imitates: 'ETH' })
  expect(told[SPAM]).toMatchObject({ isPlain: false })
  expect(told[CATS]).toMatchObject({ kind: 'erc721', symbol: 'CATS', held: '3' })
  expect(told[GEAR]).toMatchObject({ kind: 'erc1155', symbol: null, held: '1' })
  expect(tokens.every(({ choice }) => choice === null)).toBe(true)
  expect((await wallet.ui.getState(null)).assets).toEqual([])
  expect(await wallet.ui.getHoldings(here)).toEqual({ tokens: [], collections: [], offered: 5 })
})

test('shown tokens are listed, hidden ones are not, and neither is offered again', async () => {
  const { wallet } = await createdWallet({ chain: node().chain })
  await wallet.ui.findTokens(here)
  await wallet.ui.showToken(given(COIN))
  await wallet.ui.showToken(given(CATS))
  await wallet.ui.hideToken(given(SPAM))
  const { assets } = await wallet.ui.getState(null)
  expect(assets).toMatchObject([{ chainId: 31337, symbol: 'COIN', decimals: 6 }])
  expect(await wallet.ui.getHoldings(here)).toMatchObject({
    tokens: [{ amount: '1250000000' }],
    collections: [{ kind: 'erc721', name: 'CATS', items: '3' }],
    offered: 2,
  })
  await wallet.ui.hideToken(given(COIN))
  await wallet.ui.hideToken(given(CATS))
  expect(await wallet.ui.getHoldings(here)).toMatchObject({ tokens: [], collections: [], offered: 2 })
  await wallet.ui.findTokens(here)
  const hidden = (await wallet.ui.getFoundTokens(here)).tokens.filter(({ choice }) => choice === 'hidden')
  expect(hidden.map(({ address }) => address.toLowerCase()).toSorted()).toEqual([SPAM, COIN, CATS].toSorted())
})

test('a found token whose symbol could not be read is shown once the node can read it', async () => {
  let isBusy = true
  const eth_call: Answers[string] = params => {
    const { data } = params[0] as { data: string }
    if (isBusy && data.startsWith('0x95d89b41')) throw nodeError({ code: -32000, message: 'busy' })
    return call(params)
  }
  const { wallet } = await createdWallet({ chain: node({ eth_call }).chain })
  await wallet.ui.findTokens(here)
  const { tokens } = await wallet.ui.getFoundTokens(here)
  expect(tokens.find(({ address }) => address.toLowerCase() === COIN)).toMatchObject({ symbol: null })
  isBusy = false
  await wallet.ui.showToken(given(COIN))
  expect((await wallet.ui.getState(null)).assets).toMatchObject([{ symbol: 'COIN', decimals: 6 }])
})

test("a token is added by its address, and its contract's values take precedence over typed ones", async () => {
  const { wallet } = await createdWallet({ chain: node().chain })
  expect(await wallet.ui.describeToken(given(` ${COIN} `))).toMatchObject({
    kind: 'erc20',
    symbol: 'COIN',
    held: '1250000000',
  })
  await wallet.ui.showToken({ ...given(COIN), symbol: 'MINE', decimals: 2 })
  expect((await wallet.ui.getState(null)).assets).toMatchObject([{ symbol: 'COIN', decimals: 6 }])
  await expect(wallet.ui.showToken(given(SPAM))).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('symbol'),
  })
  await wallet.ui.showToken({ ...given(SPAM), symbol: 'PRIZE' })
  expect((await wallet.ui.getState(null)).assets.at(-1)).toMatchObject({ symbol: 'PRIZE', decimals: 0 })
  await expect(wallet.ui.describeToken(given(NOBODY))).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.showToken(given('0x12'))).rejects.toThrow('is not an address')
})

test('balances are read again only after a new block, another selection or another node', async () => {
  let block = 1
  const { chain, asked } = node({ eth_blockNumber: () => `0x${(block).toString(16)}` })
  const { wallet } = await createdWallet({ chain })
  await wallet.ui.showToken(given(COIN))
  const count = async () => {
    asked.length = 0
    await wallet.ui.getHoldings(here)
    return asked.filter(method => method === 'eth_call').length
  }
  expect(await count()).toBe(1)
  expect(await count()).toBe(0)
  block = 2
  expect(await count()).toBe(1)
  await wallet.ui.showToken(given(CATS))
  expect(await count()).toBe(2)
})

test('the last balances are kept while the node is unreachable and after restarts, but not while locked', async () => {
  let away = false
  const { chain } = node()
  const flaky: typeof chain = async (...asked) => {
    if (away) throw unreachable()
    return chain(...asked)
  }
  const { wallet, store } = await createdWallet({ chain: flaky })
  expect(await wallet.ui.getKept(here)).toBeNull()
  await wallet.ui.showToken(given(COIN))
  await wallet.ui.getBalance(here)
  await wallet.ui.getHoldings(here)
  away = true
  await expect(wallet.ui.getHoldings(here)).rejects.toMatchObject({ code: 4901 })
  const again = startWallet({ chain: flaky, store, person: approve })
  const kept = await again.wallet.ui.getKept(here)
  expect(kept).toMatchObject({ wei: '0x7', at: NOW, tokens: [{ amount: '1250000000' }] })
  expect(JSON.stringify(await store.local.get('last-holdings'))).not.toContain(ADDRESS.slice(2).toLowerCase())
  await again.wallet.ui.lock(null)
  expect(await again.wallet.ui.getKept(here)).toBeNull()
  await expect(again.wallet.ui.getHoldings(here)).rejects.toMatchObject({ code: 4100 })
  await again.wallet.ui.unlock({ password: PASSWORD })
  await again.wallet.ui.removeWallet({ password: PASSWORD })
  expect(await store.local.get('last-holdings')).toBeUndefined()
  expect(await store.local.get('found-tokens')).toBeUndefined()
})

test('a node that returns no logs is reported, and the search can be cancelled', async () => {
  const refusing = node({
    eth_getLogs: () => {
      throw nodeError({ code: -32601, message: 'eth_getLogs is not available' })
    },
  })
  const { wallet } = await createdWallet({ chain: refusing.chain })
  expect(await wallet.ui.findTokens(here)).toEqual({ search: null, refusal: 'eth_getLogs is not available' })

  const endless = await createdWallet({ chain: node({ eth_getLogs: () => new Promise(() => {}) }).chain })
  const search = endless.wallet.ui.findTokens(here)
  await expect.poll(() => endless.state()?.task?.name).toBe('findTokens')
  await endless.wallet.ui.cancelTask(null)
  await expect(search).rejects.toMatchObject({ code: 4001 })
  await expect.poll(() => endless.state()?.task).toBeNull()
})

test('a reset chain is searched from the start', async () => {
  let block = 100
  const { wallet } = await createdWallet({ chain: node({ eth_blockNumber: () => `0x${block.toString(16)}` }).chain })
  await wallet.ui.findTokens(here)
  block = 3
  expect(await wallet.ui.findTokens(here)).toMatchObject({ search: { from: 0, to: 3, ended: true } })
  await wallet.ui.resetChain({ chainId: 31337 })
  expect(await wallet.ui.getFoundTokens(here)).toEqual({ tokens: [], search: null })
})
