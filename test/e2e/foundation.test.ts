/**
 * The demo site with the built extension and a local chain: the parts of a connection that need a browser. The site's
 * methods are tested without a browser in test/conformance/node-methods.test.ts, and in demo-site.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demo, startDemo } from './demo.ts'
import { ADDRESS, lock, PASSWORD } from './person.ts'

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

test('a locked wallet asks to unlock first, then to approve', async () => {
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
