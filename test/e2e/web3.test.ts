/** A site built on web3.js 4, whose results are verified with ethers and on the chain. */
import { Contract, type JsonRpcProvider, Transaction, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChain } from '../support/chain.ts'
import { type LibrarySite, startLibrarySite } from './library-site.ts'
import { BYTES, CHAIN, LETTER, MESSAGE, OTHER, OTHER_CHAIN, SUPPLY, TOKEN, TRANSFER, VALUE } from './pages/values.ts'
import { ADDRESS, decide } from './person.ts'
import type { DemoSite } from './site.ts'

let all: LibrarySite
let site: DemoSite
let chain: JsonRpcProvider

beforeAll(async () => {
  all = await startLibrarySite('web3')
  site = all.site
  chain = openChain(all.anvil.url)
})
afterAll(async () => {
  chain?.destroy()
  await all?.stop()
})

const receiptOf = (value: unknown) =>
  chain.getTransactionReceipt((value as { transactionHash: string }).transactionHash)

test('connects, and a rejection has its code', async () => {
  expect(await site.ask('connect', 'Reject')).toMatchObject({ state: 'error', value: { code: 4001 } })
  expect((await site.ask('connect', 'Connect')).value).toBe(ADDRESS.toLowerCase())
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
    const { value } = await site.ask(button, 'Approve')
    expect(verifyMessage(message, String(value)), button).toBe(ADDRESS)
  }
  expect((await site.ask('recover text', 'Approve')).value).toBe(ADDRESS.toLowerCase())
})

test('signs typed data under its new and old method names', async () => {
  const types = { Person: [...LETTER.types.Person], Letter: [...LETTER.types.Letter] }
  for (const button of ['sign typed data', 'sign typed data the old way']) {
    const { value } = await site.ask(button, 'Approve')
    expect(verifyTypedData(LETTER.domain, types, LETTER.message, String(value)), button).toBe(ADDRESS)
  }
})

test('signs a transaction, then sends it', async () => {
  const signed = Transaction.from(String((await site.ask('sign transaction', 'Approve')).value))
  expect(signed).toMatchObject({ from: ADDRESS, to: OTHER, value: VALUE, chainId: BigInt(CHAIN) })
  expect(await chain.getTransaction(String(signed.hash))).toBeNull()
  const { value } = await site.read('send signed')
  expect(value).toMatchObject({ transactionHash: signed.hash })
  expect(await receiptOf(value)).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
})

test('sends a transaction and gets its hash and receipt', async () => {
  const before = await chain.getBalance(OTHER)
  const { value } = await site.ask('send', 'Approve')
  expect(value).toMatchObject({ told: ['transactionHash', 'receipt'] })
  expect(await receiptOf(value)).toMatchObject({ status: 1, from: ADDRESS })
  expect((await chain.getBalance(OTHER)) - before).toBe(VALUE)
})

test('deploys, transfers and reads a token', async () => {
  const address = String((await site.ask('deploy token', 'Approve')).value)
  const balanceOf = new Contract(address, JSON.stringify(TOKEN.abi), chain).getFunction('balanceOf')
  expect(await balanceOf(ADDRESS)).toBe(SUPPLY)
  // Sent with both `data` and `input`.
  expect(await receiptOf((await site.ask('transfer', 'Approve')).value)).toMatchObject({ status: 1 })
  expect(await balanceOf(OTHER)).toBe(TRANSFER)
  expect((await site.read('balance')).value).toBe(String(TRANSFER))
  expect((await site.read('transfers')).value).toContain(String(TRANSFER))
})

test('the person sees that a call would fail, with the reason', async () => {
  const window = await all.person.approval(() => site.press('transfer too much'))
  await window.getByText('transfer amount exceeds balance').first().waitFor()
  await decide(window, 'Reject')
  expect(await site.answer('transfer too much')).toMatchObject({ state: 'error', value: { code: 4001 } })
})

test('a subscription sends blocks until it ends', async () => {
  expect((await site.read('watch blocks')).value).toMatch(/^0x[0-9a-f]+$/)
  const told = async () => {
    await chain.send('evm_mine', [])
    return (await site.read('blocks')).value
  }
  await expect.poll(told, { timeout: 20_000 }).not.toEqual([])
  expect((await site.read('stop watching')).state).toBe('result')
  const after = (await site.read('blocks')).value
  await chain.send('evm_mine', [])
  expect((await site.read('blocks')).value).toEqual(after)
})

test('adds and uses a network', async () => {
  expect((await site.ask('add another chain', 'Approve')).value).toBeNull()
  expect((await site.read('chain id')).value).toBe(String(OTHER_CHAIN))
})
