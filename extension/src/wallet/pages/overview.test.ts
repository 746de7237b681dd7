import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import type { ActivityFilter } from '../../messages.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { TRANSFER } from '../tokens/token-moves.ts'
import { PAGE_SIZE } from '../transactions/all-activity.ts'
import { ADDRESS, connectedWallet, createdWallet, NOW, SECOND, SITE, startNode } from '../wallet.fixture.ts'

const CHAIN = 31337
const OTHER_CHAIN = 1
const COIN = `0x${'c1'.repeat(20)}`
const FRIEND = `0x${'f1'.repeat(20)}`
const POISON = `${FRIEND.slice(0, 6)}${'0'.repeat(32)}${FRIEND.slice(-4)}`

const ALL: ActivityFilter = {
  account: null,
  chainId: null,
  direction: null,
  status: null,
  origin: null,
  from: null,
  until: null,
  text: '',
  hidesMarked: false,
}

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const logTo = (receiver: string, block: number, { from = FRIEND, amount = 5 } = {}) => ({
  address: COIN,
  topics: [TRANSFER, topic(from), topic(receiver)],
  data: `0x${word(amount)}`,
  blockNumber: encodeQuantity(block),
  logIndex: '0x0',
  transactionHash: `0x${word(block)}`,
  blockTimestamp: encodeQuantity(NOW / 1000 - 1_000 + block),
})

/** Creates a node that returns these transfers for every network. */
const nodeWith = (logs: readonly ReturnType<typeof logTo>[]) =>
  startNode({
    eth_blockNumber: () => '0x64',
    eth_getLogs: ([filter]) => ((filter as { topics: unknown[] }).topics[0] === TRANSFER ? logs : []),
    eth_call: ([call]) => ((call as { to: string }).to.toLowerCase() === COIN ? `0x${word(6)}` : '0x'),
  }).chain

test('balances of all accounts are read together, and an unreachable node is 4901', async () => {
  const { wallet } = await createdWallet({ chain: nodeWith([]) })
  await wallet.ui.addAccount({ name: 'Second' })
  await wallet.ui.showToken({ address: ADDRESS, chainId: CHAIN, token: COIN, symbol: 'COIN', decimals: 6 })
  const wei = encodeQuantity(10n ** 20n)
  expect(await wallet.ui.getBalances({ chainId: CHAIN })).toEqual(
    [ADDRESS, SECOND].map(address => ({
      address,
      wei,
      tokens: [{ address: expect.stringMatching(new RegExp(COIN, 'i')), amount: '6' }],
    })),
  )
  const off: Chain = async () => {
    throw unreachable()
  }
  await expect((await createdWallet({ chain: off })).wallet.ui.getBalances({ chainId: CHAIN })).rejects.toMatchObject({
    code: 4901,
  })
})

test('the coin balances of the visible accounts are read with one call, and one failed read spoils no other', async () => {
  const wei = encodeQuantity(10n ** 20n)
  const node = startNode({
    eth_getBalance: ([address]) => {
      if (address === SECOND) throw refusal('invalidInput', 'header not found')
      return wei
    },
    eth_call: () => '0x',
  })
  const asked: (readonly unknown[])[] = []
  const chain: Chain = (network, method, params) => {
    asked.push([method, params])
    return node.chain(network, method, params)
  }
  const { wallet } = await createdWallet({ chain })
  await wallet.ui.addAccount({ name: 'Second' })
  const hidden = (await wallet.ui.addAccount({ name: 'Hidden' })).address
  await wallet.ui.hideAccount({ address: hidden })
  asked.length = 0
  expect(await wallet.ui.getCoinBalances({ chainId: CHAIN })).toEqual([
    { address: ADDRESS, wei },
    { address: SECOND, wei: null },
  ])
  // The network lacks Multicall3 (an empty answer), so a batch follows. Nothing names the hidden account.
  expect(asked.map(([method]) => method)).toEqual(['eth_call', 'eth_getBalance', 'eth_getBalance'])
  expect(JSON.stringify(asked)).not.toMatch(new RegExp(hidden.slice(2), 'i'))
})

/**
 * Creates a wallet with a site's transaction, a transaction by its own pages on another network, and three found
 * transfers.
 */
const walletWithActivity = async () => {
  const logs = [logTo(ADDRESS, 10), logTo(SECOND, 20), logTo(ADDRESS, 30, { from: POISON, amount: 0 })]
  const headless = await connectedWallet({ chain: nodeWith(logs) })
  const { wallet, ask } = headless
  await wallet.ui.addAccount({ name: 'Second' })
  await wallet.ui.saveContact({ address: FRIEND, name: 'Friend' })
  await wallet.ui.selectNetwork({ chainId: CHAIN })
  await ask('eth_sendTransaction', { from: ADDRESS, to: FRIEND, value: '0x7' })
  const own = { from: ADDRESS, chainId: OTHER_CHAIN, to: SECOND, token: null, amount: '0x9', id: 'own' }
  await wallet.ui.sendOwn(own)
  await wallet.ui.findIncoming({ chainId: CHAIN })
  const list = (filter: Partial<ActivityFilter> = {}, skip = 0) =>
    wallet.ui.getAllActivity({ filter: { ...ALL, ...filter }, skip })
  return { ...headless, list }
}

test('the list has the transactions and found transfers of all accounts and networks, newest first', async () => {
  const { list } = await walletWithActivity()
  const { entries, total, marked, origins, searches } = await list()
  expect(entries.map(({ direction, chainId, account, block }) => [direction, chainId, account, block])).toEqual([
    ['out', CHAIN, ADDRESS, null],
    ['out', OTHER_CHAIN, ADDRESS, null],
    ['in', CHAIN, ADDRESS, '30'],
    ['in', CHAIN, SECOND, '20'],
    ['in', CHAIN, ADDRESS, '10'],
  ])
  expect({ total, marked, origins }).toEqual({ total: 5, marked: 1, origins: [SITE] })
  expect(searches).toEqual([{ chainId: CHAIN, isCut: false, search: { from: 0, to: 100, ended: true } }])
  expect(entries[0]).toMatchObject({
    status: 'pending',
    transaction: { origin: SITE },
    moves: [{ kind: 'native', amount: '7', symbol: expect.any(String), listed: true }],
  })
  expect(entries[2]?.marks).toEqual([
    { name: 'lookalikeSender', known: expect.stringMatching(new RegExp(FRIEND, 'i')), knownName: 'Friend' },
    { name: 'zeroValue' },
  ])
  expect(entries[4]).toMatchObject({
    time: NOW - 990_000,
    marks: [],
    moves: [{ kind: 'erc20', amount: '5', decimals: 6, symbol: null, listed: false }],
  })
})

test('each filter, alone and combined, keeps only the matching entries', async () => {
  const { list } = await walletWithActivity()
  const count = async (filter: Partial<ActivityFilter>) => (await list(filter)).total
  expect(await count({ account: SECOND })).toBe(1)
  expect(await count({ chainId: OTHER_CHAIN })).toBe(1)
  expect(await count({ direction: 'in' })).toBe(3)
  expect(await count({ direction: 'out' })).toBe(2)
  expect(await count({ status: 'pending' })).toBe(2)
  expect(await count({ origin: SITE })).toBe(1)
  expect(await count({ from: NOW - 985_000 })).toBe(4)
  expect(await count({ from: NOW - 985_000, until: NOW })).toBe(2)
  expect(await count({ hidesMarked: true })).toBe(4)
  expect(await count({ text: 'friend' })).toBe(3)
  expect(await count({ text: COIN.toUpperCase().slice(2) })).toBe(3)
  expect(await count({ text: ' 0x000000000000000000000000000000000000000000000000000000000000000a ' })).toBe(1)
  expect(await count({ text: 'no such thing' })).toBe(0)
  expect(await count({ account: ADDRESS, direction: 'in', hidesMarked: true })).toBe(1)
})

test('the filter of an asset keeps its transfers in both directions, and transactions to its contract', async () => {
  const { list, ask, wallet } = await walletWithActivity()
  const count = async (filter: Partial<ActivityFilter>) => (await list(filter)).total
  const transfer = `0xa9059cbb${word(BigInt(FRIEND))}${word(3)}`
  const approve = `0x095ea7b3${word(BigInt(FRIEND))}${word(0)}`
  for (const data of [transfer, approve]) await ask('eth_sendTransaction', { from: ADDRESS, to: COIN, data })
  await wallet.ui.sendOwn({ from: ADDRESS, chainId: CHAIN, to: COIN, token: null, amount: '0x1', id: 'coins' })
  expect(await count({ asset: COIN.toUpperCase().replace('0X', '0x') })).toBe(6)
  expect(await count({ asset: COIN, account: ADDRESS, chainId: CHAIN })).toBe(5)
  expect(await count({ asset: COIN, direction: 'in' })).toBe(3)
  expect(await count({ asset: null })).toBe(3)
  expect(await count({ asset: null, chainId: OTHER_CHAIN })).toBe(1)
})

test('the list is divided into pages', async () => {
  const logs = Array.from({ length: PAGE_SIZE + 5 }, (_, at) => logTo(ADDRESS, at))
  const { wallet } = await createdWallet({ chain: nodeWith(logs) })
  await wallet.ui.findIncoming({ chainId: CHAIN })
  const first = await wallet.ui.getAllActivity({ filter: ALL, skip: 0 })
  const second = await wallet.ui.getAllActivity({ filter: ALL, skip: PAGE_SIZE })
  expect([first.entries.length, second.entries.length, first.total]).toEqual([PAGE_SIZE, 5, PAGE_SIZE + 5])
  expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(PAGE_SIZE + 5)
})

test('the list does not query a node, and is unavailable while the wallet is locked', async () => {
  const { wallet } = await createdWallet()
  expect(await wallet.ui.getAllActivity({ filter: ALL, skip: 0 })).toMatchObject({ entries: [], searches: [] })
  await wallet.ui.lock(null)
  await expect(wallet.ui.getAllActivity({ filter: ALL, skip: 0 })).rejects.toMatchObject({ code: 4100 })
  await expect(wallet.ui.getBalances({ chainId: CHAIN })).rejects.toMatchObject({ code: 4100 })
})

test('clearing a network also clears its found transfers', async () => {
  const { wallet, list } = await walletWithActivity()
  await wallet.ui.resetChain({ chainId: CHAIN })
  expect((await list({ chainId: CHAIN })).total).toBe(0)
  expect((await list()).searches).toEqual([])
})
