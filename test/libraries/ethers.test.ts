/** A site built on ethers 6, without a browser. Its results are verified with viem and on the chain. */
import type { JsonRpcProvider } from 'ethers'
import {
  createPublicClient,
  custom,
  type Hex,
  type PublicClient,
  parseTransaction,
  recoverTransactionAddress,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADDRESS } from '../../extension/src/wallet/wallet.fixture.ts'
import { ethersActions } from './ethers.ts'
import { type LibrarySite, startLibrarySite } from './site.ts'
import { BYTES, CHAIN, LETTER, MESSAGE, OTHER, TOKEN, TRANSFER, VALUE } from './values.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('../faults/stopping-browser.ts'))

let site: LibrarySite
let node: JsonRpcProvider
let chain: PublicClient

beforeAll(async () => {
  site = await startLibrarySite(ethersActions)
  node = site.chain
  chain = createPublicClient({
    transport: custom({ request: ({ method, params }) => node.send(method, params ?? []) }),
  })
})
afterAll(() => site?.stop())

const receiptOf = (value: unknown) => chain.getTransactionReceipt({ hash: (value as { hash: Hex }).hash })

test('finds the announced wallet and connects', async () => {
  expect(await site.ask('connect', 'reject')).toMatchObject({ state: 'error', value: { code: 'ACTION_REJECTED' } })
  expect((await site.ask('connect', 'approve')).value).toBe(ADDRESS)
  expect((await site.read('accounts')).value).toEqual([ADDRESS])
  expect((await site.read('network')).value).toBe(String(CHAIN))
})

test('signs text and bytes with personal_sign and eth_sign', async () => {
  for (const [button, message] of [
    ['sign text', MESSAGE],
    ['sign bytes', { raw: BYTES }],
    ['sign the old way', MESSAGE],
  ] as const) {
    const { value } = await site.ask(button, 'approve')
    expect(await verifyMessage({ address: ADDRESS, message, signature: value as Hex }), button).toBe(true)
  }
})

test('a rejection has the error code of ethers', async () => {
  expect(await site.ask('sign text', 'reject')).toMatchObject({ state: 'error', value: { code: 'ACTION_REJECTED' } })
})

test('signs typed data', async () => {
  const { value } = await site.ask('sign typed data', 'approve')
  expect(await verifyTypedData({ address: ADDRESS, ...LETTER, signature: value as Hex })).toBe(true)
})

test('signs a transaction without sending it', async () => {
  const { value } = await site.ask('sign transaction', 'approve')
  const serializedTransaction = value as `0x02${string}`
  expect(parseTransaction(serializedTransaction)).toMatchObject({
    chainId: CHAIN,
    to: OTHER.toLowerCase(),
    value: VALUE,
  })
  expect(await recoverTransactionAddress({ serializedTransaction })).toBe(ADDRESS)
  expect(await chain.getTransactionCount({ address: ADDRESS, blockTag: 'pending' })).toBe(0)
  const hash = await chain.request({ method: 'eth_sendRawTransaction', params: [serializedTransaction] })
  // The chain may mine the transaction after it has responded.
  const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 100 })
  expect(receipt).toMatchObject({ status: 'success', to: OTHER.toLowerCase() })
})

test('sends transactions and gets their receipts through the wallet', async () => {
  for (const [button, type] of [
    ['send', 'eip1559'],
    ['send of type 0', 'legacy'],
  ] as const) {
    const before = await chain.getBalance({ address: OTHER })
    const receipt = await receiptOf((await site.ask(button, 'approve')).value)
    expect(receipt, button).toMatchObject({ status: 'success', type, from: ADDRESS.toLowerCase() })
    expect((await chain.getBalance({ address: OTHER })) - before).toBe(VALUE)
  }
})

test('deploys, transfers and reads a token', async () => {
  const address = (await site.ask('deploy token', 'approve')).value as Hex
  await receiptOf((await site.ask('transfer', 'approve')).value)
  const [abi, functionName] = [TOKEN.abi, 'balanceOf']
  expect(await chain.readContract({ address, abi, functionName, args: [OTHER] })).toBe(TRANSFER)
  expect((await site.read('balance')).value).toBe(String(TRANSFER))
  expect((await site.read('transfers')).value).toContainEqual([ADDRESS, OTHER, String(TRANSFER)])
})

test('a call that would fail is detected before the approval', async () => {
  const { state, value } = await site.read('transfer too much')
  expect({ state, value }).toMatchObject({ state: 'error', value: { code: 'CALL_EXCEPTION' } })
  expect((value as { message: string }).message).toContain('transfer amount exceeds balance')
})

test("the wallet's errors have their codes", async () => {
  const unknownChain = await site.read('switch to another chain')
  expect(unknownChain).toMatchObject({ state: 'error', value: { cause: { code: 4902 } } })
  const unknownMethod = await site.read('call a method that is not there')
  expect(unknownMethod).toMatchObject({ state: 'error', value: { code: 'UNSUPPORTED_OPERATION' } })
})

test('gets new blocks', async () => {
  await site.read('watch blocks')
  const told = async () => {
    await chain.request({ method: 'evm_mine' as never })
    const { value } = await site.read('blocks')
    return Math.max(0, ...(value as number[]))
  }
  const before = await chain.getBlockNumber()
  await expect.poll(told).toBeGreaterThan(Number(before))
})
