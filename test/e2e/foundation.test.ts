/** The demo site with the built extension and a local chain. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonRpcProvider, Transaction, TypedDataEncoder, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChain } from '../support/chain.ts'
import { type Stack, startStack } from '../support/stack.ts'
import {
  ADDRESS,
  createWallet,
  decide,
  importWallet,
  lock,
  PASSWORD,
  type Person,
  startOwner,
  startPerson,
} from './person.ts'
import { type DemoSite, openSite } from './site.ts'

const MESSAGE = 'Hello from the demo site.'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CENT = 10n ** 16n

let stack: Stack
let dataDir: string
let chain: JsonRpcProvider
let person: Person
let site: DemoSite

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'heliograph-e2e-'))
  stack = await startStack({ dataDir })
  chain = openChain(stack.urls.chain)
  person = await startPerson()
  await importWallet(person)
  site = await openSite(person, stack.urls.site)
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await stack?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('the site finds the wallet by EIP-6963, connects, and adds its chain', async () => {
  expect(await site.page.getByLabel('Found by EIP-6963').locator('option').allTextContents()).toEqual(['Heliograph'])
  const { value } = await site.ask('Connect wallet', 'Connect', 'eth_requestAccounts')
  expect(value).toEqual([ADDRESS.toLowerCase()])
  await expect.poll(() => site.page.locator('#chain').textContent()).toBe('1 (0x1)')
  expect(await site.ask('Use the local chain', 'Approve', 'wallet_addEthereumChain')).toEqual({
    state: 'result',
    value: null,
  })
  await expect.poll(() => site.page.locator('#chain').textContent()).toBe('31337 (0x7a69)')
})

test('a rejected request is answered with 4001', async () => {
  const answer = await site.ask('personal_sign', 'Reject')
  expect(answer).toMatchObject({ state: 'error', value: { code: 4001 } })
})

test('personal_sign, chain_sign and eth_sign: ethers recovers the account', async () => {
  for (const method of ['personal_sign', 'chain_sign', 'eth_sign']) {
    const { value } = await site.ask(method, 'Approve')
    expect(verifyMessage(MESSAGE, String(value)), method).toBe(ADDRESS)
  }
})

test("chain_sign returns the same signature as anvil's eth_sign", async () => {
  const message = `0x${Buffer.from(MESSAGE).toString('hex')}`
  const { value } = await site.ask('chain_sign', 'Approve')
  expect(value).toBe(await chain.send('eth_sign', [ADDRESS, message]))
})

const invitation = {
  domain: {
    name: 'Lighthouse',
    version: '1',
    chainId: 31337,
    verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  },
  types: {
    Guest: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Invitation: [
      { name: 'host', type: 'Guest' },
      { name: 'guests', type: 'Guest[]' },
      { name: 'place', type: 'string' },
    ],
  },
  message: { host: { name: 'Ada', wallet: ADDRESS }, guests: [{ name: 'Grace', wallet: OTHER }], place: MESSAGE },
}

test('chain_signTypedData and eth_signTypedData_v4: ethers and anvil agree', async () => {
  const { domain, types, message } = invitation
  const payload = TypedDataEncoder.getPayload(domain, types, message)
  const expected = await chain.send('eth_signTypedData_v4', [ADDRESS, payload])
  for (const method of ['chain_signTypedData', 'eth_signTypedData_v4']) {
    const { value } = await site.ask(method, 'Approve')
    expect(verifyTypedData(domain, types, message, String(value)), method).toBe(ADDRESS)
    expect(value).toBe(expected)
  }
})

test('chain_sendTransaction transfers currency', async () => {
  const before = await chain.getBalance(OTHER)
  const { value } = await site.ask('chain_sendTransaction', 'Approve')
  const { hash } = value as { hash: string }
  const receipt = await chain.getTransactionReceipt(hash)
  expect(receipt).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
  expect((await chain.getBalance(OTHER)) - before).toBe(CENT)
})

test('chain_sendTransaction with data and no recipient creates a contract', async () => {
  const { value } = await site.ask('Deploy contract', 'Approve', 'deploy')
  const { hash, contractAddress } = value as { hash: string; contractAddress: string }
  expect((await chain.getTransactionReceipt(hash))?.contractAddress?.toLowerCase()).toBe(contractAddress)
  expect(await chain.getCode(contractAddress)).toBe('0x602a60005260206000f3')
  expect(BigInt(await chain.call({ to: contractAddress }))).toBe(42n)
})

test('chain_signTransaction signs without sending, and chain_sendRawTransaction sends the result', async () => {
  const { value: raw } = await site.ask('chain_signTransaction', 'Approve')
  const signed = Transaction.from(String(raw))
  expect(signed).toMatchObject({ from: ADDRESS, to: OTHER, value: CENT, chainId: 31337n })
  expect(await chain.getTransaction(String(signed.hash))).toBeNull()

  await site.press('chain_sendRawTransaction')
  const { value } = await site.answer('chain_sendRawTransaction')
  expect(value).toMatchObject({ hash: signed.hash, status: '0x1' })
  expect((await chain.getTransactionReceipt(String(signed.hash)))?.status).toBe(1)
})

test('a site gets its response once, even if the service worker is killed while the approval is open', async () => {
  const nonce = await chain.getTransactionCount(ADDRESS)
  const window = await person.approval(() => site.press('chain_sendTransaction'))
  await window.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await person.killWorker()
  await decide(window, 'Approve')
  const { value } = await site.answer('chain_sendTransaction')
  expect(value).toMatchObject({ status: '0x1' })
  expect(await chain.getTransactionCount(ADDRESS)).toBe(nonce + 1)
})

test('a locked wallet asks to unlock first, then for the approval', async () => {
  const home = await person.open('popup.html')
  await lock(home)
  await home.close()

  const window = await person.approval(() => site.press('Connect wallet'))
  await window.getByLabel('Password', { exact: true }).fill('not the password')
  await window.getByRole('button', { name: 'Unlock', exact: true }).click()
  await window.getByRole('alert').waitFor()
  await window.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Unlock', exact: true }).click()
  await closed
  expect((await site.answer('eth_requestAccounts')).value).toEqual([ADDRESS.toLowerCase()])
})

test('a new wallet is created from a shown and confirmed phrase', async () => {
  const newcomer = await startOwner()
  try {
    const { page, phrase } = await createWallet(newcomer)
    expect(phrase).toHaveLength(12)
    await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  } finally {
    await newcomer.leave()
  }
})
