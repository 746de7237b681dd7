/**
 * The pages of tokens: from a row of home to the amount, the contract, a transfer and back; and a site's transfer of a
 * collectible that the wallet has shown before. By keyboard in Chromium, by mouse in Firefox.
 */
import { Contract, Interface, type JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'
import { approve, asked, resultOf } from './deciding.ts'
import { INPUT_DEVICES } from './input-devices.ts'
import { ADDRESS, importWallet, type Person, startPerson, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const COIN = `0x${'c0'.repeat(20)}`
const CATS = `0x${'ca'.repeat(20)}`
const PLACE = { address: ADDRESS, chainId: 31337 }

const coin = new Interface(['function mint(address,uint256)', 'function balanceOf(address) view returns (uint256)'])
const cats = new Interface([
  'function mint(address,uint256,string)',
  'function ownerOf(uint256) view returns (address)',
  'function safeTransferFrom(address,address,uint256)',
])
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#2a6"/></svg>'
const metadata = `data:application/json;base64,${btoa(
  JSON.stringify({ name: 'Captain', image: `data:image/svg+xml;base64,${btoa(svg)}` }),
)}`

let anvil: Anvil
let chain: JsonRpcProvider
let web: Web
let person: Person
let home: Page

const prepareChain = async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  const contracts = compileContracts('support/contracts')
  await chain.send('anvil_setCode', [COIN, contracts.get('Coin')])
  await chain.send('anvil_setCode', [CATS, contracts.get('Cats')])
  for (const [to, data] of [
    [COIN, coin.encodeFunctionData('mint', [ADDRESS, 2_500_000n])],
    [CATS, cats.encodeFunctionData('mint', [ADDRESS, 1n, metadata])],
  ])
    await chain.send('eth_sendTransaction', [{ from: SENDER, to, data }])
}

beforeAll(async () => {
  const openWallet = async () => {
    web = await startWeb({ '/': '<p>A site</p>' })
    person = await startPerson()
    home = await importWallet(person)
  }
  await Promise.all([prepareChain(), openWallet()])
  await useLocalChain(home, anvil.url)
  for (const token of [COIN, CATS]) await callWallet(home, 'showToken', { ...PLACE, token })
  await callWallet(home, 'findTokens', PLACE)
  await callWallet(home, 'findIncoming', { chainId: PLACE.chainId })
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

const heading = (name: string) => home.getByRole('heading', { level: 1, name, exact: true })
const focusedText = () => home.evaluate(() => document.activeElement?.textContent ?? '')

test.for(INPUT_DEVICES)('by %s: a token is opened, sent and hidden, and each page leads back', async ([, device]) => {
  await home.bringToFront()
  await device.press(home, 'button', /^COIN/)
  await heading('COIN').waitFor()
  await home.getByText('2.50', { exact: false }).first().waitFor()
  await home.getByText(/^Received 2\.5/).waitFor()
  expect((await home.locator('.addr').textContent())?.toLowerCase()).toBe(COIN)

  await device.press(home, 'button', 'Send')
  await device.write(home, 'Recipient', RECIPIENT)
  await device.press(home, 'button', 'Continue')
  await device.write(home, 'Amount', '1.5')
  await device.press(home, 'button', 'Continue')
  await home.getByRole('heading', { name: 'Review', exact: true }).waitFor()
  await device.press(home, 'button', 'Send')
  await home.getByRole('status').getByText('Confirmed', { exact: true }).waitFor()
  expect(await new Contract(COIN, coin, chain).getFunction('balanceOf')(RECIPIENT)).toBe(1_500_000n)

  await device.back(home)
  await heading('COIN').waitFor()
  await home.getByRole('button', { name: /^Send 1\.5/ }).waitFor()
  await expect.poll(focusedText).toMatch(/Send 1\.5/)
  await device.back(home)
  await expect.poll(focusedText).toMatch(/COIN/)

  await device.press(home, 'button', /^ETH/)
  await heading('ETH').waitFor()
  expect(await home.locator('.addr').count()).toBe(0)
  await device.back(home)

  await device.press(home, 'button', /^COIN/)
  await device.press(home, 'button', 'Hide COIN')
  await home.getByRole('button', { name: /^ETH/ }).waitFor()
  await home.getByRole('button', { name: /^COIN/ }).waitFor({ state: 'detached' })
  const settings = await person.open('settings.html')
  await device.press(settings, 'link', 'Tokens')
  await device.press(settings, 'button', 'Show COIN')
  await settings.getByRole('button', { name: 'Hide COIN', exact: true }).waitFor()
  await settings.close()
  await home.getByRole('button', { name: /^COIN/ }).waitFor()
})

test.for(INPUT_DEVICES)('by %s: the transfer of a shown collectible is headed by its name', async ([name, device]) => {
  await home.bringToFront()
  await device.press(home, 'tab', 'Collectibles')
  await home.getByText('“Captain”', { exact: true }).waitFor()
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await asked(person, site, 'eth_requestAccounts', [], window => approve(device, window, 'Connect'))
  await callWallet(home, 'setSiteNetwork', { origin: web.origin('site'), chainId: PLACE.chainId })
  const data = cats.encodeFunctionData('safeTransferFrom', [ADDRESS, RECIPIENT, 1n])
  const sent = await asked(person, site, 'eth_sendTransaction', [{ from: ADDRESS, to: CATS, data }], async window => {
    await window.getByText('“Captain”', { exact: true }).waitFor()
    const picture = window.locator('.item-head img')
    await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    const details = window.locator('summary', { hasText: 'Technical details' })
    expect(await window.getByText('Decoded call', { exact: true }).count()).toBe(0)
    if (name === 'mouse') await details.click()
    else {
      await window.getByRole('heading', { level: 1 }).focus()
      await window.keyboard.press('Tab')
      await window.keyboard.press('Enter')
    }
    await window.getByText('safeTransferFrom(address,address,uint256)', { exact: true }).waitFor()
    await approve(device, window)
  })
  expect(resultOf(sent)).toMatch(/^0x[\da-f]{64}$/)
  await expect.poll(() => new Contract(CATS, cats, chain).getFunction('ownerOf')(1n)).toBe(RECIPIENT)
  await site.close()
})
