/** The settings by keyboard alone and by mouse, and a wallet's first and last hour: made, removed, and made anew. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { expectFocus, HANDS, type Hand, keyboard, mouse } from './hands.ts'
import { type HeldNode, startHeldNode } from './held-node.ts'
import { ADDRESS, PASSWORD, type Person, PHRASE, startPerson } from './person.ts'

/** What each hand adds. */
const OWN = {
  keyboard: { chainId: 1338, title: 'Inland', contract: 'Bakery' },
  mouse: { chainId: 1339, title: 'Seaside', contract: 'Lighthouse' },
} as const
const ABI = JSON.stringify([
  {
    type: 'function',
    name: 'bake',
    inputs: [{ name: 'loaves', type: 'uint256' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
])

let anvil: Anvil
let node: HeldNode
let person: Person
let settings: Page

beforeAll(async () => {
  anvil = await startAnvil()
  node = await startHeldNode(anvil.url)
  person = await startPerson()
})

afterAll(async () => {
  await person?.leave()
  await node?.stop()
  await anvil?.stop()
})

const choosePassword = async (hand: Hand, page: Page, action: 'Continue' | 'Import wallet') => {
  await hand.write(page, 'Password', PASSWORD)
  await hand.write(page, 'Repeat password', PASSWORD)
  await hand.press(page, 'checkbox', /^I understand/)
  await hand.press(page, 'button', action)
}

/** From the end of the set-up to the wallet's home. */
const open = async (hand: Hand, page: Page) => {
  await hand.press(page, 'button', 'Open wallet')
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
}

const remove = async (hand: Hand) => {
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Security')
  await hand.press(settings, 'button', 'Remove wallet')
  const dialog = settings.getByRole('dialog', { name: 'Remove wallet from this browser', exact: true })
  await hand.write(dialog, 'Password', PASSWORD)
  await hand.press(dialog, 'checkbox', /^I understand/)
  await hand.dare(dialog, 'Remove wallet')
  await settings.getByRole('button', { name: 'Create wallet', exact: true }).waitFor()
}

test('by keyboard: a wallet is imported', async () => {
  const page = await person.open('onboarding.html')
  await keyboard.press(page, 'button', 'Import wallet')
  for (const [place, word] of PHRASE.split(' ').entries()) await keyboard.write(page, `Word ${place + 1}`, word)
  await keyboard.press(page, 'button', 'Continue')
  await choosePassword(keyboard, page, 'Import wallet')
  await open(keyboard, page)
  await page.close()
  settings = await person.open('settings.html')
})

test.for(HANDS)('by %s: a network is added, its node changed, and it is removed', async ([name, hand]) => {
  const { chainId, title } = OWN[name]
  const url = node.urlAs(`0x${chainId.toString(16)}`)
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Networks')
  await hand.press(settings, 'link', 'Add network')
  await expectFocus(settings)
  await hand.write(settings, 'RPC URL', anvil.url)
  await hand.write(settings, 'Chain ID', String(chainId))
  await hand.press(settings, 'button', 'Test')
  await settings.getByText('Wrong network: chain 31337', { exact: true }).waitFor()
  await hand.write(settings, 'RPC URL', url)
  await hand.press(settings, 'button', 'Test')
  await settings.getByText(/^Reachable, /).waitFor()
  await hand.write(settings, 'Name', title)
  await hand.write(settings, 'Currency symbol', 'SHL')
  await hand.press(settings, 'button', 'Save')
  await settings.getByRole('button', { name: 'Remove network', exact: true }).waitFor()
  await expectFocus(settings)

  await hand.write(settings, 'RPC URL', url.replace('127.0.0.1', 'localhost'))
  await hand.press(settings, 'button', 'Save')
  await settings.getByText('Saved', { exact: true }).waitFor()
  await expectFocus(settings)
  await hand.press(settings, 'button', 'Remove network')
  await settings.getByRole('link', { name: new RegExp(`^${title}`) }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(HANDS)('by %s: an interface is added, and removed', async ([name, hand]) => {
  const { contract } = OWN[name]
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Contract interfaces')
  await hand.write(settings, 'Name', contract)
  await hand.choose(settings, 'Network', 'Local chain')
  await hand.write(settings, 'Contract address', ADDRESS)
  await hand.write(settings, 'ABI (JSON)', ABI)
  await hand.press(settings, 'button', 'Add interface')
  await settings.getByText('The interface is added.', { exact: true }).waitFor()
  await expectFocus(settings)
  await hand.press(settings, 'button', `Remove ${contract}`)
  await settings.getByRole('heading', { name: contract, exact: true }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(HANDS)('by %s: the wallet locks after another time, shows its phrase, and locks now', async ([, hand]) => {
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Security')
  const autoLock = settings.getByLabel('Auto-lock', { exact: true })
  const wanted = hand === keyboard ? '5 minutes' : '1 hour'
  await hand.choose(settings, 'Auto-lock', wanted)

  await hand.press(settings, 'button', 'Reveal phrase')
  const dialog = settings.getByRole('dialog', { name: 'Reveal recovery phrase', exact: true })
  await hand.write(dialog, 'Password', PASSWORD)
  await hand.press(dialog, 'checkbox', /^I understand/)
  await hand.dare(dialog, 'Reveal phrase')
  await dialog.getByRole('button', { name: 'Hide phrase', exact: true }).waitFor()
  const words = await dialog
    .getByRole('list', { name: 'Recovery phrase', exact: true })
    .getByRole('listitem')
    .allTextContents()
  expect(words.map(word => word.replace(/[^a-z]/g, '')).join(' ')).toBe(PHRASE)
  await hand.close(settings)
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)

  await hand.press(settings, 'button', 'Lock')
  await hand.write(settings, 'Password', PASSWORD)
  await hand.press(settings, 'button', 'Unlock')
  await expect.poll(() => autoLock.evaluate(list => (list as HTMLSelectElement).selectedOptions[0]?.label)).toBe(wanted)
  await expectFocus(settings)
})

test.for(HANDS)('by %s: the key of an account is written into a keystore file', async ([, hand]) => {
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Accounts')
  await hand.press(settings, 'button', 'Export keystore file')
  const dialog = settings.getByRole('dialog', { name: 'Export keystore file', exact: true })
  await hand.write(dialog, 'Password', PASSWORD)
  await hand.write(dialog, 'Keystore password', 'a password of the file alone')
  await hand.write(dialog, 'Repeat keystore password', 'a password of the file alone')
  const download = settings.waitForEvent('download')
  await hand.press(dialog, 'button', 'Export keystore file')
  const keystore = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(keystore).toMatchObject({ version: 3, address: ADDRESS.slice(2).toLowerCase() })
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test('by keyboard: what the keys do is shown, and goes', async () => {
  await settings.bringToFront()
  await keyboard.press(settings, 'link', 'About')
  await settings.keyboard.press('?')
  const help = settings.getByRole('dialog', { name: 'Keyboard', exact: true })
  await help.getByText('Show this help', { exact: true }).waitFor()
  await keyboard.close(settings)
  await help.waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test('by keyboard: the wallet is removed', () => remove(keyboard))

test('by mouse: another one is created in its place', async () => {
  await mouse.press(settings, 'button', 'Create wallet')
  await choosePassword(mouse, settings, 'Continue')
  await mouse.press(settings, 'button', 'Reveal phrase')
  const rows = settings.getByRole('list', { name: 'Recovery phrase', exact: true }).getByRole('listitem')
  const words = (await rows.allTextContents()).map(row => row.replace(/[^a-z]/g, ''))
  await mouse.press(settings, 'checkbox', 'I have written down all 12 words in order.')
  await mouse.press(settings, 'button', 'Continue')
  await settings.getByRole('button', { name: 'Confirm phrase', exact: true }).waitFor()
  for (const [place, word] of words.entries())
    if (await settings.getByLabel(`Word ${place + 1}`, { exact: true }).isVisible())
      await mouse.write(settings, `Word ${place + 1}`, word)
  await mouse.press(settings, 'button', 'Confirm phrase')
  await open(mouse, settings)
})

test('by mouse: the wallet is removed', async () => {
  await settings.goto(settings.url().replace('popup', 'settings'))
  await remove(mouse)
})
