/**
 * All of the wallet by keyboard alone, and the same by mouse: every control is found by its role and its name, and the
 * keyboard gets to it with Tab and the arrow keys.
 */
import {
  encryptKeystoreJsonSync,
  Interface,
  type JsonRpcProvider,
  MaxUint256,
  TypedDataEncoder,
  verifyMessage,
  verifyTypedData,
  Wallet,
} from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { openChain } from '../chain.ts'
import { approve, asked as askedOf, reject, resultOf, untilClosed } from './deciding.ts'
import { type Hand, keyboard, mouse, pressUntil } from './hands.ts'
import { ADDRESS, PASSWORD, type Person, PHRASE, startPerson } from './person.ts'
import type { Reply } from './provider.ts'
import { startWeb, type Web } from './web.ts'

const OTHER_PASSWORD = 'another horse in another stable'
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** What each hand imports, and how many accounts there are before. */
const SOURCES = {
  keyboard: { phrase: PHRASE, typed: `0x${'11'.repeat(32)}`, filed: `0x${'22'.repeat(32)}`, before: 1 },
  mouse: {
    phrase: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    typed: `0x${'33'.repeat(32)}`,
    filed: `0x${'44'.repeat(32)}`,
    before: 4,
  },
} as const
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
/** A contract whose symbol is TOK, that has 6 decimals, and that answers 0 to everything else. */
const TOKEN_CODE =
  '0x5f3560e01c806395d89b4114601e5763313ce567146006025f5260205ff35b60205f52600360205262544f4b60e81b60405260605ff3'
const ERC20 = new Interface(['function approve(address spender, uint256 value)'])
const HANDS = [
  ['keyboard', { hand: keyboard, site: 'keys', password: PASSWORD, next: OTHER_PASSWORD }],
  ['mouse', { hand: mouse, site: 'mouse', password: OTHER_PASSWORD, next: PASSWORD }],
] as const

let anvil: Anvil
let chain: JsonRpcProvider
let web: Web
let person: Person
let home: Page
let settings: Page

beforeAll(async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  await chain.send('anvil_setCode', [TOKEN, TOKEN_CODE])
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true })

const asked = (page: Page, method: string, params: unknown, decide: (window: Page) => Promise<void>) =>
  askedOf(person, page, method, params, decide)

const typedData = {
  domain: { name: 'Lighthouse', version: '1', chainId: 31337 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  message: { text: 'A light at night' },
}

test('by keyboard: a wallet is created', async () => {
  const page = await person.open('onboarding.html')
  await keyboard.press(page, 'button', 'Create wallet')
  await keyboard.write(page, 'Password', PASSWORD)
  await keyboard.write(page, 'Repeat password', PASSWORD)
  await keyboard.press(page, 'checkbox', /^I understand/)
  await keyboard.press(page, 'button', 'Continue')
  await keyboard.press(page, 'button', 'Reveal phrase')
  const rows = await page
    .getByRole('list', { name: 'Recovery phrase', exact: true })
    .getByRole('listitem')
    .allTextContents()
  const words = rows.map(row => row.replace(/[^a-z]/g, ''))
  await keyboard.press(page, 'checkbox', 'I have written down all 12 words in order.')
  await keyboard.press(page, 'button', 'Continue')
  await page.getByRole('button', { name: 'Confirm phrase', exact: true }).waitFor()
  for (const [place, word] of words.entries())
    if (await page.getByLabel(`Word ${place + 1}`, { exact: true }).isVisible())
      await keyboard.write(page, `Word ${place + 1}`, word)
  await keyboard.press(page, 'button', 'Confirm phrase')
  await keyboard.press(page, 'button', 'Open wallet')
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  home = page
  settings = await person.open('settings.html')
})

test.for(HANDS)('by %s: a phrase, a key and a keystore file are imported', async ([name, { hand }]) => {
  const { phrase, typed, filed, before } = SOURCES[name]
  await settings.bringToFront()
  for (const source of ['Recovery phrase', 'Private key', 'Keystore file']) {
    await hand.press(settings, 'link', 'Add account')
    await hand.press(settings, 'tab', source)
    if (source === 'Recovery phrase')
      for (const [place, word] of phrase.split(' ').entries()) await hand.write(settings, `Word ${place + 1}`, word)
    else if (source === 'Private key') await hand.write(settings, 'Private key', typed)
    else await chooseKeystore(hand, filed)
    await hand.press(settings, 'button', 'Import')
    await settings.getByRole('button', { name: 'Reveal private key', exact: true }).waitFor()
  }
  const rows = await settings.getByRole('navigation', { name: 'Accounts', exact: true }).getByRole('link').all()
  const keys = [Wallet.fromPhrase(phrase).privateKey, typed, filed]
  for (const [at, key] of keys.entries())
    expect(await rows[before + at]?.textContent()).toContain(new Wallet(key).address.slice(0, 6))
})

const chooseKeystore = async (hand: Hand, privateKey: string) => {
  const password = 'a password of the file alone'
  const { address } = new Wallet(privateKey)
  const keystore = encryptKeystoreJsonSync({ address, privateKey }, password, { scrypt: { N: 1024 } })
  const file = { name: 'keystore.json', mimeType: 'application/json', buffer: Buffer.from(keystore) }
  await hand.chooseFile(settings, 'Choose a keystore file', file)
  await hand.write(settings, 'Keystore password', password)
}

/** An account and a network, chosen on the wallet's home. */
const choose = async (hand: Hand, account: string, network: string) => {
  await home.bringToFront()
  await hand.press(home, 'button', /^Switch account, /)
  await hand.press(home, 'option', new RegExp(`^${account}`))
  await home.getByRole('button', { name: `Switch account, ${account}`, exact: true }).waitFor()
  await hand.press(home, 'button', /^Switch network, /)
  await hand.press(home, 'option', new RegExp(`^${network}`))
  await home.getByRole('button', { name: `Switch network, ${network}`, exact: true }).waitFor()
}

test('by keyboard: a network gets its node', async () => {
  await choose(keyboard, 'Account 1', 'Local chain')
  await keyboard.press(home, 'button', 'Use another RPC')
  await keyboard.write(home, 'RPC URL', anvil.url)
  await keyboard.press(home, 'button', 'Save')
  await home.getByRole('dialog').waitFor({ state: 'detached' })
})

test.for(HANDS)(
  'by %s: account and network are switched, and the wallet is locked and unlocked',
  async ([, { hand }]) => {
    await choose(hand, 'Account 1', 'Ethereum')
    await choose(hand, 'Account 2', 'Local chain')
    await hand.press(home, 'button', 'Switch account, Account 2')
    await hand.press(home, 'button', 'Lock')
    await hand.write(home, 'Password', PASSWORD)
    await hand.press(home, 'button', 'Unlock')
    await home.getByRole('button', { name: 'Switch account, Account 2', exact: true }).waitFor()
  },
)

test.for(HANDS)('by %s: coins are received and sent', async ([, { hand }]) => {
  await home.bringToFront()
  await hand.press(home, 'button', 'Receive')
  await hand.press(home, 'button', 'Copy address')
  await home.getByText('Address copied', { exact: true }).waitFor()
  await hand.back(home)

  const before = await chain.getBalance(RECIPIENT)
  await hand.press(home, 'button', 'Send')
  await hand.write(home, 'Recipient', RECIPIENT)
  await hand.press(home, 'button', 'Continue')
  await hand.write(home, 'Amount', '0.01')
  await hand.press(home, 'button', 'Continue')
  await heading(home, 'Review').waitFor()
  await pressUntil(
    home,
    () => hand.press(home, 'button', 'Send'),
    () => home.getByRole('button', { name: 'Copy hash', exact: true }).isVisible(),
  )
  await expect.poll(() => chain.getBalance(RECIPIENT)).toBe(before + 10n ** 16n)
  await hand.back(home)
})

test.for(HANDS)(
  'by %s: a site is connected, gets what is approved and not what is rejected',
  async ([, { hand, site }]) => {
    const page = await person.context.newPage()
    await page.goto(web.origin(site))
    const connected = await asked(page, 'eth_requestAccounts', [], window => approve(hand, window, 'Connect'))
    expect(connected).toEqual({ result: [ADDRESS.toLowerCase()] })

    const signed = await asked(page, 'personal_sign', ['0x6869', ADDRESS], window => approve(hand, window))
    expect(verifyMessage('hi', resultOf(signed))).toBe(ADDRESS)
    const rejected = await asked(page, 'personal_sign', ['0x6869', ADDRESS], window => reject(hand, window))
    expect(rejected).toMatchObject({ error: { code: 4001 } })

    const { domain, types, message } = typedData
    const payload = TypedDataEncoder.getPayload(domain, types, message)
    const typed = await asked(page, 'eth_signTypedData_v4', [ADDRESS, payload], window => approve(hand, window))
    expect(verifyTypedData(domain, types, message, resultOf(typed))).toBe(ADDRESS)

    const transfer = { from: ADDRESS, to: RECIPIENT, value: '0x1' }
    const sent = await asked(page, 'eth_sendTransaction', [transfer], window => approve(hand, window))
    expect(resultOf(sent)).toMatch(/^0x[\da-f]{64}$/)
    await page.close()
  },
)

test.for(HANDS)(
  'by %s: an allowance is limited, or given without a limit after a second act',
  async ([, { hand, site }]) => {
    const page = await person.context.newPage()
    await page.goto(web.origin(site))
    const data = ERC20.encodeFunctionData('approve', [RECIPIENT, MaxUint256])
    const allowance = { from: ADDRESS, to: TOKEN, data }
    const amountOf = async (reply: Reply) => {
      const transaction = await chain.getTransaction(resultOf(reply))
      return ERC20.decodeFunctionData('approve', transaction?.data ?? '0x')[1]
    }

    const limited = await asked(page, 'eth_sendTransaction', [allowance], async window => {
      await hand.press(window, 'button', 'Set a limit')
      await hand.write(window, 'Limit', '25')
      await heading(window, /^Allow spending of 25\sTOK$|^Allow spending of 25\s“TOK”$/).waitFor()
      await approve(hand, window)
    })
    expect(await amountOf(limited)).toBe(25_000_000n)

    const unlimited = await asked(page, 'eth_sendTransaction', [allowance], async window => {
      await hand.press(window, 'checkbox', /^I understand/)
      await untilClosed(window, () => hand.dare(window, 'Approve'))
    })
    expect(await amountOf(unlimited)).toBe(MaxUint256)
    await page.close()
  },
)

test.for(HANDS)(
  'by %s: in the settings an account is added, its key revealed, the password changed',
  async ([name, { hand, password, next }]) => {
    await settings.bringToFront()
    await hand.press(settings, 'link', 'Accounts')
    await hand.press(settings, 'link', 'Add account')
    await hand.write(settings, 'Name of the new account', `By ${name}`)
    await hand.press(settings, 'button', 'Add account')
    await hand.press(settings, 'button', 'Reveal private key')
    const dialog = settings.getByRole('dialog', { name: 'Reveal private key', exact: true })
    await hand.write(dialog, 'Password', password)
    await hand.press(dialog, 'checkbox', /^I understand/)
    await hand.dare(dialog, 'Reveal private key')
    await dialog.getByRole('button', { name: 'Hide private key', exact: true }).waitFor()
    expect(await dialog.textContent()).toMatch(/0x[\da-f]{64}/)
    await hand.press(dialog, 'button', 'Hide private key')

    await hand.press(settings, 'link', 'Security')
    await hand.write(settings, 'Current password', password)
    await hand.write(settings, 'New password', next)
    await hand.write(settings, 'Repeat new password', next)
    await hand.press(settings, 'button', 'Change password')
    await settings.getByText('The password is changed.', { exact: true }).waitFor()
  },
)

test.for(HANDS)('by %s: a site is disconnected', async ([, { hand, site }]) => {
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Connected sites')
  const name = `Disconnect ${web.origin(site)}`
  await hand.press(settings, 'button', name)
  await settings.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
})
