/** A site built on viem, without a browser. Its results are verified with ethers and on the chain. */
import { Contract, type JsonRpcProvider, Transaction, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { UPGRADED } from '../../extension/src/wallet/transactions/batch-delegate.fixture.ts'
import { ADDRESS, SITE } from '../../extension/src/wallet/wallet.fixture.ts'
import { putDelegate } from '../support/delegate.ts'
import { type LibrarySite, startLibrarySite } from './site.ts'
import { BYTES, CHAIN, LETTER, MESSAGE, OTHER, OTHER_CHAIN, SUPPLY, TOKEN, TRANSFER, VALUE } from './values.ts'
import { viemActions } from './viem.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('../faults/stopping-browser.ts'))

const LOWER = ADDRESS.toLowerCase()

let site: LibrarySite
let chain: JsonRpcProvider

beforeAll(async () => {
  site = await startLibrarySite(viemActions)
  chain = site.chain
})
afterAll(() => site?.stop())

const receiptOf = (value: unknown) =>
  chain.getTransactionReceipt((value as { transactionHash: string }).transactionHash)
const balanceOf = (token: string, address: string) =>
  new Contract(token, JSON.stringify(TOKEN.abi), chain).getFunction('balanceOf')(address)
let token: string

test('connects through window.ethereum', async () => {
  const refused = await site.ask('connect', 'reject')
  expect(refused).toMatchObject({ state: 'error', value: { name: 'UserRejectedRequestError', code: 4001 } })
  expect((await site.ask('connect', 'approve')).value).toBe(ADDRESS)
  expect((await site.read('addresses')).value).toEqual([ADDRESS])
  expect((await site.read('events')).value).toEqual([['accountsChanged', [LOWER]]])
})

test('signs text, bytes and typed data', async () => {
  expect(verifyMessage(MESSAGE, String((await site.ask('sign text', 'approve')).value))).toBe(ADDRESS)
  const bytes = Buffer.from(BYTES.slice(2), 'hex')
  expect(verifyMessage(bytes, String((await site.ask('sign bytes', 'approve')).value))).toBe(ADDRESS)
  const { value } = await site.ask('sign typed data', 'approve')
  const types = { Person: [...LETTER.types.Person], Letter: [...LETTER.types.Letter] }
  expect(verifyTypedData(LETTER.domain, types, LETTER.message, String(value))).toBe(ADDRESS)
})

test('signs a transaction, then sends it', async () => {
  const { value } = await site.ask('sign transaction', 'approve')
  const signed = Transaction.from(String(value))
  expect(signed).toMatchObject({ from: ADDRESS, to: OTHER, value: VALUE, chainId: BigInt(CHAIN), type: 2 })
  expect(await chain.getTransaction(String(signed.hash))).toBeNull()
  const sent = await site.read('send signed')
  expect(sent.value).toMatchObject({ transactionHash: signed.hash, status: 'success' })
  expect(await receiptOf(sent.value)).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
})

test('sends transactions', async () => {
  for (const [button, type] of [
    ['send', 2],
    ['send with a list of storage', 1],
  ] as const) {
    const before = await chain.getBalance(OTHER)
    const { value } = await site.ask(button, 'approve')
    expect(await receiptOf(value), button).toMatchObject({ status: 1, from: ADDRESS, type })
    expect((await chain.getBalance(OTHER)) - before).toBe(VALUE)
  }
})

test('deploys, transfers, reads and watches a token', async () => {
  token = String((await site.ask('deploy token', 'approve')).value)
  expect(await balanceOf(token, ADDRESS)).toBe(SUPPLY)
  expect(await receiptOf((await site.ask('transfer', 'approve')).value)).toMatchObject({ status: 1 })
  expect(await balanceOf(token, OTHER)).toBe(TRANSFER)
  expect((await site.read('balance')).value).toBe(String(TRANSFER))
  expect((await site.ask('watch token', 'approve')).value).toBe(true)
})

test('a call that would fail is detected before the approval, but can still be sent', async () => {
  const known = await site.read('transfer too much')
  expect(known).toMatchObject({ state: 'error', value: { name: 'ContractFunctionExecutionError' } })
  expect(JSON.stringify(known.value)).toContain('transfer amount exceeds balance')
  const { value } = await site.ask('transfer too much all the same', 'approve')
  expect(value).toMatchObject({ status: 'reverted' })
  expect(await receiptOf(value)).toMatchObject({ status: 0 })
})

test('sends calls in order with one approval and returns their status; atomic execution is unsupported', async () => {
  expect((await site.read('capabilities')).value).toMatchObject({ [CHAIN]: { atomic: { status: 'unsupported' } } })
  const [coins, tokens] = [await chain.getBalance(OTHER), await balanceOf(token, OTHER)]
  const { value } = await site.ask('send calls', 'approve')
  expect(value).toMatchObject({ status: 'success', statusCode: 200, atomic: false })
  const { receipts } = value as { receipts: { transactionHash: string }[] }
  expect(receipts).toHaveLength(2)
  for (const receipt of receipts) expect(await receiptOf(receipt)).toMatchObject({ status: 1 })
  expect((await chain.getBalance(OTHER)) - coins).toBe(VALUE)
  expect((await balanceOf(token, OTHER)) - tokens).toBe(TRANSFER)
  expect((await site.read('status of calls')).value).toMatchObject({ status: 'success' })
  const asOne = await site.read('send calls as one')
  expect(asOne).toMatchObject({ state: 'error', value: { cause: { name: 'AtomicityNotSupportedError', code: 5760 } } })
})

test('on a chain with the contract, a batch is one transaction after one consent, and it can be ended', async () => {
  await putDelegate(chain)
  // If the node does not answer in time, the wallet reports `unsupported`.
  const status = async () => (await site.read('capabilities of the chain')).value
  await expect.poll(status).toEqual({ atomic: { status: 'ready' } })
  const rejected = await site.ask('send calls as one', 'reject')
  expect(rejected).toMatchObject({
    state: 'error',
    value: { cause: { name: 'AtomicReadyWalletRejectedUpgradeError', code: 5750 } },
  })

  const [coins, tokens] = [await chain.getBalance(OTHER), await balanceOf(token, OTHER)]
  const first = await site.ask('send calls as one', 'approve')
  expect(first.request.effect).toMatchObject({
    together: { upgrades: true, replaces: null },
    simulation: { failure: null, tried: 2, failed: null },
  })
  expect(first.value).toMatchObject({ status: 'success', statusCode: 200, atomic: true })
  const { receipts } = first.value as { receipts: { transactionHash: string }[] }
  expect(receipts).toHaveLength(1)
  expect(await receiptOf(receipts[0])).toMatchObject({ status: 1, type: 4, from: ADDRESS, to: ADDRESS })
  expect((await chain.getBalance(OTHER)) - coins).toBe(VALUE)
  expect((await balanceOf(token, OTHER)) - tokens).toBe(TRANSFER)
  expect(await chain.getCode(ADDRESS)).toBe(UPGRADED)
  await expect.poll(status).toEqual({ atomic: { status: 'supported' } })

  for (const action of ['send calls as one', 'send calls', 'send calls with a fallback']) {
    const { value, request } = await site.ask(action, 'approve')
    expect(request.effect, action).toMatchObject({ together: { upgrades: false, replaces: null } })
    expect(value, action).toMatchObject({ status: 'success', atomic: true })
  }

  const before = await chain.getBalance(OTHER)
  const failing = await site.ask('send failing calls as one', 'approve')
  expect(failing.request.effect).toMatchObject({ simulation: { failed: 1 } })
  expect(failing.value).toMatchObject({ status: 'failure', statusCode: 500, atomic: true })
  expect(await chain.getBalance(OTHER)).toBe(before)

  await site.ui.removeDelegation({ address: ADDRESS, chainId: CHAIN, payer: ADDRESS, id: 'end' })
  await expect.poll(() => chain.getCode(ADDRESS)).toBe('0x')
  await expect.poll(status).toEqual({ atomic: { status: 'ready' } })
})

test('switching to an unknown network is rejected; the network can be added, and left again', async () => {
  await site.read('events')
  const unknown = await site.read('switch to another chain')
  expect(unknown).toMatchObject({ state: 'error', value: { name: 'SwitchChainError', code: 4902 } })
  expect((await site.ask('add another chain', 'approve')).state).toBe('result')
  expect((await site.read('chain id')).value).toBe(OTHER_CHAIN)
  const elsewhere = await site.read('send')
  expect(elsewhere).toMatchObject({ state: 'error' })
  expect(JSON.stringify(elsewhere.value)).toContain('ChainMismatchError')
  expect((await site.ask('switch back', 'approve')).state).toBe('result')
  expect((await site.read('chain id')).value).toBe(CHAIN)
  const changes = [OTHER_CHAIN, CHAIN].map(id => ['chainChanged', `0x${id.toString(16)}`])
  expect((await site.read('events')).value).toEqual(changes)
})

test('permissions are read, requested again and revoked', async () => {
  const permission = {
    invoker: SITE,
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value: [LOWER] }],
  }
  expect((await site.read('permissions')).value).toMatchObject([permission])
  expect((await site.ask('request permissions', 'approve')).value).toMatchObject([permission])
  expect((await site.read('revoke permissions')).value).toBeNull()
  expect((await site.read('permissions')).value).toEqual([])
  expect((await site.read('addresses')).value).toEqual([])
  const { value } = await site.read('sign text')
  expect(value).toMatchObject({ name: 'UnauthorizedProviderError', code: 4100 })
  expect((await site.read('events')).value).toContainEqual(['accountsChanged', []])
})
