/** A site built on web3.js 4, without a browser. Its results are verified with ethers and on the chain. */
import { Contract, type JsonRpcProvider, Transaction, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADDRESS } from '../../extension/src/wallet/wallet.fixture.ts'
import { type LibrarySite, startLibrarySite } from './site.ts'
import { BYTES, CHAIN, LETTER, MESSAGE, OTHER, OTHER_CHAIN, SUPPLY, TOKEN, TRANSFER, VALUE } from './values.ts'
import { web3Actions } from './web3.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('../faults/stopping-browser.ts'))

let site: LibrarySite
let chain: JsonRpcProvider

beforeAll(async () => {
  site = await startLibrarySite(web3Actions)
  chain = site.chain
})
afterAll(() => site?.stop())

const receiptOf = (value: unknown) =>
  chain.getTransactionReceipt((value as { transactionHash: string }).transactionHash)

test('connects, and a rejection has its code', async () => {
  expect(await site.ask('connect', 'reject')).toMatchObject({ state: 'error', value: { code: 4001 } })
  expect((await site.ask('connect', 'approve')).value).toBe(ADDRESS.toLowerCase())
  expect((await site.read('accounts')).value).toEqual([ADDRESS])
  expect((await site.read('chain id')).value).toBe(String(CHAIN))
})

test('signs text and bytes with personal_sign, which has a third parameter, and with eth_sign', async () => {
  const bytes = Buffer.from(BYTES.slice(2), 'hex')
  for (const [button, message] of [
    ['sign text', MESSAGE],
    ['sign bytes', bytes],
    ['sign the old way', MESSAGE],
  ] as const) {
    const { value } = await site.ask(button, 'approve')
    expect(verifyMessage(message, String(value)), button).toBe(ADDRESS)
  }
  expect((await site.ask('recover text', 'approve')).value).toBe(ADDRESS.toLowerCase())
})

test('signs typed data under its new and old method names', async () => {
  const types = { Person: [...LETTER.types.Person], Letter: [...LETTER.types.Letter] }
  for (const button of ['sign typed data', 'sign typed data the old way']) {
    const { value } = await site.ask(button, 'approve')
    expect(verifyTypedData(LETTER.domain, types, LETTER.message, String(value)), button).toBe(ADDRESS)
  }
})

test('signs a transaction, then sends it', async () => {
  const signed = Transaction.from(String((await site.ask('sign transaction', 'approve')).value))
  expect(signed).toMatchObject({ from: ADDRESS, to: OTHER, value: VALUE, chainId: BigInt(CHAIN) })
  expect(await chain.getTransaction(String(signed.hash))).toBeNull()
  const { value } = await site.read('send signed')
  expect(value).toMatchObject({ transactionHash: signed.hash })
  expect(await receiptOf(value)).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
})

test('sends a transaction and gets its hash and receipt', async () => {
  const before = await chain.getBalance(OTHER)
  const { value } = await site.ask('send', 'approve')
  expect(value).toMatchObject({ told: ['transactionHash', 'receipt'] })
  expect(await receiptOf(value)).toMatchObject({ status: 1, from: ADDRESS })
  expect((await chain.getBalance(OTHER)) - before).toBe(VALUE)
})

test('deploys, transfers and reads a token', async () => {
  const address = String((await site.ask('deploy token', 'approve')).value)
  const balanceOf = new Contract(address, JSON.stringify(TOKEN.abi), chain).getFunction('balanceOf')
  expect(await balanceOf(ADDRESS)).toBe(SUPPLY)
  // web3.js sends the calldata as both `data` and `input`.
  expect(await receiptOf((await site.ask('transfer', 'approve')).value)).toMatchObject({ status: 1 })
  expect(await balanceOf(OTHER)).toBe(TRANSFER)
  expect((await site.read('balance')).value).toBe(String(TRANSFER))
  expect((await site.read('transfers')).value).toContain(String(TRANSFER))
})

test('the wallet shows that a call would fail, with the reason', async () => {
  const { request, ...answer } = await site.ask('transfer too much', 'reject')
  expect(JSON.stringify(request.findings)).toContain('transfer amount exceeds balance')
  expect(answer).toMatchObject({ state: 'error', value: { code: 4001 } })
})

test('a subscription sends blocks until it ends', async () => {
  const { value: id } = await site.read('watch blocks')
  expect(id).toMatch(/^0x[0-9a-f]+$/)
  const mined = async () => {
    await chain.send('evm_mine', [])
    return (await site.read('blocks')).value
  }
  await expect.poll(mined).not.toEqual([])

  expect((await site.read('stop watching')).state).toBe('result')
  expect((await site.ui.getState(null)).sites).toMatchObject([{ subscriptions: 0 }])
  const { value: blocks } = await site.read('blocks')
  // A second subscription shows when the wallet has announced one more block.
  const other = await site.provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const announced: unknown[] = []
  site.provider.on('message', message => announced.push(message))
  await chain.send('evm_mine', [])
  await expect.poll(() => announced).toMatchObject([{ data: { subscription: other } }])
  expect((await site.read('blocks')).value).toEqual(blocks)
})

test('adds and uses a network', async () => {
  expect((await site.ask('add another chain', 'approve')).value).toBeNull()
  expect((await site.read('chain id')).value).toBe(String(OTHER_CHAIN))
})
