/** Values on the screens, read from price feeds of a real chain. While values are off, no feed is read. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approve, asked, reject } from './deciding.ts'
import { INPUT_DEVICES, mouse } from './input-devices.ts'
import { MAINNET, type Mainnet, startMainnet } from './mainnet.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, importWallet, type Person, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const LATEST_ROUND = 'feaf968c'

let mainnet: Mainnet
let node: PausableNode
let web: Web
let person: Person
let home: Page

beforeAll(async () => {
  mainnet = await startMainnet()
  await mainnet.price('ETH / USD', 2_000_00000000n)
  await mainnet.price('EUR / USD', 1_25000000n)
  node = await startPausableNode(mainnet.url)
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await callWallet(home, 'setRpcUrls', { chainId: MAINNET, rpcUrls: [node.url] })
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await node?.stop()
  await mainnet?.stop()
})

/** Returns the calls to price feeds that the node got. */
const feedReads = () => node.asked('eth_call').filter(call => JSON.stringify(call).includes(LATEST_ROUND))

const openBalances = async (): Promise<Page> => {
  const settings = await person.open('settings.html')
  await settings.getByRole('link', { name: 'Balances', exact: true }).click()
  return settings
}

test('while values are off, no page reads a feed', async () => {
  await home.getByRole('button', { name: 'Show values', exact: true }).waitFor()
  await home.getByText('10,000.0000').first().waitFor()
  const settings = await openBalances()
  await settings.getByRole('cell', { name: '10,000.0000', exact: true }).first().waitFor()
  await settings.close()
  expect(feedReads()).toEqual([])
})

test.for(INPUT_DEVICES)('by %s: values are switched on from home, and off in the settings', async ([, device]) => {
  await home.bringToFront()
  await device.press(home, 'button', 'Show values')
  const sheet = home.getByRole('dialog')
  await device.choose(sheet, 'Currency of values', 'EUR')
  await device.press(sheet, 'switch', 'Show values')
  await device.press(home, 'button', '≈ €16,000,000.00 in total')
  await home.getByText(/^Chainlink price feeds: ETH \/ USD, EUR \/ USD\. Last answer: /).waitFor()
  expect(feedReads().length).toBeGreaterThan(0)
  await device.press(home, 'button', '≈ €16,000,000.00 in total')

  const settings = await openBalances()
  await device.choose(settings, 'Currency of values', 'USD')
  await settings
    .getByRole('cell', { name: /\$20,000,000\.00/ })
    .first()
    .waitFor()
  await device.press(settings, 'switch', 'Show values')
  await settings.getByRole('switch', { name: 'Show values', exact: true, checked: false }).waitFor()
  await settings.close()
  await home.getByRole('button', { name: 'Show values', exact: true }).waitFor()
})

test('a request shows the values of its amount and fee', async () => {
  await callWallet(home, 'setCurrency', { currency: 'USD' })
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await asked(person, site, 'eth_requestAccounts', [], window => approve(mouse, window, 'Connect'))
  const transfer = { from: ADDRESS, to: OTHER, value: `0x${(10n ** 18n).toString(16)}` }
  await asked(person, site, 'eth_sendTransaction', [transfer], async window => {
    await window.getByText('≈ $2,000.00', { exact: true }).waitFor()
    await reject(mouse, window)
  })
})
