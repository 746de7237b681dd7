/** What the wallet finds by itself after a node is chosen: a listed token, an unlisted one, and a new transfer. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAINNET, type Mainnet, startMainnet, USDC } from './mainnet.ts'
import { ADDRESS, importWallet, type Person, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

const STRAY = `0x${'c0'.repeat(20)}`

let mainnet: Mainnet
let person: Person
let home: Page

beforeAll(async () => {
  mainnet = await startMainnet()
  await mainnet.mint(USDC, ADDRESS, 2_500_000n)
  await mainnet.mint(STRAY, ADDRESS, 7_000_000n)
  person = await startPerson()
  home = await importWallet(person)
  await callWallet(home, 'setRpcUrls', { chainId: MAINNET, rpcUrls: [mainnet.url] })
})

afterAll(async () => {
  await person?.leave()
  await mainnet?.stop()
})

test('a listed token appears by itself, and an unlisted one is folded until it is chosen, by keyboard', async () => {
  await home.getByRole('listitem').filter({ hasText: 'USDC' }).getByText('2.50', { exact: true }).waitFor()
  await home.getByText('2 tokens found', { exact: true }).waitFor()
  const fold = home.getByRole('button', { name: '1 unverified token hidden', exact: true })
  await fold.focus()
  await home.keyboard.press('Enter')
  const show = home.getByRole('button', { name: 'Show COIN', exact: true })
  await show.waitFor()
  await home.keyboard.press('Tab')
  await expect.poll(() => show.evaluate(button => button === document.activeElement)).toBe(true)
  await home.keyboard.press('Enter')
  await home.getByRole('listitem').filter({ hasText: 'COIN' }).getByText('7.00', { exact: true }).waitFor()
  await expect.poll(() => home.getByRole('tabpanel').evaluate(panel => panel === document.activeElement)).toBe(true)
})

test('a new transfer counts on the activity tab until it is seen', async () => {
  await mainnet.mint(USDC, ADDRESS, 1_000_000n)
  await callWallet(home, 'lookAgain', { chainId: MAINNET })
  await home.getByText('1 new transfer', { exact: true }).waitFor({ state: 'attached' })
  await home.getByRole('tab', { name: 'Activity', exact: true }).click()
  await home.getByRole('listitem').filter({ hasText: 'Received 1 USDC' }).waitFor()
  await home.getByText('1 new transfer', { exact: true }).waitFor({ state: 'detached' })
})

test('switched off, a new transfer is not looked for', async () => {
  const settings = await person.open('settings.html')
  await settings.getByRole('link', { name: 'Tokens', exact: true }).click()
  await settings.getByRole('switch', { name: 'Look for tokens and collectibles by itself', exact: true }).click()
  await expect.poll(async () => (await callWallet(settings, 'getState', null)).result.looksByItself).toBe(false)
  const before = (await callWallet(settings, 'getState', null)).result.looks
  await mainnet.mint(USDC, ADDRESS, 1_000_000n)
  await callWallet(settings, 'lookAgain', { chainId: MAINNET })
  expect((await callWallet(settings, 'getState', null)).result.looks).toEqual(before)
})
