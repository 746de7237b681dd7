/** Site requests, the request queue and site settings, by keyboard. */
import { getBytes, type JsonRpcProvider, TypedDataEncoder, verifyMessage, verifyTypedData } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { approve, asked, reject, resultOf } from './deciding.ts'
import { expectFocus, INPUT_DEVICES } from './input-devices.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, importWallet, type Person, startPerson, untilClosed, useLocalChain } from './person.ts'
import { call, type Reply, read } from './provider.ts'
import { startWeb, type Web } from './web.ts'

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The address of a contract that the wallet does not know. */
const SPENDER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
/** Code of a contract that returns TOK for `symbol()` and 6 for every other call, such as `decimals()`. */
const TOKEN_CODE = '0x5f3560e01c806395d89b411460175760065f5260205ff35b60205f52600360205262544f4b60e81b60405260605ff3'
const UNREADABLE = 'Allow signing data that cannot be read'
const BLOCK = 'Reject all requests from this site'
const TOKEN = `0x${'a1'.repeat(20)}`
const CHAIN = { chainId: '0x53a', title: 'Inland' }
const NAME = 'site'

let anvil: Anvil
let chain: JsonRpcProvider
let node: PausableNode
let web: Web
let person: Person
let home: Page
let settings: Page
let site: Page

beforeAll(async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  await chain.send('anvil_setCode', [TOKEN, TOKEN_CODE])
  await chain.send('anvil_setCode', [SPENDER, '0x00'])
  node = await startPausableNode(anvil.url)
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await useLocalChain(home, anvil.url)
  settings = await person.open('settings.html')
  site = await person.context.newPage()
  await site.goto(web.origin(NAME))
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await node?.stop()
  await anvil?.stop()
})

/** Returns the calldata of an ERC-20 `approve`. */
const approving = (spender: string, amount: bigint): string =>
  `0x095ea7b3${[BigInt(spender), amount].map(word => word.toString(16).padStart(64, '0')).join('')}`

test.for(INPUT_DEVICES)('by %s: an account is added and connected to a site as a second one', async ([, device]) => {
  const account = 'Second'
  await home.bringToFront()
  await device.press(home, 'button', /^Switch account, /)
  await device.press(home, 'button', 'Add account')
  await device.write(home, 'Account name', account)
  await device.press(home, 'button', 'Add account')
  await home.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
  await device.press(home, 'button', `Switch account, ${account}`)
  await device.press(home, 'option', /^Account 1/)
  await home.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  await expectFocus(home)

  const connected = await asked(person, site, 'eth_requestAccounts', [], async window => {
    await device.press(window, 'checkbox', account)
    await approve(device, window, 'Connect')
  })
  expect(connected).toMatchObject({ result: [ADDRESS.toLowerCase(), expect.stringMatching(/^0x/)] })
})

test.for(INPUT_DEVICES)('by %s: unreadable data is rejected unless the user allows it', async ([, device]) => {
  const allow = async (isAllowed: boolean) => {
    await settings.bringToFront()
    await device.press(settings, 'link', 'Security')
    await device.press(settings, 'switch', UNREADABLE)
    await settings.getByRole('switch', { name: UNREADABLE, exact: true, checked: isAllowed }).waitFor()
  }
  const bytes = '0xff00fe01'
  const unreadable = [bytes, ADDRESS]
  await allow(false)
  expect(await call(site, 'personal_sign', unreadable)).toMatchObject({ error: { code: 4001 } })
  await allow(true)
  const signed = await asked(person, site, 'personal_sign', unreadable, window => approve(device, window))
  expect(verifyMessage(getBytes(bytes), resultOf(signed))).toBe(ADDRESS)
})

test.for(INPUT_DEVICES)('by %s: typed data is signed', async ([, device]) => {
  const domain = { name: 'Lighthouse', version: '1', chainId: 31337 }
  const types = { Note: [{ name: 'text', type: 'string' }] }
  const message = { text: 'A light at night' }
  const payload = TypedDataEncoder.getPayload(domain, types, message)
  const signed = await asked(person, site, 'eth_signTypedData_v4', [ADDRESS, payload], one => approve(device, one))
  expect(verifyTypedData(domain, types, message, resultOf(signed))).toBe(ADDRESS)
})

test.for(INPUT_DEVICES)('by %s: three requests are viewed in turn, and then all rejected', async ([, device]) => {
  const replies: Promise<Reply>[] = []
  const window = await person.approval(async () => {
    for (const text of ['0x6f6e65', '0x74776f', '0x7468726565'])
      replies.push(call(site, 'personal_sign', [text, ADDRESS]))
  })
  const place = (at: number) =>
    window.getByRole('button', { name: `Show all requests, ${at} of 3`, exact: true }).waitFor()
  await place(1)
  await device.press(window, 'button', 'Next request')
  await place(2)
  await expectFocus(window)
  await device.press(window, 'button', 'Previous request')
  await place(1)
  await expectFocus(window)
  await device.press(window, 'button', 'Show all requests, 1 of 3')
  await device.close(window)
  await window.getByRole('dialog', { name: '3 requests waiting', exact: true }).waitFor({ state: 'detached' })
  await expectFocus(window)
  await device.press(window, 'button', 'Show all requests, 1 of 3')
  await device.press(window.getByRole('dialog').getByRole('listitem').nth(2), 'button', /./)
  await place(3)
  await expectFocus(window)
  await device.press(window, 'button', 'Show all requests, 3 of 3')
  await untilClosed(window, () => device.press(window, 'button', 'Reject all'))
  for (const reply of replies) expect(await reply).toMatchObject({ error: { code: 4001 } })
})

test.for(INPUT_DEVICES)('by %s: a batch is sent', async ([, device]) => {
  const before = await chain.getBalance(RECIPIENT)
  const calls = [
    { to: RECIPIENT, value: '0x1' },
    { to: RECIPIENT, value: '0x2' },
  ]
  const batch = { version: '2.0.0', chainId: '0x7a69', from: ADDRESS, atomicRequired: false, calls }
  const sent = await asked(person, site, 'wallet_sendCalls', [batch], window => approve(device, window))
  resultOf(sent)
  await expect.poll(() => chain.getBalance(RECIPIENT)).toBe(before + 3n)
})

test.for(INPUT_DEVICES)('by %s: a token that a site suggests is added', async ([, device]) => {
  const options = { address: TOKEN, symbol: 'TOK', decimals: 6 }
  const asset = { type: 'ERC20', options }
  const shown = await asked(person, site, 'wallet_watchAsset', asset, window => approve(device, window))
  expect(shown).toEqual({ result: true })
  await settings.bringToFront()
  await device.press(settings, 'link', 'Tokens')
  await settings.getByRole('button', { name: 'Hide TOK', exact: true }).first().waitFor()
})

test.for(INPUT_DEVICES)('by %s: a network that a site suggests is rejected, added and removed', async ([, device]) => {
  const { chainId, title } = CHAIN
  const network = {
    chainId,
    chainName: title,
    rpcUrls: [node.urlAs(chainId)],
    nativeCurrency: { name: 'Shell', symbol: 'SHL', decimals: 18 },
  }
  const rejected = await asked(person, site, 'wallet_addEthereumChain', [network], window => reject(device, window))
  expect(rejected).toMatchObject({ error: { code: 4001 } })
  const added = await asked(person, site, 'wallet_addEthereumChain', [network], window => approve(device, window))
  expect(added).toEqual({ result: null })
  expect(await read(site, 'eth_chainId')).toBe(chainId)

  await settings.bringToFront()
  await device.press(settings, 'link', 'Networks')
  await device.press(settings, 'link', new RegExp(`^${title}`))
  await device.press(settings, 'button', 'Remove network')
  await settings.getByRole('link', { name: new RegExp(`^${title}`) }).waitFor({ state: 'detached' })
  await expectFocus(settings)
  await expect.poll(() => read(site, 'eth_chainId')).toBe('0x7a69')
})

test.for(INPUT_DEVICES)(
  'by %s: an account is hidden from a site, the site is blocked, and its allowance is shown before disconnecting it',
  async ([, device]) => {
    const origin = web.origin(NAME)
    const allowance = { from: ADDRESS, to: TOKEN, data: approving(SPENDER, 5n) }
    resultOf(await asked(person, site, 'eth_sendTransaction', [allowance], window => approve(device, window)))

    await settings.bringToFront()
    await device.press(settings, 'link', 'Connected sites')
    await device.press(settings, 'button', `Settings of ${origin}`)
    const sheet = settings.getByRole('dialog', { name: 'Site', exact: true })
    await device.press(sheet, 'button', 'Hide Second from this site')
    await expect.poll(() => read(site, 'eth_accounts')).toEqual([ADDRESS.toLowerCase()])
    await device.press(sheet, 'checkbox', BLOCK)
    await sheet.getByRole('checkbox', { name: BLOCK, exact: true, checked: true }).waitFor()
    expect(await call(site, 'personal_sign', ['0x6869', ADDRESS])).toMatchObject({ error: { code: 4001 } })
    expect(await read(site, 'eth_accounts')).toEqual([ADDRESS.toLowerCase()])
    await device.press(sheet, 'checkbox', BLOCK)
    await sheet.getByRole('checkbox', { name: BLOCK, exact: true, checked: false }).waitFor()
    const signed = await asked(person, site, 'personal_sign', ['0x6869', ADDRESS], window => approve(device, window))
    expect(verifyMessage('hi', resultOf(signed))).toBe(ADDRESS)

    await settings.bringToFront()
    await device.press(sheet, 'button', 'Disconnect')
    const question = settings.getByRole('dialog', { name: `Disconnect ${origin}?`, exact: true })
    await question.getByRole('link', { name: 'Revoke allowance of TOK', exact: true }).waitFor()
    await device.press(question, 'button', 'Cancel')
    await question.waitFor({ state: 'detached' })
    await expectFocus(settings)
  },
)

test.for(INPUT_DEVICES)(
  'by %s: a site is found, switched to another network, told that the wallet is MetaMask, and disconnected',
  async ([, device]) => {
    const origin = web.origin(NAME)
    await settings.bringToFront()
    await device.press(settings, 'link', 'Connected sites')
    // The shortcut belongs to the list, so it works only once the list is shown.
    await settings.getByLabel('Filter sites', { exact: true }).waitFor()
    await settings.keyboard.press('/')
    await settings.keyboard.insertText(NAME)
    await settings.getByText('1 site', { exact: true }).waitFor()
    await device.press(settings, 'button', `Settings of ${origin}`)
    const sheet = settings.getByRole('dialog', { name: 'Site', exact: true })
    await device.choose(sheet, 'Network', 'Kaia')
    await expect.poll(() => read(site, 'eth_chainId')).toBe('0x2019')
    await device.choose(sheet, 'Network', 'Same as wallet (Local chain)')
    await expect.poll(() => read(site, 'eth_chainId')).toBe('0x7a69')
    await device.press(sheet, 'checkbox', 'Appear as MetaMask, for sites that support no other wallet')
    const isMetaMask = async () => {
      await site.reload()
      return site.evaluate(() => (window as { ethereum?: { isMetaMask?: boolean } }).ethereum?.isMetaMask)
    }
    await expect.poll(isMetaMask).toBe(true)
    await device.press(sheet, 'button', 'Disconnect')
    const question = settings.getByRole('dialog', { name: `Disconnect ${origin}?`, exact: true })
    await device.press(question, 'button', 'Disconnect')
    await question.waitFor({ state: 'detached' })
    await expectFocus(settings)
    expect(await read(site, 'eth_accounts')).toEqual([])
  },
)
