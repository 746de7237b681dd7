import { expect, test } from 'vitest'
import { advance } from './browser.ts'
import { NOW } from './fixtures/screen.ts'
import { screens } from './fixtures.ts'
import {
  aSwitch,
  button,
  CONFIRM_DELAY,
  choosePassword,
  focused,
  HOLD,
  on,
  PASSWORD,
  PHRASE,
  paramsOf,
  QUIET,
} from './on-screen.ts'

const TRADING = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const TREASURY = '0xAF5ECcB315e1469640B5082fa8fd495993D8b591'
const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'

test('a phrase is revealed after password, checkbox and a second, never by Enter, and can be hidden again', () =>
  on('settings-reveal-phrase', async screen => {
    const { page } = screen
    const reveal = page.getByRole('dialog').getByRole('button', { name: 'Reveal phrase', exact: true })
    expect(await page.getByLabel('Password', { exact: true }).evaluate(input => input === document.activeElement)).toBe(
      true,
    )
    await page.keyboard.type(PASSWORD)
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    expect(await reveal.isDisabled()).toBe(true)
    await advance(page, CONFIRM_DELAY)
    await reveal.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    expect(await paramsOf(screen, 'revealPhrase')).toEqual([])
    await reveal.focus()
    await page.keyboard.press('Space')
    const words = page.getByRole('list', { name: 'Recovery phrase', exact: true }).getByRole('listitem')
    await expect
      .poll(async () => (await words.allTextContents()).map(word => word.replace(/\d/g, '')).join(' '))
      .toBe(PHRASE)
    expect(await paramsOf(screen, 'revealPhrase')).toEqual([{ phraseId: '1', password: PASSWORD }])
    await advance(page, 61_000)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('body').textContent()).not.toContain('pudding')
  }))

test('switching off the password prompt needs the password; cancelling changes nothing', () =>
  on('settings-security-password', async screen => {
    const { page } = screen
    const dialog = page.getByRole('dialog', { name: 'Your password', exact: true })
    const asks = page.getByRole('switch', { name: 'Ask for the password before every transaction', exact: true })
    expect(
      await dialog.getByLabel('Password', { exact: true }).evaluate(field => field === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect([await paramsOf(screen, 'setSafety'), await asks.isChecked()]).toEqual([[], true])
    expect(await page.getByRole('alert').count()).toBe(0)
    await asks.focus()
    await page.keyboard.press('Space')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await paramsOf(screen, 'setSafety')).toEqual([{ asksPassword: false, password: PASSWORD }])
  }))

test('the password is changed once the new one is accepted and repeated, and the fields are cleared', () =>
  on('settings-security', async screen => {
    const { page } = screen
    expect(await button(page, 'Change password').isDisabled()).toBe(true)
    await page.getByText('A copy that is encrypted with the old password can stay on this disk').waitFor()
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat new password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed.', { exact: true }).waitFor()
    expect(await paramsOf(screen, 'changePassword')).toEqual([{ password: 'harbour lamp', newPassword: PASSWORD }])
    for (const name of ['Current password', 'New password', 'Repeat new password'])
      expect(await page.getByLabel(name, { exact: true }).inputValue()).toBe('')
  }))

test('the wallet is removed only after password, checkbox and a second', () =>
  on('settings-remove-wallet', async screen => {
    const { page } = screen
    const dialog = page.getByRole('dialog')
    const remove = dialog.getByRole('button', { name: 'Remove wallet', exact: true })
    await dialog.getByText('An encrypted copy can stay on this disk until the browser clears it.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    expect(await remove.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    await advance(page, CONFIRM_DELAY)
    await remove.click()
    await expect.poll(() => paramsOf(screen, 'removeWallet')).toEqual([{ password: PASSWORD }])
  }))

test('Connect ignores input at first, then sends the chosen permissions', () =>
  on('approve-proposal', async screen => {
    const { page } = screen
    await button(page, 'Connect').click({ force: true })
    await page.getByRole('checkbox', { name: 'Treasury', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Local chain', exact: true }).uncheck()
    await aSwitch(page, 'Ask to send transactions').uncheck()
    await page.getByLabel('Ends', { exact: true }).selectOption('After 1 hour')
    expect(await paramsOf(screen, 'approveProposal')).toEqual([])
    await advance(page, QUIET)
    await button(page, 'Connect').click()
    await expect
      .poll(() => paramsOf(screen, 'approveProposal'))
      .toEqual([
        {
          id: 'proposal-4f2a91',
          accounts: [TRADING, TREASURY],
          chainIds: [1],
          methods: ['personal_sign', 'eth_signTypedData_v4', 'wallet_switchEthereumChain'],
          endsAt: NOW + QUIET + 3_600_000,
        },
      ])
    await expect.poll(() => page.evaluate(() => window.closings)).toBe(1)
  }))

test('a request or proposal that expires while it is shown is marked as expired and cannot be approved', async () => {
  for (const name of ['approve-remote', 'approve-proposal'])
    await on(name, async ({ page }) => {
      const state = screens[name]?.state
      if (!state) throw new Error('there is no such screen')
      await page.getByRole('button', { name: /^(?:Approve|Connect)$/ }).waitFor()
      const remote = { ...state.remote, proposals: [] }
      await page.evaluate(next => window.preview.push(next), { ...state, requests: [], waiting: [], remote })
      await page.getByRole('heading', { name: 'This request expired', exact: true }).waitFor()
      await page.getByText('If you still want to, start again in the app.', { exact: true }).waitFor()
      expect(await page.getByRole('button').allTextContents()).toEqual(['Close'])
      expect(await page.evaluate(() => window.closings)).toBe(0)
    })
})

test('permissions that an app requires cannot be switched off', () =>
  on('approve-proposal-long', async ({ page }) => {
    expect(await aSwitch(page, 'Ask to sign messages').isDisabled()).toBe(true)
    expect(await aSwitch(page, 'Ask to send transactions').isDisabled()).toBe(false)
    expect(await page.getByRole('checkbox', { name: 'Ethereum', exact: true }).isDisabled()).toBe(true)
  }))

test('the name of an app is shown as its own claim, and cannot imitate other elements', () =>
  on('approve-remote-hostile', async ({ page }) => {
    expect(await page.locator('body').textContent()).not.toContain('\u202e')
    expect(await page.getByText('Name given by the app, paired 18 Nov').count()).toBe(1)
  }))

test("a sign-in to another site shows the site that its URI names and the app's claimed site", () =>
  on('approve-remote-sign-in', async ({ page }) => {
    expect(await page.locator('.compare__v').allTextContents()).toEqual(['harbor.example', 'quill.example'])
  }))

test('a replacement with a very high fee is sent only after its checkbox is ticked', () =>
  on('activity-pending', async screen => {
    const { page } = screen
    await button(page, 'Speed up').click()
    await page.getByRole('radio', { name: 'Custom', exact: true }).check()
    const max = page.getByLabel('Max fee', { exact: true })
    const understood = page.getByRole('checkbox', { name: /^I understand: Far above the usual/ })
    await max.fill('9000')
    await advance(page, HOLD)
    await understood.check()
    await advance(page, HOLD)
    expect(await button(page, 'Speed up').isEnabled()).toBe(true)
    await max.fill('90000')
    expect(await understood.isChecked()).toBe(false)
    expect(await button(page, 'Speed up').isDisabled()).toBe(true)
    await understood.check()
    await advance(page, HOLD)
    await button(page, 'Speed up').click()
    await expect.poll(() => paramsOf(screen, 'speedUp')).toMatchObject([{ fees: { maxFeePerGas: '0x51dac207a000' } }])
  }))

test('a transfer is sent with the chosen fee after another review', () =>
  on('send-fee', async screen => {
    const { page } = screen
    await page.getByRole('radio', { name: 'Normal', exact: true, checked: true }).waitFor()
    await page.getByRole('radio', { name: 'Normal', exact: true }).press('ArrowDown')
    await page.getByRole('radio', { name: 'Fast', exact: true, checked: true }).waitFor()
    await advance(page, HOLD)
    await button(page, 'Save').click()
    await button(page, 'Edit fee').waitFor()
    expect((await paramsOf(screen, 'reviewSend')).at(-1)).toMatchObject({
      gas: '0xfde8',
      fees: { maxFeePerGas: '0x2dd231b00', maxPriorityFeePerGas: '0xb2d05e00' },
    })
    await button(page, 'Edit fee').click()
    await page.keyboard.press('Escape')
    await button(page, 'Edit fee').waitFor()
  }))

test('an address that imitates a contact needs the checkbox and a second, never Enter, or its replacement', () =>
  on('send-recipient-lookalike', async ({ page }) => {
    const next = button(page, 'Continue')
    expect(await next.isDisabled()).toBe(true)
    await page.getByText('8 of 10 groups differ', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'I understand this is not Mira.', exact: true }).check()
    await page.getByLabel('Recipient', { exact: true }).press('Enter')
    expect(await next.isDisabled()).toBe(true)
    await advance(page, 1_100)
    await next.press('Enter')
    await button(page, 'Use Mira instead').click()
    expect(await page.getByLabel('Recipient', { exact: true }).inputValue()).toBe(
      '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6',
    )
    expect(await page.getByLabel('Amount', { exact: true }).count()).toBe(0)
  }))

test('Send ignores input at first, so a second press of the previous button sends nothing', () =>
  on('send-review', async screen => {
    const { page } = screen
    await button(page, 'Send').click({ force: true })
    await button(page, 'Send').press('Enter')
    await advance(page, 400)
    await button(page, 'Send').press('Enter')
    expect(await paramsOf(screen, 'sendOwn')).toHaveLength(0)
    await advance(page, HOLD)
    await button(page, 'Send').press('Enter')
    await expect.poll(() => paramsOf(screen, 'sendOwn')).toHaveLength(1)
  }))

test('a blocked transfer cannot be sent', () =>
  on('send-short', async ({ page }) => {
    expect(await button(page, 'Send').isDisabled()).toBe(true)
  }))

test('creating a wallet: the phrase is hidden until it is revealed, and three words are checked', () =>
  on('create', async screen => {
    const { page } = screen
    await button(page, 'Create wallet').click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password', { exact: true }).fill('something else')
    await page.getByRole('alert').getByText('The passwords do not match yet.').waitFor()
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
    await choosePassword(page)
    await button(page, 'Continue').click()

    await button(page, 'Reveal phrase').waitFor()
    const shown = (await page.locator('main *').allTextContents()).join(' ').split(/\W+/)
    for (const word of PHRASE.split(' ')) expect(shown).not.toContain(word)
    expect(await page.getByRole('checkbox').isDisabled()).toBe(true)
    await button(page, 'Reveal phrase').click()
    const words = page.getByRole('list', { name: 'Recovery phrase', exact: true }).getByRole('listitem')
    expect((await words.allTextContents()).map(word => word.replace(/\d/g, '')).join(' ')).toBe(PHRASE)
    await page.getByRole('checkbox', { name: 'I have written down all 12 words in order.', exact: true }).check()
    await advance(page, 61_000)
    await button(page, 'Reveal phrase').waitFor()
    await button(page, 'Continue').click()

    expect(await button(page, 'Confirm phrase').isDisabled()).toBe(true)
    const fields = await page.getByLabel(/^Word \d+$/).all()
    expect(fields).toHaveLength(3)
    for (const field of fields) {
      const label = await field.evaluate(input =>
        input instanceof HTMLInputElement ? input.labels?.[0]?.textContent : '',
      )
      await field.fill(PHRASE.split(' ')[Number(label?.replace(/\D/g, '')) - 1] ?? '')
    }
    await page.keyboard.press('Enter')
    await button(page, 'Use public nodes').waitFor()
    expect((await screen.calls()).filter(({ method }) => method !== 'getPublicNodes').at(-1)).toMatchObject({
      method: 'createVault',
      params: { password: PASSWORD, phrase: PHRASE },
    })
  }))

test('a private key is imported by keyboard: its account is shown first, and the key stays hidden', () =>
  on('import-key', async screen => {
    const { page } = screen
    const field = page.getByLabel('Private key', { exact: true })
    expect(await field.getAttribute('type')).toBe('password')
    await page.getByText('This key controls').waitFor()
    await page.getByRole('tab', { name: 'Private key', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('Keystore file')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await field.inputValue()).toBe(KEY)
    for (const name of ['Private key', 'Show private key', 'Account name', 'Back', 'Continue']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(name)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose a password', exact: true }).waitFor()
    await choosePassword(page)
    await page.keyboard.press('Enter')
    await button(page, 'Use public nodes').waitFor()
    expect((await screen.calls()).filter(({ method }) => method !== 'getPublicNodes').at(-1)).toMatchObject({
      method: 'createVault',
      params: { privateKey: KEY, name: 'Imported 1', password: PASSWORD },
    })
  }))

test('a public node is contacted only after its button is pressed', () =>
  on('home-choose-node', async screen => {
    const { page } = screen
    await button(page, 'Use the node of Kaia').waitFor()
    const before = (await screen.calls()).filter(({ method }) => method === 'probeRpc' || method === 'setRpcUrls')
    expect(before).toEqual([])
    await button(page, 'Use the node of Kaia').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await screen.calls()).filter(({ method }) => method === 'setRpcUrls')).toMatchObject([
      { params: { chainId: 8217, rpcUrls: ['https://public.kaia.example/'] } },
    ])
  }))
