/** A site built on wagmi, without a browser. Its results are verified with ethers and on the chain. */
import { Contract, type JsonRpcProvider, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADDRESS, PASSWORD } from '../../extension/src/wallet/wallet.fixture.ts'
import { putDelegate } from '../support/delegate.ts'
import { type LibrarySite, startLibrarySite } from './site.ts'
import { CHAIN, LETTER, MESSAGE, OTHER, OTHER_CHAIN, SUPPLY, TOKEN, TRANSFER, VALUE } from './values.ts'
import { wagmiActions } from './wagmi.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('../faults/stopping-browser.ts'))

/** The page's `localStorage`. */
const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}

let site: LibrarySite
let chain: JsonRpcProvider

beforeAll(async () => {
  site = await startLibrarySite(otherNode => wagmiActions(otherNode, storage))
  chain = site.chain
})
afterAll(() => site?.stop())

const receiptOf = (value: unknown) =>
  chain.getTransactionReceipt((value as { transactionHash: string }).transactionHash)
const connection = async () => (await site.read('connection')).value

test('finds the wallet once by EIP-6963', async () => {
  const { value } = await site.read('wallets')
  const icon = expect.stringMatching(/^data:image\/svg\+xml,/)
  expect(value).toEqual([{ id: 'org.heliograph.wallet', name: 'Heliograph', type: 'injected', icon }])
})

test('connects', async () => {
  const refused = await site.ask('connect', 'reject')
  expect(refused).toMatchObject({ state: 'error', value: { name: 'UserRejectedRequestError', code: 4001 } })
  expect((await site.ask('connect', 'approve')).value).toEqual([ADDRESS])
  expect(await connection()).toEqual({ status: 'connected', address: ADDRESS, chainId: CHAIN })
})

test('stays connected after a reload without asking the user', async () => {
  site.reload()
  expect((await site.read('reconnect')).value).toEqual([[ADDRESS]])
  expect(await connection()).toEqual({ status: 'connected', address: ADDRESS, chainId: CHAIN })
})

test('stays connected through lock, reload and unlock', async () => {
  const connected = { status: 'connected', address: ADDRESS, chainId: CHAIN }
  await site.ui.lock(null)
  expect(await connection()).toEqual(connected)
  site.reload()
  expect((await site.read('reconnect')).value).toEqual([[ADDRESS]])
  await site.ui.unlock({ password: PASSWORD })
  expect(await connection()).toEqual(connected)
})

test('signs text and typed data', async () => {
  expect(verifyMessage(MESSAGE, String((await site.ask('sign text', 'approve')).value))).toBe(ADDRESS)
  const { value } = await site.ask('sign typed data', 'approve')
  const types = { Person: [...LETTER.types.Person], Letter: [...LETTER.types.Letter] }
  expect(verifyTypedData(LETTER.domain, types, LETTER.message, String(value))).toBe(ADDRESS)
})

test('sends a transaction', async () => {
  const before = await chain.getBalance(OTHER)
  const { value } = await site.ask('send', 'approve')
  expect(await receiptOf(value)).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
  expect((await chain.getBalance(OTHER)) - before).toBe(VALUE)
})

test('deploys, transfers, reads and watches a token', async () => {
  const token = String((await site.ask('deploy token', 'approve')).value)
  const balanceOf = new Contract(token, JSON.stringify(TOKEN.abi), chain).getFunction('balanceOf')
  expect(await balanceOf(ADDRESS)).toBe(SUPPLY)
  expect(await receiptOf((await site.ask('transfer', 'approve')).value)).toMatchObject({ status: 1 })
  expect(await balanceOf(OTHER)).toBe(TRANSFER)
  expect((await site.read('balance')).value).toBe(String(TRANSFER))
  expect((await site.ask('watch token', 'approve')).value).toBe(true)
})

test('sends calls with one approval and returns their status', async () => {
  expect((await site.read('capabilities')).value).toMatchObject({ [CHAIN]: { atomic: { status: 'unsupported' } } })
  const before = await chain.getBalance(OTHER)
  expect((await site.ask('send calls', 'approve')).value).toMatchObject({ status: 'success', statusCode: 200 })
  expect((await chain.getBalance(OTHER)) - before).toBe(2n * VALUE)
})

test('on a chain with the contract, calls are sent as one', async () => {
  await putDelegate(chain)
  // If the node does not answer in time, the wallet reports `unsupported`.
  const capabilities = async () => (await site.read('capabilities')).value
  await expect.poll(capabilities).toMatchObject({ [CHAIN]: { atomic: { status: 'ready' } } })
  const before = await chain.getBalance(OTHER)
  const { value } = await site.ask('send calls as one', 'approve')
  expect(value).toMatchObject({ status: 'success', statusCode: 200, atomic: true })
  expect((await chain.getBalance(OTHER)) - before).toBe(2n * VALUE)
  await expect.poll(capabilities).toMatchObject({ [CHAIN]: { atomic: { status: 'supported' } } })
})

test('switching to an unknown network adds it, and switching back works', async () => {
  const refused = await site.ask('switch to another chain', 'reject')
  expect(refused).toMatchObject({ state: 'error', value: { name: 'UserRejectedRequestError' } })
  expect((await site.ask('switch to another chain', 'approve')).value).toBe(OTHER_CHAIN)
  expect(await connection()).toMatchObject({ chainId: OTHER_CHAIN })
  expect((await site.ask('switch back', 'approve')).value).toBe(CHAIN)
  expect(await connection()).toMatchObject({ chainId: CHAIN })
})

test('disconnecting the site also disconnects it in the wallet', async () => {
  expect((await site.read('disconnect')).state).toBe('result')
  expect(await connection()).toMatchObject({ status: 'disconnected' })
  // wagmi does not wait for the wallet's response, so the test waits until the wallet has changed.
  await expect.poll(async () => (await site.ui.getState(null)).sites).toMatchObject([{ accounts: [] }])
  site.reload()
  expect((await site.read('reconnect')).value).toEqual([])
  expect((await site.ask('connect', 'approve')).value).toEqual([ADDRESS])
})
