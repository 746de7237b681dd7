/** Copied and pasted texts. All pages of a browser share its clipboard, so this file has its own Chromium. */
import { toChainCase } from '@heliograph/shared/checksum'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { advance } from './browser.ts'
import { screens } from './fixtures.ts'
import { button, CONFIRM_DELAY, choosePassword, PASSWORD, PHRASE, useOwnChromium } from './on-screen.ts'

const ADDRESS = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'

const on = useOwnChromium()
const clipboardOf = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
/** Simulates that another tab comes to the front. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('Receive shows the address in full and as a QR code, copies it, and Esc goes back', () =>
  on('receive', async ({ page }) => {
    await page.getByRole('img', { name: 'QR code of the address', exact: true }).waitFor()
    await page.getByText('Send only assets on Ethereum to this address.').waitFor()
    await button(page, 'Copy address').click()
    await expect.poll(() => clipboardOf(page)).toBe(ADDRESS)
    await page.keyboard.press('Escape')
    await button(page, 'Switch account, Trading').waitFor()
  }))

test('on Rootstock the address is shown and copied with the checksum case that its explorers use', () =>
  on('home', async ({ page }) => {
    const state = structuredClone(screens.home?.state)
    if (!state) throw new Error('there is no such screen')
    const networks = state.networks.map(network =>
      network.chainId === 1 ? { ...network, chainId: 30, title: 'Rootstock' } : network,
    )
    await page.evaluate(next => window.preview.push(next), { ...state, networks, chainId: 30 })
    await button(page, 'Switch network, Rootstock').waitFor()
    const address = toChainCase(ADDRESS, 30)
    expect(address).not.toBe(ADDRESS)
    await button(page, 'Copy address').click()
    await expect.poll(() => clipboardOf(page)).toBe(address)
    await button(page, 'Receive').click()
    await page.getByText('Send only assets on Rootstock to this address.').waitFor()
    expect(await page.locator('.addr').textContent()).toBe(address)
    await button(page, 'Copy address').click()
    await expect.poll(() => clipboardOf(page)).toBe(address)
  }))

test("a token's page copies the contract's address", () =>
  on('token', async ({ page }) => {
    await button(page, 'Copy contract address').click()
    await expect.poll(() => clipboardOf(page)).toBe('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
    await page.getByRole('status').getByText('Address copied', { exact: true }).waitFor({ state: 'attached' })
  }))

test('the full address is copied, and a notice is shown for five seconds', () =>
  on('home', async ({ page }) => {
    await button(page, 'Copy address').click()
    await page.getByText('Address copied').waitFor()
    expect(await clipboardOf(page)).toBe(ADDRESS)
    await advance(page, 5_100)
    await page.getByText('Address copied').waitFor({ state: 'detached' })
  }))

test('importing a wallet: a pasted phrase fills the fields and is cleared from the clipboard', () =>
  on('import', async screen => {
    const { page } = screen
    await button(page, 'Import wallet').click()
    await page.getByLabel('Number of words', { exact: true }).selectOption('24')
    expect(await page.getByLabel(/^Word \d+$/).count()).toBe(24)
    await page.evaluate(phrase => navigator.clipboard.writeText(phrase), ` ${PHRASE.toUpperCase()}\n`)
    await page.getByLabel('Word 1', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => page.getByLabel(/^Word \d+$/).count()).toBe(12)
    expect(await page.getByLabel('Word 12', { exact: true }).inputValue()).toBe('picnic')
    expect(await page.getByLabel('Word 12', { exact: true }).getAttribute('type')).toBe('password')
    await expect.poll(() => clipboardOf(page)).toBe('')
    await button(page, 'Continue').click()
    await button(page, 'Back').click()
    expect(await page.getByLabel('Word 1', { exact: true }).inputValue()).toBe('')
    for (const [place, word] of PHRASE.split(' ').entries())
      await page.getByLabel(`Word ${place + 1}`, { exact: true }).fill(word)
    await button(page, 'Continue').click()
    await choosePassword(page)
    await button(page, 'Import wallet').click()
    await button(page, 'Use public nodes').waitFor()
    expect((await screen.calls()).filter(({ method }) => method !== 'getPublicNodes').at(-1)).toMatchObject({
      method: 'createVault',
      params: { password: PASSWORD, phrase: PHRASE },
    })
  }))

test('a phrase can have a passphrase and a custom path', () =>
  on('import', async screen => {
    const { page } = screen
    await button(page, 'Import wallet').click()
    await page.evaluate(phrase => navigator.clipboard.writeText(phrase), PHRASE)
    await page.getByLabel('Word 1', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+V')
    await page.getByText('Passphrase and derivation path').click()
    await page.getByLabel('Passphrase', { exact: true }).fill('the 25th')
    await page.getByLabel('Derivation path', { exact: true }).fill(" m/44'/8217'/0'/0")
    await button(page, 'Continue').click()
    await page.getByText('First account of this phrase').waitFor()
    expect((await screen.calls()).at(-1)).toMatchObject({
      method: 'addressOf',
      params: { phrase: PHRASE, passphrase: 'the 25th', path: "m/44'/8217'/0'/0" },
    })
  }))

test('a revealed phrase is hidden when the page is hidden', () =>
  on('settings-reveal-phrase', async screen => {
    const { page } = screen
    await page.keyboard.type(PASSWORD)
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    await advance(page, CONFIRM_DELAY)
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal phrase', exact: true }).click()
    await button(page, 'Copy phrase').click()
    await page
      .getByText('Copied. The clipboard is cleared in a minute if this tab stays open.', { exact: true })
      .waitFor()
    await hide(page)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('body').textContent()).not.toContain('pudding')
  }))

test('diagnostics are copied without addresses, names or URLs', () =>
  on('settings-about', async ({ page }) => {
    await button(page, 'Copy diagnostics').click()
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor()
    const report = await clipboardOf(page)
    expect(report).toContain('Heliograph 0.1.0')
    expect(report).not.toMatch(/0x|Trading|meridian|rpc\.home/)
  }))
