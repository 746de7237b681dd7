/**
 * Records every host that the browser contacts through a proxy, from the wallet's installation to signatures and a
 * transaction. Chromium's own services are redirected to a different host.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userData } from '../../extension/src/other-wallets/exports.fixture.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { CHROMIUMS_OWN } from '../support/chromium.ts'
import {
  ADDRESS,
  importByHand,
  lock,
  type Owner,
  PASSWORD,
  startOwner,
  switchNetwork,
  useLocalChain,
} from './person.ts'
import { approved, asking, call, read } from './provider.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { startWeb, type Web } from './web.ts'

let anvil: Anvil
let web: Web
let proxy: RecordingProxy
let person: Owner
let home: Page

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<link rel="icon" href="data:,"><p>A site</p>' })
  proxy = await startRecordingProxy()
  for (const url of [anvil.url, web.origin('site')]) proxy.allow(new URL(url).host)
  person = await startOwner({ proxy: proxy.url })
})

afterAll(async () => {
  await person?.leave()
  await proxy?.stop()
  await web?.stop()
  await anvil?.stop()
})

const asked = () => proxy.asked.filter(({ host }) => host !== CHROMIUMS_OWN)
const hosts = () => [...new Set(asked().map(({ host }) => host))].toSorted()

test('without a chosen node no page of the wallet contacts a host, before and after the setup', async () => {
  const popup = await person.open('popup.html')
  await popup.getByRole('button', { name: 'Create wallet', exact: true }).waitFor()
  await popup.close()
  home = await importByHand(person)
  for (const tab of await home.getByRole('tab').all()) await tab.click()
  await home.getByRole('button', { name: 'Receive', exact: true }).click()
  await home.getByRole('button', { name: 'Back', exact: true }).click()
  await home.getByRole('button', { name: 'Switch account, Account 1', exact: true }).click()
  await home.getByRole('option', { name: /^Account 1/ }).waitFor()
  await home.keyboard.press('Escape')
  const settings = await person.open('settings.html')
  const sections = settings.getByRole('navigation', { name: 'Settings', exact: true }).getByRole('link')
  await sections.first().waitFor()
  for (const section of await sections.all()) {
    await section.click()
    await settings.getByRole('heading', { level: 1 }).waitFor()
  }
  await settings.getByRole('link', { name: 'All activity', exact: true }).click()
  await settings.getByText('No activity yet', { exact: true }).waitFor()
  await settings.getByRole('link', { name: 'Balances', exact: true }).click()
  await settings.getByText('No network has a node yet', { exact: true }).waitFor()
  await settings.close()
  expect(asked()).toEqual([])
})

test('connecting, signing and sending contact only the node that the user chose', async () => {
  await useLocalChain(home, anvil.url)
  const before = asked().length
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await approved(person, site, 'eth_requestAccounts', [], 'Connect')
  expect(await approved(person, site, 'personal_sign', ['0x1234', ADDRESS])).toMatch(/^0x[0-9a-f]{130}$/)
  const data = { types: { EIP712Domain: [], Note: [{ name: 'text', type: 'string' }] }, primaryType: 'Note' }
  const typed = JSON.stringify({ ...data, domain: {}, message: { text: 'https://named.example/in-a-message' } })
  expect(await approved(person, site, 'eth_signTypedData_v4', [ADDRESS, typed])).toMatch(/^0x[0-9a-f]{130}$/)
  const transfer = { from: ADDRESS, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '0x1' }
  const hash = await approved(person, site, 'eth_sendTransaction', [transfer])
  await expect.poll(() => read(site, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })

  await home.bringToFront()
  await home.getByRole('button', { name: 'Switch account, Account 1', exact: true }).click()
  await home.getByRole('option', { name: /^Account 1.*ETH$/ }).waitFor()
  await home.keyboard.press('Escape')

  const later = new Set(
    asked()
      .slice(before)
      .map(({ host }) => host),
  )
  expect([...later].toSorted()).toEqual([new URL(anvil.url).host, new URL(web.origin('site')).host].toSorted())
})

test('no URL from a site is contacted before the approval, and no host without a node', async () => {
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  const asset = { address: ADDRESS, symbol: 'TOK', decimals: 18, image: 'https://named.example/token.png' }
  const network = {
    chainId: '0x539',
    chainName: 'Named',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: ['https://named.example/rpc'],
    iconUrls: ['https://named.example/icon.png'],
    blockExplorerUrls: ['https://named.example'],
  }
  for (const [method, params] of [
    ['wallet_watchAsset', { type: 'ERC20', options: asset }],
    ['wallet_addEthereumChain', [network]],
  ] as const) {
    const { window, reply } = await asking(person, site, method, params)
    await window.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await window.close()
    // Closing the window rejects every open request, so the next request must wait for this rejection.
    expect(await reply).toMatchObject({ error: { code: 4001 } })
  }
  await home.bringToFront()
  await switchNetwork(home, 'Local chain', 'Ethereum')
  expect(await call(site, 'eth_blockNumber')).toMatchObject({ error: { code: 4901 } })
  await switchNetwork(home, 'Ethereum', 'Local chain')
  await lock(home)
  await home.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await home.getByRole('button', { name: 'Unlock', exact: true }).click()
  await home.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()

  const known = [new URL(anvil.url).host, new URL(web.origin('site')).host]
  expect(hosts()).toEqual(known.toSorted())
})

test('importing a file of another wallet contacts no host, during the review and after the import', async () => {
  const settings = await person.open('settings.html')
  const before = hosts()
  await settings.getByRole('link', { name: 'From another wallet', exact: true }).click()
  await settings
    .getByLabel('Choose an exported file', { exact: true })
    .setInputFiles({ name: 'export.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(userData)) })
  await settings.getByRole('checkbox', { name: 'Orbit', exact: true }).check()
  await settings.getByRole('button', { name: 'Import (5)', exact: true }).click()
  await settings.getByText('Accounts: 2 · Contacts: 2 · Networks: 1', { exact: true }).waitFor()
  await settings.close()
  expect(hosts()).toEqual(before)
})

test('resolving an ENS name contacts no host without an Ethereum node', async () => {
  const before = asked().length
  await home.getByRole('button', { name: 'Send', exact: true }).click()
  await home.getByLabel('Recipient', { exact: true }).fill('vitalik.eth')
  await home.getByRole('alert').getByText('you have not chosen an Ethereum node').waitFor()
  await home.getByRole('button', { name: 'Cancel', exact: true }).click()
  const later = asked()
    .slice(before)
    .map(({ host }) => host)
  expect(later.filter(host => host !== new URL(anvil.url).host)).toEqual([])
})

test('the catalogue contacts no host until a public node is chosen, and then only that node', async () => {
  const settings = await person.open('settings.html')
  const before = hosts()
  await settings.getByRole('link', { name: 'Networks', exact: true }).click()
  await settings.getByRole('link', { name: 'Add network', exact: true }).click()
  await settings.getByLabel('Search networks', { exact: true }).fill('base')
  await settings.getByRole('button', { name: 'Add Base', exact: true }).click()
  const use = settings.getByRole('button', { name: 'Use the node of dRPC', exact: true })
  await use.waitFor()
  expect(hosts()).toEqual(before)
  await use.click()
  await settings.getByRole('alert').getByText('Cannot reach the Base node').waitFor()
  expect(hosts()).toEqual([...before, 'base.drpc.org:443'].toSorted())
  await settings.close()
})

test('public nodes are contacted only after "Use public nodes", and no others than the page names', async () => {
  await home.bringToFront()
  await switchNetwork(home, 'Local chain', 'Ethereum')
  const before = hosts()
  await home.getByRole('button', { name: 'Choose nodes', exact: true }).click()
  const sheet = home.getByRole('dialog', { name: 'Choose nodes', exact: true })
  await sheet.getByText('Addresses of these nodes', { exact: true }).click()
  const named = await sheet.getByText(/^[\w.-]+\.(?:publicnode\.com|drpc\.org)$/).allTextContents()
  expect(named).toHaveLength(12)
  expect(hosts()).toEqual(before)
  await sheet.getByRole('button', { name: 'Use public nodes', exact: true }).click()
  await sheet
    .getByRole('alert')
    .getByText(/^No public node responded for Ethereum, Base/)
    .waitFor()
  // The previous test has already contacted Base's.
  expect(hosts()).toEqual([...new Set([...before, ...named.map(host => `${host}:443`)])].toSorted())
})

test('the proxy works: a host that a page requests is recorded and not reached', async () => {
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await site.evaluate(() => fetch('https://elsewhere.example/').catch(() => undefined))
  await site.evaluate(() => fetch('http://127.0.0.1:65000/').catch(() => undefined))
  expect(hosts()).toEqual(expect.arrayContaining(['127.0.0.1:65000', 'elsewhere.example:443']))
})
