/** What the screens do: by keyboard alone, in time, and against a person's own haste. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UiCall } from '../../extension/src/messages.ts'
import { type OpenScreen, type Previews, startPreviews } from './browser.ts'
import { screens } from './fixtures.ts'

const PHRASE = 'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic'
const PASSWORD = 'harbour lamp nine tides'
/** Longer than Approve ignores input, in ms; and longer than it takes to arm. */
const HOLD = 600
const ARMING = 1_100

let previews: Previews

beforeAll(async () => {
  previews = await startPreviews()
})
afterAll(() => previews?.stop())

/** Runs a test on a screen and closes it. */
const on = async (name: string, run: (screen: OpenScreen) => Promise<void>): Promise<void> => {
  const screen = await previews.open(name)
  await run(screen)
  expect(screen.complaints).toEqual([])
  await screen.close()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined
    const shown = element?.cloneNode(true)
    if (shown instanceof Element) for (const hint of shown.querySelectorAll('[aria-hidden]')) hint.remove()
    return (element?.getAttribute('aria-label') ?? label ?? shown?.textContent ?? '').trim()
  })

const decisions = async ({ calls }: OpenScreen): Promise<UiCall['params'][]> =>
  (await calls()).filter(({ method }) => method === 'decide').map(({ params }) => params)

const closings = (page: Page): Promise<number> => page.evaluate(() => window.closings)

test('the focus opens on the headline, and Tab goes through details and Reject to Approve', () =>
  on('approve-queue', async ({ page }) => {
    expect(await focused(page)).toMatch(/^Send 0\.5\sETH$/)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Reject')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Approve')
    for (const name of ['Reject', 'Request details', 'Checks', 'Next request', 'Show all requests, 1 of 3']) {
      await page.keyboard.press('Shift+Tab')
      expect(await focused(page)).toBe(name)
    }
  }))

test('Approve ignores input at first, then decides, and the window closes itself', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await button(page, 'Approve').click()
    expect(await decisions(screen)).toEqual([])
    await page.clock.runFor(HOLD)
    await button(page, 'Approve').click()
    await expect.poll(() => closings(page)).toBe(1)
    expect(await decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('Approve ignores input again after the window gets the focus', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await button(page, 'Approve').click()
    expect(await decisions(screen)).toEqual([])
  }))

test('Enter on a focused Approve approves what is no danger', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    await button(page, 'Approve').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('Esc rejects at once', () =>
  on('approve-send', async screen => {
    await screen.page.keyboard.press('Escape')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: false }])
    await expect.poll(() => closings(screen.page)).toBe(1)
  }))

test('Esc closes an open sheet before it rejects, and the focus goes back', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await button(page, 'Checks').click()
    await page.getByRole('dialog', { name: 'Checks', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Checks', exact: true }).waitFor({ state: 'detached' })
    expect(await decisions(screen)).toEqual([])
    expect(await focused(page)).toBe('Checks')
    await page.keyboard.press('Escape')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: false }])
  }))

test('danger needs the second act and a second of time, and Enter never approves it', () =>
  on('approve-danger', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /^I understand/ }).focus()
    await page.keyboard.press('Space')
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await page.clock.runFor(ARMING)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    await button(page, 'Approve').focus()
    await page.keyboard.press('Enter')
    expect(await decisions(screen)).toEqual([])
    await page.keyboard.press('Space')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('a change of what is asked takes the second act back', () =>
  on('approve-danger', async ({ page }) => {
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    await page.clock.runFor(ARMING)
    await button(page, 'Approve').and(page.locator(':enabled')).waitFor()
    const state = structuredClone(screens['approve-danger']?.state)
    if (!state?.requests[0]) throw new Error('the screen has no request')
    const [request] = state.requests
    const changed = { ...state, requests: [{ ...request, account: state.accounts[1] ?? null }] }
    await page.evaluate(next => window.preview.push(next), changed)
    await page.getByRole('checkbox', { name: /^I understand/, checked: false }).waitFor()
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
  }))

test('what is blocked cannot be approved, only rejected', () =>
  on('approve-insufficient', async screen => {
    await screen.page.clock.runFor(HOLD)
    expect(await button(screen.page, 'Approve').isDisabled()).toBe(true)
    await button(screen.page, 'Reject').click()
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: false }])
  }))

test('a site is connected to the chosen accounts, and to none only if none can be chosen', () =>
  on('approve-connect', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    await page.getByRole('checkbox', { name: 'Trading', exact: true }).uncheck()
    expect(await button(page, 'Connect').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Treasury', exact: true }).check()
    await button(page, 'Connect').click()
    await expect
      .poll(() => decisions(screen))
      .toMatchObject([{ approve: true, accounts: ['0xAF5ECcB315e1469640B5082fa8fd495993D8b591'] }])
  }))

test('a double click approves one request, never the next', () =>
  on('approve-queue', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    await button(page, 'Approve').dblclick()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await decisions(screen)).toHaveLength(1)
    expect(await closings(page)).toBe(0)
  }))

test('several requests: on, back, all in a list, and none of them', () =>
  on('approve-queue', async screen => {
    const { page } = screen
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await focused(page)).toBe('Sign a message')
    await button(page, 'Previous request').click()
    await page.getByRole('heading', { name: /^Send 0\.5/ }).waitFor()
    await button(page, 'Show all requests, 1 of 3').click()
    await page.getByRole('button', { name: /^Allow spending of tokens/ }).click()
    await page.getByRole('heading', { name: 'Allow spending of tokens', exact: true }).waitFor()
    await button(page, 'Show all requests, 3 of 3').click()
    await button(page, 'Reject all').click()
    await expect.poll(() => closings(page)).toBe(1)
    expect((await screen.calls()).map(({ method }) => method)).toEqual(['rejectAll'])
  }))

test('a request that goes away is told to have expired, and the next one is a step away', () =>
  on('approve-queue', async ({ page }) => {
    const state = screens['approve-queue']?.state
    if (!state) throw new Error('there is no such screen')
    await page.evaluate(next => window.preview.push(next), { ...state, requests: state.requests.slice(1) })
    await page.getByRole('heading', { name: 'This request expired', exact: true }).waitFor()
    expect(await page.getByText('asked at 14:02 and stopped waiting at 14:05').count()).toBe(1)
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await closings(page)).toBe(0)
  }))

test('a decision that fails is told, and can be made again', () =>
  on('approve-failing', async screen => {
    const { page } = screen
    await page.clock.runFor(HOLD)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Cannot reach the Ethereum RPC').waitFor()
    await button(page, 'Approve').click()
    await expect.poll(() => decisions(screen)).toHaveLength(2)
  }))

test('when the worker dies the window stays and asks for the state again', () =>
  on('approve-send', async ({ page }) => {
    await page.evaluate(() => window.preview.disconnect())
    await page.clock.runFor(100)
    const asked = () => page.evaluate(() => window.preview.calls.filter(({ method }) => method === 'getState').length)
    await expect.poll(asked).toBe(2)
    await page.getByRole('heading', { name: /^Send 0\.5/ }).waitFor()
  }))

test('a locked window: Enter unlocks, a wrong password is told, Caps Lock too, Esc rejects', () =>
  on('approve-locked', async screen => {
    const { page } = screen
    expect(await focused(page)).toBe('Password')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('That password is not right.', { exact: true }).waitFor()
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true }),
      ),
    )
    await page.getByText('That password is not right. Caps Lock is on.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => decisions(screen)).toMatchObject([{ id: 'one', approve: false }])
    await expect.poll(() => closings(page)).toBe(1)
  }))

test('no hostile character reaches the page, and the long text comes in steps', () =>
  on('approve-sign-text-hostile', async ({ page }) => {
    const text = () => page.locator('body').evaluate(body => body.textContent ?? '')
    expect(await text()).not.toMatch(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/)
    expect(await text()).toContain('U+202E')
    expect(await text()).toContain('199 blank lines')
    expect(await page.locator('pre b').count()).toBe(0)
    const before = (await text()).length
    await page.getByRole('button', { name: /^Show [\d,]+ more$/ }).click()
    expect((await text()).length).toBeGreaterThan(before)
  }))

const choosePassword = async (page: Page) => {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /^I understand/ }).check()
}

test('a wallet is created: the phrase is hidden until it is revealed, and has to be known', () =>
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
    await page.clock.runFor(61_000)
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
    await button(page, 'Open wallet').waitFor()
    expect((await screen.calls()).at(-1)).toMatchObject({
      method: 'createVault',
      params: { password: PASSWORD, phrase: PHRASE },
    })
  }))

test('going back to the password keeps the words; while the vault is made, the button says so', () =>
  on('create-slow', async screen => {
    const { page } = screen
    await button(page, 'Create wallet').click()
    await choosePassword(page)
    await button(page, 'Continue').click()
    await button(page, 'Back').click()
    await choosePassword(page)
    await button(page, 'Continue').click()
    await button(page, 'Reveal phrase').click()
    expect((await screen.calls()).filter(({ method }) => method === 'newPhrase')).toHaveLength(1)
    await page.getByRole('checkbox').check()
    await button(page, 'Continue').click()
    for (const field of await page.getByLabel(/^Word \d+$/).all()) {
      const label = await field.evaluate(input =>
        input instanceof HTMLInputElement ? input.labels?.[0]?.textContent : '',
      )
      await field.fill(PHRASE.split(' ')[Number(label?.replace(/\D/g, '')) - 1] ?? '')
    }
    await button(page, 'Confirm phrase').click()
    await page.getByRole('progressbar').waitFor()
    expect(await button(page, 'Back').isDisabled()).toBe(true)
    expect(await button(page, 'Confirm phrase').getAttribute('aria-busy')).toBe('true')
  }))

test('a wallet is imported: a pasted phrase spreads over the fields and leaves the clipboard', () =>
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
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('')
    await button(page, 'Continue').click()
    await choosePassword(page)
    await button(page, 'Import wallet').click()
    await button(page, 'Open wallet').waitFor()
    expect((await screen.calls()).at(-1)).toMatchObject({
      method: 'createVault',
      params: { password: PASSWORD, phrase: PHRASE },
    })
  }))

test('a word that is in no phrase is named by its place, and by itself only when it is shown', () =>
  on('import-unknown', async ({ page }) => {
    await button(page, 'Import wallet').click()
    for (const [place, word] of PHRASE.replace('curtain', 'curtian').split(' ').entries())
      await page.getByLabel(`Word ${place + 1}`, { exact: true }).fill(word)
    await page.keyboard.press('Tab')
    await page.getByRole('alert').getByText('Word 5 is not in the word list.').waitFor()
    expect(await page.getByLabel('Word 5', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
    await button(page, 'Reveal phrase').click()
    await page.getByRole('alert').getByText('Word 5, “curtian”, is not in the word list.').waitFor()
  }))

test('accounts are chosen with the arrow keys', () =>
  on('home', async screen => {
    const { page } = screen
    await button(page, 'Switch account, Trading').focus()
    await page.keyboard.press('Enter')
    const selected = page.getByRole('option', { name: /^Trading/, selected: true })
    await selected.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => screen.calls())
      .toContainEqual(
        expect.objectContaining({
          method: 'selectAccount',
          params: { address: '0xAF5ECcB315e1469640B5082fa8fd495993D8b591' },
        }),
      )
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Switch account, Trading')
  }))

test('an account is added under a name, and the wallet is locked', () =>
  on('home', async screen => {
    const { page } = screen
    await button(page, 'Switch account, Trading').click()
    await button(page, 'Add account').click()
    expect(await page.getByLabel('Account name', { exact: true }).inputValue()).toBe('Account 4')
    await page.getByLabel('Account name', { exact: true }).fill(' Savings ')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Switch account, Trading').click()
    await button(page, 'Lock').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const acts = (await screen.calls()).filter(({ method }) => method !== 'getBalance')
    expect(acts).toMatchObject([{ method: 'addAccount', params: { name: 'Savings' } }, { method: 'lock' }])
  }))

test('the address is copied whole, and said so for five seconds', () =>
  on('home', async ({ page }) => {
    await button(page, 'Copy address').click()
    await page.getByText('Address copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0xe13Ab247E259a12ad1323A8FE3A3448639C8e408')
    await page.clock.runFor(5_100)
    await page.getByText('Address copied').waitFor({ state: 'detached' })
  }))

test('a network is switched, and its RPC named', () =>
  on('home-rpc-unreachable', async screen => {
    const { page } = screen
    await button(page, 'Switch network, Ethereum').click()
    await page.getByRole('option', { name: /^Local chain/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Use another RPC').click()
    await page.getByLabel('RPC URL', { exact: true }).fill('http://127.0.0.1:9000')
    await button(page, 'Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await screen.calls()).filter(({ method }) => method !== 'getBalance')).toMatchObject([
      { method: 'selectNetwork', params: { chainId: 31337 } },
      { method: 'setRpcUrl', params: { chainId: 1, rpcUrl: 'http://127.0.0.1:9000' } },
    ])
  }))
