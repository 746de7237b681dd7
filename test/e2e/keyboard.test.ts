/**
 * One flow for each kind of crossing between user, pages, worker, storage, node and site: with the keyboard only in
 * Chromium, with the mouse in Firefox. Controls are found by role and name; the keyboard reaches them with Tab and the
 * arrow keys. Each test has a new wallet.
 */
import { Interface, type JsonRpcProvider, MaxUint256, verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { approve, asked as askedOf, resultOf } from './deciding.ts'
import { INPUT_DEVICES, type InputDevice } from './input-devices.ts'
import { createNewWallet } from './onboarding.ts'
import { ADDRESS, importWallet, PASSWORD, type Person, startPerson, untilClosed, useLocalChain } from './person.ts'
import type { Reply } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

/** The third account of the phrase. The wallet does not show it. */
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
/** Code of a contract that returns TOK for `symbol()`, 6 for `decimals()` and 0 for every other call. */
const TOKEN_CODE =
  '0x5f3560e01c806395d89b4114601e5763313ce567146006025f5260205ff35b60205f52600360205262544f4b60e81b60405260605ff3'
/** The address of a contract that the wallet does not know. */
const SPENDER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const ERC20 = new Interface(['function approve(address spender, uint256 value)'])
const unlimitedFor = (spender: string) => ({
  from: ADDRESS,
  to: TOKEN,
  data: ERC20.encodeFunctionData('approve', [spender, MaxUint256]),
})
const SITE = 'site'

let anvil: Anvil
let chain: JsonRpcProvider
let web: Web
let person: Person
let home: Page

beforeAll(async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  await chain.send('anvil_setCode', [TOKEN, TOKEN_CODE])
  await chain.send('anvil_setCode', [SPENDER, '0x00'])
  web = await startWeb({ '/': '<p>A site</p>' })
})

beforeEach(async () => {
  person = await startPerson()
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

/** Creates the wallet on the local chain and opens its home. */
const openWallet = async (): Promise<void> => {
  home = await importWallet(person)
  await useLocalChain(home, anvil.url)
}

const openSite = async (): Promise<Page> => {
  const page = await person.context.newPage()
  await page.goto(web.origin(SITE))
  return page
}

/** Reads the amount of the allowance from the sent transaction. */
const amountOf = async (reply: Reply) => {
  const transaction = await chain.getTransaction(resultOf(reply))
  return ERC20.decodeFunctionData('approve', transaction?.data ?? '0x')[1]
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true })

const asked = (page: Page, method: string, params: unknown, decide: (window: Page) => Promise<void>) =>
  askedOf(person, page, method, params, decide)

test.for(INPUT_DEVICES)('by %s: a wallet is created', async ([, device]) => {
  home = await person.open('onboarding.html')
  await createNewWallet(device, home)
  await expect.poll(() => home.url()).toMatch(/panel\.html/)
})

/** Selects an account and a network on the wallet's home. */
const choose = async (device: InputDevice, account: string, network: string) => {
  await home.bringToFront()
  await device.press(home, 'button', /^Switch account, /)
  await device.press(home, 'option', new RegExp(`^${account}`))
  await home.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
  await home.getByRole('dialog').waitFor({ state: 'detached' })
  await device.press(home, 'button', /^Switch network, /)
  await device.press(home, 'option', new RegExp(`^${network}`))
  await home.getByRole('button', { name: `Switch network, ${network}`, exact: true }).waitFor()
  await home.getByRole('dialog').waitFor({ state: 'detached' })
}

test.for(INPUT_DEVICES)(
  'by %s: account and network are switched, the wallet is locked and unlocked, and currency received and sent',
  async ([, device]) => {
    await openWallet()
    await callWallet(home, 'addAccount', { name: 'Account 2' })
    await choose(device, 'Account 1', 'Ethereum')
    await choose(device, 'Account 2', 'Local chain')
    await device.press(home, 'button', 'Switch account, Account 2')
    await device.press(home, 'button', 'Lock')
    await device.write(home, 'Password', PASSWORD)
    await device.press(home, 'button', 'Unlock')
    await home.getByRole('button', { name: 'Switch account, Account 2', exact: true }).waitFor()

    await device.press(home, 'button', 'Receive')
    await device.press(home, 'button', 'Copy address')
    await home.getByText('Address copied', { exact: true }).waitFor()
    await device.back(home)

    const before = await chain.getBalance(RECIPIENT)
    await device.press(home, 'button', 'Send')
    await device.write(home, 'Recipient', RECIPIENT)
    await device.press(home, 'button', 'Continue')
    await device.write(home, 'Amount', '0.01')
    await device.press(home, 'button', 'Continue')
    await heading(home, 'Review').waitFor()
    await device.press(home, 'button', 'Send')
    await home.getByRole('button', { name: 'Copy hash', exact: true }).waitFor()
    await expect.poll(() => chain.getBalance(RECIPIENT)).toBe(before + 10n ** 16n)
    await device.back(home)
  },
)

test.for(INPUT_DEVICES)(
  'by %s: a site is connected, its requests are approved, and it is disconnected',
  async ([, device]) => {
    await openWallet()
    const page = await openSite()
    const accounts = await asked(page, 'eth_requestAccounts', [], window => approve(device, window, 'Connect'))
    expect(accounts).toEqual({ result: [ADDRESS.toLowerCase()] })

    const signed = await asked(page, 'personal_sign', ['0x6869', ADDRESS], window => approve(device, window))
    expect(verifyMessage('hi', resultOf(signed))).toBe(ADDRESS)

    const limited = await asked(page, 'eth_sendTransaction', [unlimitedFor(SPENDER)], async window => {
      await device.press(window, 'button', 'Set a limit')
      await device.write(window, 'Limit', '25')
      await heading(window, /may take 25\s“?TOK”?$/).waitFor()
      await approve(device, window)
    })
    expect(await amountOf(limited)).toBe(25_000_000n)
    const unlimited = await asked(page, 'eth_sendTransaction', [unlimitedFor(RECIPIENT)], async window => {
      await device.press(window, 'checkbox', /^I understand/)
      await untilClosed(window, () => device.dare(window, 'Approve'))
    })
    expect(await amountOf(unlimited)).toBe(MaxUint256)

    const settings = await person.open('settings.html')
    await device.press(settings, 'link', 'Connected sites')
    const name = `Disconnect ${web.origin(SITE)}`
    await device.press(settings, 'button', name)
    await device.press(settings.getByRole('dialog'), 'button', 'Disconnect')
    await settings.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
  },
)
