/** The demo site's methods, each by its button, and a rejection. */
import { Transaction, TypedDataEncoder, verifyMessage, verifyTypedData } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demo, DEMO_MESSAGE as MESSAGE, startDemo } from './demo.ts'
import { ADDRESS } from './person.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CENT = 10n ** 16n

let demo: Demo

beforeAll(async () => {
  demo = await startDemo()
  await demo.site.ask('Connect wallet', 'Connect', 'eth_requestAccounts')
  await demo.site.ask('Use the local chain', 'Approve', 'wallet_addEthereumChain')
})

afterAll(() => demo?.stop())

test('a rejected request fails with 4001', async () => {
  const answer = await demo.site.ask('personal_sign', 'Reject')
  expect(answer).toMatchObject({ state: 'error', value: { code: 4001 } })
})

test('personal_sign, chain_sign and eth_sign: ethers recovers the account, and anvil agrees', async () => {
  const message = `0x${Buffer.from(MESSAGE).toString('hex')}`
  const expected = await demo.chain.send('eth_sign', [ADDRESS, message])
  for (const method of ['personal_sign', 'chain_sign', 'eth_sign']) {
    const { value } = await demo.site.ask(method, 'Approve')
    expect(verifyMessage(MESSAGE, String(value)), method).toBe(ADDRESS)
    expect(value, method).toBe(expected)
  }
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
  const expected = await demo.chain.send('eth_signTypedData_v4', [ADDRESS, payload])
  for (const method of ['chain_signTypedData', 'eth_signTypedData_v4']) {
    const { value } = await demo.site.ask(method, 'Approve')
    expect(verifyTypedData(domain, types, message, String(value)), method).toBe(ADDRESS)
    expect(value).toBe(expected)
  }
})

test('chain_sendTransaction transfers currency', async () => {
  const before = await demo.chain.getBalance(OTHER)
  const { value } = await demo.site.ask('chain_sendTransaction', 'Approve')
  const { hash } = value as { hash: string }
  const receipt = await demo.chain.getTransactionReceipt(hash)
  expect(receipt).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
  expect((await demo.chain.getBalance(OTHER)) - before).toBe(CENT)
})

test('chain_sendTransaction with data and no recipient creates a contract', async () => {
  const { value } = await demo.site.ask('Deploy contract', 'Approve', 'deploy')
  const { hash, contractAddress } = value as { hash: string; contractAddress: string }
  expect((await demo.chain.getTransactionReceipt(hash))?.contractAddress?.toLowerCase()).toBe(contractAddress)
  expect(await demo.chain.getCode(contractAddress)).toBe('0x602a60005260206000f3')
  expect(BigInt(await demo.chain.call({ to: contractAddress }))).toBe(42n)
})

test('chain_signTransaction signs without sending, and chain_sendRawTransaction sends the result', async () => {
  const { value: raw } = await demo.site.ask('chain_signTransaction', 'Approve')
  const signed = Transaction.from(String(raw))
  expect(signed).toMatchObject({ from: ADDRESS, to: OTHER, value: CENT, chainId: 31337n })
  expect(await demo.chain.getTransaction(String(signed.hash))).toBeNull()

  await demo.site.press('chain_sendRawTransaction')
  const { value } = await demo.site.answer('chain_sendRawTransaction')
  expect(value).toMatchObject({ hash: signed.hash, status: '0x1' })
  expect((await demo.chain.getTransactionReceipt(String(signed.hash)))?.status).toBe(1)
})
