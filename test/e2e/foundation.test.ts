/**
 * The demo site with the built extension and a local chain: what only the browser adds to a request. The methods of the site are
 * proved without a browser, in test/conformance/node-methods.test.ts, and in demo-site.test.ts.
 */
import { verifyMessage } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demo, DEMO_MESSAGE as MESSAGE, startDemo } from './demo.ts'
import { ADDRESS, decide, lock, PASSWORD } from './person.ts'

let demo: Demo

beforeAll(async () => {
  demo = await startDemo()
})

afterAll(() => demo?.stop())

test('the site finds the wallet by EIP-6963, connects, and adds its chain', async () => {
  expect(await demo.site.page.getByLabel('Found by EIP-6963').locator('option').allTextContents()).toEqual([
    'Heliograph',
  ])
  const { value } = await demo.site.ask('Connect wallet', 'Connect', 'eth_requestAccounts')
  expect(value).toEqual([ADDRESS.toLowerCase()])
  await expect.poll(() => demo.site.page.locator('#chain').textContent()).toBe('1 (0x1)')
  expect(await demo.site.ask('Use the local chain', 'Approve', 'wallet_addEthereumChain')).toEqual({
    state: 'result',
    value: null,
  })
  await expect.poll(() => demo.site.page.locator('#chain').textContent()).toBe('31337 (0x7a69)')
})

test('a rejected request is answered with 4001', async () => {
  const answer = await demo.site.ask('personal_sign', 'Reject')
  expect(answer).toMatchObject({ state: 'error', value: { code: 4001 } })
})

test('personal_sign: ethers recovers the account', async () => {
  const { value } = await demo.site.ask('personal_sign', 'Approve')
  expect(verifyMessage(MESSAGE, String(value))).toBe(ADDRESS)
})

test('a site gets its response once, even if the service worker is killed while the approval is open', async () => {
  const nonce = await demo.chain.getTransactionCount(ADDRESS)
  const window = await demo.person.approval(() => demo.site.press('chain_sendTransaction'))
  await window.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await demo.person.killWorker()
  await decide(window, 'Approve')
  const { value } = await demo.site.answer('chain_sendTransaction')
  expect(value).toMatchObject({ status: '0x1' })
  expect(await demo.chain.getTransactionCount(ADDRESS)).toBe(nonce + 1)
})

test('a locked wallet asks to unlock first, then for the approval', async () => {
  const home = await demo.person.open('popup.html')
  await lock(home)
  await home.close()

  const window = await demo.person.approval(() => demo.site.press('Connect wallet'))
  await window.getByLabel('Password', { exact: true }).fill('not the password')
  await window.getByRole('button', { name: 'Unlock', exact: true }).click()
  await window.getByRole('alert').waitFor()
  await window.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Unlock', exact: true }).click()
  await closed
  expect((await demo.site.answer('eth_requestAccounts')).value).toEqual([ADDRESS.toLowerCase()])
})
