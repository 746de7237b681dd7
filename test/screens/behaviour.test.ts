/** Behaviour of the window of requests: with the keyboard, over time, and against hasty presses. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Finding, UiCall, UiState } from '../../extension/src/messages.ts'
import { advance, type OpenScreen } from './browser.ts'
import { screens } from './fixtures.ts'
import { button, decisions, focused, on, paramsOf, QUIET } from './on-screen.ts'

const closings = (page: Page): Promise<number> => page.evaluate(() => window.closings)

test('focus starts at the headline, and Tab moves through details and Reject to Approve', () =>
  on('approve-queue', async ({ page }) => {
    expect(await focused(page)).toMatch(/^You send 0\.5\sETH to Mira$/)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Technical details')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Edit fee')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Reject')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Approve')
    for (const name of [
      'Reject',
      'Edit fee',
      'Technical details',
      'Request details',
      'Checks',
      'Next request',
      'Show all requests, 1 of 3',
    ]) {
      await page.keyboard.press('Shift+Tab')
      expect(await focused(page)).toBe(name)
    }
  }))

test('the technical details of an understood call are folded, and Enter shows all of them', () =>
  on('approve-item', async screen => {
    const { page } = screen
    const details = page.locator('details', { hasText: 'Technical details' }).first()
    for (const fact of ['Decoded call', 'Function', 'Nonce', 'Gas limit', 'Raw data'])
      expect(await page.getByText(fact, { exact: true }).count(), fact).toBe(0)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toMatch(/^Technical details/)
    await page.keyboard.press('Enter')
    for (const fact of ['Decoded call', 'Function', 'Gas limit', 'Raw data'])
      await details.getByText(fact, { exact: true }).waitFor()
    await details.getByText('safeTransferFrom(address,address,uint256)', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await details.getByText(`0x42842e0e${'00'.repeat(96)}`, { exact: true }).waitFor()
    expect(await decisions(screen)).toEqual([])
  }))

test('a finding about the call opens the technical details, and they stay open after it', () =>
  on('approve-item', async ({ page }) => {
    const state = structuredClone(screens['approve-item']?.state)
    if (!state?.requests[0]) throw new Error('the screen has no request')
    const [request] = state.requests
    const push = (findings: readonly Finding[], revision: number) =>
      page.evaluate(next => window.preview.push(next), { ...state, requests: [{ ...request, findings, revision }] })
    await push([{ level: 'caution', name: 'firstRecipient', values: [] }], 1)
    await page.getByText('Caution', { exact: false }).first().waitFor()
    expect(await page.getByText('Decoded call', { exact: true }).count()).toBe(0)
    await push([{ level: 'caution', name: 'unusualEncoding', values: [] }], 2)
    await page.getByText('Decoded call', { exact: true }).waitFor()
    await push([], 3)
    await page.getByText('No warnings', { exact: true }).waitFor()
    await page.getByText('Decoded call', { exact: true }).waitFor()
  }))

test('the transfer of an item is headed by the name and picture that the wallet has, without a download', async () => {
  const asked = { token: screens['approve-item']?.state.accounts[1]?.address, id: '7', chainId: 1 }
  await on('approve-item', async screen => {
    const { page } = screen
    await page.getByText('“Captain Whiskers”', { exact: true }).waitFor()
    await page.getByText('“Harbor Cats” #7', { exact: true }).first().waitFor()
    const width = () => page.locator('.item-head img').evaluate(image => (image as HTMLImageElement).naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    expect(await paramsOf(screen, 'getCachedItem')).toMatchObject([asked])
    expect(await paramsOf(screen, 'describeItem')).toEqual([])
  })
  await on('approve-item-unread', async screen => {
    const { page } = screen
    await page.locator('.item-head').getByText('“Harbor Cats” #7', { exact: true }).waitFor()
    expect(await page.locator('.item-head img').count()).toBe(0)
    expect(await paramsOf(screen, 'describeItem')).toEqual([])
  })
})

test('a hostile name of an item cannot leave its place, and the danger stays above it', () =>
  on('approve-item-hostile', async ({ page }) => {
    await page.getByText(/^The name looks like USDC/).waitFor()
    expect(await page.locator('body').textContent()).not.toContain('\u202e')
    const order = await page.evaluate(() =>
      [...document.querySelectorAll('#risk, .item-head, #what')].map(({ id, className }) => id || className),
    )
    expect(order).toEqual(['risk', 'item-head', 'what'])
  }))

test('the maximum fee and the maximum total are shown beside the decision', () =>
  on('approve-send', async ({ page }) => {
    const bar = page.getByRole('contentinfo')
    await bar.getByText(/at most 0\.00058$/).waitFor()
    await bar.getByText(/^Total, at most 0\.50058\sETH$/).waitFor()
  }))

test('Approve accepts a press after a second of quiet, and the window closes itself', () =>
  on('approve-send', async screen => {
    const { page } = screen
    expect(await button(page, 'Approve').getAttribute('aria-disabled')).toBe('true')
    await button(page, 'Approve').click({ force: true })
    expect(await decisions(screen)).toEqual([])
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await expect.poll(() => closings(page)).toBe(1)
    expect(await decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('an ignored press is announced and restarts the wait', () =>
  on('approve-send', async screen => {
    const { page } = screen
    for (let presses = 0; presses < 8; presses++) {
      await advance(page, 600)
      await button(page, 'Approve').click({ force: true })
    }
    await page.getByRole('status').getByText('Too soon.').waitFor({ state: 'attached' })
    expect(await decisions(screen)).toEqual([])
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
  }))

const DISTURBANCES: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['the window gets the focus', page => page.evaluate(() => window.dispatchEvent(new Event('focus')))],
  ['the window loses the focus', page => page.evaluate(() => window.dispatchEvent(new Event('blur')))],
  ['the window is resized', page => page.setViewportSize({ width: 400, height: 700 })],
  [
    'the window is moved',
    async page => {
      await page.evaluate(() => Object.defineProperty(window, 'screenX', { value: screenX + 7 }))
      await advance(page, 100)
    },
  ],
  ['the window is shown again', page => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))],
  ['a press elsewhere', page => page.getByRole('heading', { level: 1 }).click()],
  ['a key', page => page.keyboard.press('Shift')],
  [
    'another revision',
    async page => {
      const state = screens['approve-send']?.state
      const requests = state?.requests.map(request => ({ ...request, revision: 3 }))
      await page.evaluate(next => window.preview.push(next), { ...state, requests } as UiState)
    },
  ],
]

test('each disturbance restarts the wait', () =>
  on('approve-send', async screen => {
    const { page } = screen
    for (const [what, disturb] of DISTURBANCES) {
      await advance(page, QUIET)
      expect(await button(page, 'Approve').isEnabled(), what).toBe(true)
      await disturb(page)
      await expect.poll(() => button(page, 'Approve').isEnabled(), { message: what }).toBe(false)
      await button(page, 'Approve').click({ force: true })
      expect(await decisions(screen), what).toEqual([])
    }
  }))

test('a held key, a repeated key and a script approve nothing', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await button(page, 'Approve').focus()
    for (const key of ['Enter', 'Space']) {
      for (let repeats = 0; repeats < 5; repeats++) {
        await page.keyboard.down(key)
        await advance(page, QUIET)
      }
      await page.keyboard.up(key)
    }
    await advance(page, QUIET)
    await button(page, 'Approve').evaluate((approve: HTMLElement) => approve.click())
    expect(await decisions(screen)).toEqual([])
  }))

test('the confirmation checkbox needs a deliberate press too', () =>
  on('approve-danger', async ({ page }) => {
    const understood = page.getByRole('checkbox', { name: /^I understand/ })
    await understood.click({ force: true })
    expect(await understood.isChecked()).toBe(false)
    await page.locator('.ack').click({ position: { x: 60, y: 12 }, force: true })
    expect(await understood.isChecked()).toBe(false)
    await advance(page, QUIET)
    await page.locator('.ack label span').click()
    expect(await understood.isChecked()).toBe(true)
  }))

test('Enter on a focused Approve approves a request without danger', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await advance(page, QUIET)
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

test('Esc closes an open sheet before it rejects, and the focus returns', () =>
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

test('a danger needs the checkbox and a second of quiet, and Enter never approves it', () =>
  on('approve-danger', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /^I understand/ }).focus()
    await page.keyboard.press('Space')
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    await button(page, 'Approve').focus()
    await page.keyboard.press('Enter')
    await advance(page, QUIET)
    expect(await decisions(screen)).toEqual([])
    await page.keyboard.press('Space')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('a change of the request clears the confirmation checkbox', () =>
  on('approve-danger', async ({ page }) => {
    await advance(page, QUIET)
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    const state = structuredClone(screens['approve-danger']?.state)
    if (!state?.requests[0]) throw new Error('the screen has no request')
    const [request] = state.requests
    const changed = { ...state, requests: [{ ...request, account: state.accounts[1] ?? null }] }
    await page.evaluate(next => window.preview.push(next), changed)
    await page.getByRole('checkbox', { name: /^I understand/, checked: false }).waitFor()
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
  }))

test('a blocked request can only be rejected', () =>
  on('approve-insufficient', async screen => {
    await advance(screen.page, QUIET)
    expect(await button(screen.page, 'Approve').isDisabled()).toBe(true)
    await button(screen.page, 'Reject').click()
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: false }])
  }))

test('a site is connected to the chosen accounts, and Connect is disabled if none is chosen', () =>
  on('approve-connect', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    await page.getByRole('checkbox', { name: 'Trading', exact: true }).uncheck()
    expect(await button(page, 'Connect').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Treasury', exact: true }).check()
    await advance(page, QUIET)
    await button(page, 'Connect').click()
    await expect
      .poll(() => decisions(screen))
      .toMatchObject([{ approve: true, accounts: ['0xAF5ECcB315e1469640B5082fa8fd495993D8b591'] }])
  }))

test('a double click approves one request, never the next', () =>
  on('approve-queue', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    await button(page, 'Approve').dblclick()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await decisions(screen)).toHaveLength(1)
    expect(await closings(page)).toBe(0)
  }))

test('several requests: next, previous, list of all, and reject all', () =>
  on('approve-queue', async screen => {
    const { page } = screen
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await focused(page)).toBe('Sign a message')
    await button(page, 'Previous request').click()
    await page.getByRole('heading', { name: /^You send 0\.5/ }).waitFor()
    await button(page, 'Show all requests, 1 of 3').click()
    await page.getByRole('button', { name: /may take all your USDC from now on/ }).click()
    await page.getByRole('heading', { name: /may take all your USDC from now on$/ }).waitFor()
    await button(page, 'Show all requests, 3 of 3').click()
    await button(page, 'Reject all').click()
    await expect.poll(() => closings(page)).toBe(1)
    const acts = (await screen.calls()).map(({ method }) => method).filter(method => method !== 'nameOf')
    expect(acts).toEqual(['rejectAll'])
  }))

test('a sheet that is opened again right after it was closed stays open', () =>
  on('approve-queue', async ({ page }) => {
    await button(page, 'Show all requests, 1 of 3').click()
    const third = page.getByRole('dialog', { name: '3 requests waiting', exact: true }).getByRole('listitem').nth(2)
    await third.waitFor()
    // Runs in a single task of the page, so that this press comes before the dialog's close events.
    await page.evaluate(async () => {
      document.querySelector<HTMLElement>('dialog [aria-label="Close"]')?.click()
      await Promise.resolve()
      document.querySelector<HTMLElement>('[aria-label^="Show all requests"]')?.click()
    })
    await page.keyboard.press('Shift')
    expect(await third.isVisible()).toBe(true)
  }))

test('a request that disappears is shown as expired, with a button for the next one', () =>
  on('approve-queue', async ({ page }) => {
    const state = screens['approve-queue']?.state
    if (!state) throw new Error('there is no such screen')
    await page.evaluate(next => window.preview.push(next), { ...state, requests: state.requests.slice(1) })
    await page.getByRole('heading', { name: 'This request expired', exact: true }).waitFor()
    expect(await page.getByText('sent this request at 14:02. It expired at 14:05.').count()).toBe(1)
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    expect(await closings(page)).toBe(0)
  }))

test('a failed decision shows its error and can be repeated', () =>
  on('approve-failing', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Cannot reach the Ethereum node').waitFor()
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await expect.poll(() => decisions(screen)).toHaveLength(2)
  }))

test('when the worker stops, the window stays open and connects again', () =>
  on('approve-send', async ({ page }) => {
    await page.evaluate(() => window.preview.disconnect())
    await advance(page, 100)
    await expect.poll(() => page.evaluate(() => window.preview.connections)).toBe(2)
    await page.getByRole('heading', { name: /^You send 0\.5/ }).waitFor()
  }))

test('when the worker stops during a decision, the window requests the outcome of the same decision', () =>
  on('approve-send-lost', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await advance(page, 100)
    await expect.poll(() => closings(page)).toBe(1)
    const [first, again, ...others] = await decisions(screen)
    expect(first).toMatchObject({ approve: true })
    expect([again, others]).toEqual([first, []])
  }))

test('an approved request stays until its outcome is known, and its buttons are disabled', () =>
  on('approve-sending', async screen => {
    const { page } = screen
    await page.getByRole('status').getByText('Sending…').waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: /^You send 0\.5/ }).waitFor()
    await advance(page, QUIET)
    await button(page, 'Sending…').click({ force: true })
    await page.keyboard.press('Escape')
    expect(await decisions(screen)).toHaveLength(1)
    expect(await closings(page)).toBe(0)
  }))

test('a failure is shown with its reason until it is closed', () =>
  on('approve-send-refused', async ({ page }) => {
    await page.getByRole('heading', { name: 'The transaction was not sent', exact: true }).waitFor()
    expect(await focused(page)).toBe('The transaction was not sent')
    await page.getByText('insufficient funds for gas', { exact: false }).waitFor()
    expect(await closings(page)).toBe(0)
    await page.keyboard.press('Escape')
    expect(await closings(page)).toBe(1)
  }))

test('a failure stays when another request arrives, with a button to show that request', () =>
  on('approve-send-refused', async ({ page }) => {
    const state = screens['approve-queue']?.state
    await page.evaluate(next => window.preview.push(next), { ...state, requests: state?.requests.slice(1) } as UiState)
    await page.getByText('2 more', { exact: false }).waitFor()
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
  }))

test('locked window: Enter unlocks, a wrong password and Caps Lock are shown, Esc rejects', () =>
  on('approve-locked', async screen => {
    const { page } = screen
    expect(await focused(page)).toBe('Password')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The password is incorrect.', { exact: true }).waitFor()
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true }),
      ),
    )
    await page.getByText('The password is incorrect. Caps Lock is on.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => decisions(screen)).toMatchObject([{ id: 'one', approve: false }])
    await expect.poll(() => closings(page)).toBe(1)
  }))

test.each([
  ['shows a request that only the unlocked wallet can read', 'approve-sign-text', 0],
  ['closes if nothing is left to decide', 'home', 1],
])('locked window: after the unlock it waits, and %s', (_, then, closed) =>
  on('approve-locked', async ({ page }) => {
    const next = screens[then]?.state
    const push = (state: Partial<UiState>) =>
      page.evaluate(pushed => window.preview.push(pushed), { ...next, ...state } as UiState)
    await push({ requests: [], waiting: screens['approve-locked']?.state.waiting ?? [] })
    await page.getByRole('main').and(page.locator('[aria-busy=true]')).waitFor()
    expect(await closings(page)).toBe(0)
    await push({})
    if (closed === 0) await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
    await expect.poll(() => closings(page)).toBe(closed)
  }),
)

test('no dangerous character is in the page', () =>
  on('approve-sign-text-hostile', async ({ page }) => {
    const text = await page.locator('body').evaluate(body => body.textContent ?? '')
    expect(text).not.toMatch(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/)
    expect(text).toContain('U+202E')
    expect(text).toContain('199 blank lines')
    expect(await page.locator('.code b').count()).toBe(0)
  }))

test('the scroll keys reach the end of a long text', () =>
  on('approve-sign-text-huge', async ({ page }) => {
    await page.getByRole('region', { name: 'Request details' }).focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        await advance(page, 300)
        await page.keyboard.press('PageUp')
        await advance(page, 300)
        return button(page, 'Approve').count()
      })
      .toBe(1)
    await page.getByText('the last words').waitFor()
  }))

test('a long domain value is shown in full', () =>
  on('approve-typed-domain-huge', async ({ page }) => {
    await page.locator('dd .piece').last().scrollIntoViewIfNeeded()
    await page.getByText('to the last words').waitFor()
  }))

test('a very long list shows fifty rows, and more on demand', () =>
  on('approve-siwe-hostile', async ({ page }) => {
    const rows = page.locator('dt', { hasText: 'Resources' })
    expect(await rows.count()).toBe(50)
    await button(page, 'Show 10 more').click()
    expect(await rows.count()).toBe(60)
    expect(await button(page, 'Show 10 more').count()).toBe(0)
  }))

test('for a connected site, its current accounts are preselected, not the selected account', () =>
  on('approve-connect-again', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    expect(await page.getByRole('checkbox', { name: 'Trading', exact: true }).isChecked()).toBe(false)
    await button(page, 'Connect').click()
    await expect
      .poll(() => decisions(screen))
      .toMatchObject([
        {
          approve: true,
          accounts: ['0xAF5ECcB315e1469640B5082fa8fd495993D8b591', '0xd95eDC425E87006B293431998dE7668dC7b44C65'],
        },
      ])
  }))

const edits = async ({ calls }: OpenScreen): Promise<UiCall['params'][]> =>
  (await calls()).filter(({ method }) => method === 'editTransaction').map(({ params }) => params)

/** Milliseconds, longer than the pause before a typed fee is applied. */
const PAUSE = 500

test('arrow keys select a speed, and Approve waits until it is applied', () =>
  on('approve-fee', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    expect(await focused(page)).toBe('Normal')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('Fast')
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await advance(page, PAUSE)
    await expect.poll(() => edits(screen)).toHaveLength(1)
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    expect(await edits(screen)).toMatchObject([{ fees: { maxFeePerGas: '0x2dd231b00' } }])
  }))

test('a typed fee is applied after a pause, and never while it is invalid', () =>
  on('approve-fee-custom', async screen => {
    const { page } = screen
    const max = page.getByLabel('Max fee', { exact: true })
    await max.fill('9')
    await max.fill('')
    await advance(page, PAUSE)
    expect(await edits(screen)).toEqual([])
    await page.getByRole('alert').getByText('Enter a price in gwei').waitFor()
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await max.fill('8')
    await page.getByLabel('Nonce', { exact: true }).fill('120')
    await advance(page, PAUSE)
    await expect.poll(() => edits(screen)).toHaveLength(1)
    expect(await edits(screen)).toMatchObject([
      { fees: { maxFeePerGas: '0x1dcd65000', maxPriorityFeePerGas: '0x2faf080' }, nonce: '0x78' },
    ])
    await max.press('Enter')
    expect(await decisions(screen)).toEqual([])
  }))

test('a nonce that is reset to its initial value, and a speed chosen after that, are applied as shown', () =>
  on('approve-fee-custom', async screen => {
    const { page } = screen
    const nonce = page.getByLabel('Nonce', { exact: true })
    const settles = async (count: number) => {
      await advance(page, PAUSE)
      await expect.poll(() => edits(screen)).toHaveLength(count)
    }
    const asked = await nonce.inputValue()
    const hex = `0x${Number(asked).toString(16)}`
    await advance(page, PAUSE)
    const before = (await edits(screen)).length
    await nonce.fill('130')
    await settles(before + 1)
    await nonce.fill(asked)
    await settles(before + 2)
    await nonce.fill('130')
    await settles(before + 3)
    await page.getByRole('radio', { name: 'Fast', exact: true }).check()
    await settles(before + 4)
    expect((await edits(screen)).slice(before)).toMatchObject([
      { nonce: '0x82' },
      { nonce: hex },
      { nonce: '0x82' },
      { nonce: hex, fees: { maxFeePerGas: '0x2dd231b00' } },
    ])
  }))

test('further effects of a simulated allowance are shown below it', () =>
  on('approve-allowance-simulated', async ({ page }) => {
    await page.getByRole('heading', { name: 'Spender' }).waitFor()
    const change = page.getByRole('region', { name: 'Balance change' })
    await change.getByText('0.5', { exact: false }).waitFor()
    await change.getByText(/3 more/).waitFor()
  }))

test('amounts use the decimals of the known token; without decimals they are in smallest units', async () => {
  await on('approve-allowance-simulated', async ({ page }) => {
    const change = page.getByRole('region', { name: 'Balance change' })
    await change.getByText('−250', { exact: true }).waitFor()
    await change.getByText('−1000000 smallest units', { exact: true }).waitFor()
  })
  await on('approve-order', async ({ page }) => {
    await page.getByText('−1000000 smallest units', { exact: true }).waitFor()
  })
})

test('Esc that ends an IME composition rejects nothing', () =>
  on('approve-send', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true })))
    await advance(page, QUIET)
    expect(await decisions(screen)).toEqual([])
  }))

test('a refused fee cannot be approved, and closing the editor keeps the previous fee', () =>
  on('approve-fee-failed', async screen => {
    const { page } = screen
    await page.getByRole('alert').getByText('too').waitFor()
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await button(page, 'Edit fee').click()
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    expect(await focused(page)).toBe('Edit fee')
  }))

test('an approval names the revision that was shown', () =>
  on('approve-send', async screen => {
    const { page } = screen
    const state = structuredClone(screens['approve-send']?.state)
    if (!state?.requests[0]) throw new Error('there is no request')
    const requests = [{ ...state.requests[0], revision: 3 }]
    await page.evaluate(next => window.preview.push(next), { ...state, requests })
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true, revision: 3 }])
  }))

test('an unreachable node is retried or replaced, and rejecting works meanwhile', () =>
  on('approve-rpc-unreachable', async screen => {
    const { page } = screen
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    await button(page, 'Retry').press('Enter')
    await page.getByRole('status').getByText('Cannot reach the Ethereum node').waitFor()
    expect(await focused(page)).toBe('Retry')
    await button(page, 'Use another node').click()
    await page.getByRole('dialog', { name: 'Node for Ethereum', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Use another node')
    const state = structuredClone(screens['approve-rpc-unreachable']?.state)
    if (!state?.requests[0]) throw new Error('there is no request')
    const network = { ...state.requests[0].network, rpcUrls: ['https://other.example/'] }
    await page.evaluate(next => window.preview.push(next), { ...state, requests: [{ ...state.requests[0], network }] })
    await expect.poll(() => edits(screen)).toHaveLength(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: false }])
  }))

test.each([
  ['once', 1],
  ['twice', 2],
] as const)('when a button that was pressed %s is removed, its container has the focus', (_, times) =>
  on('home', async ({ page }) => {
    await page.evaluate(() => {
      const section = document.createElement('section')
      section.append(Object.assign(document.createElement('button'), { textContent: 'Fleeting' }))
      document.querySelector('main')?.append(section)
    })
    for (let time = 0; time < times; time++) await button(page, 'Fleeting').click()
    await button(page, 'Fleeting').evaluate(element => element.remove())
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION')
  }),
)

test('after a press elsewhere, removing the button moves no focus', () =>
  on('home', async ({ page }) => {
    await button(page, 'Send').focus()
    await page.getByText('Balance on Ethereum').click()
    await button(page, 'Send').evaluate(element => element.remove())
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  }))

test('Approve asks for a required password: a wrong one keeps the dialog open, and Esc returns to the request', () =>
  on('approve-send-password', async screen => {
    const { page } = screen
    const dialog = page.getByRole('dialog', { name: 'Your password', exact: true })
    await dialog.getByText('The password is incorrect.').waitFor()
    expect(await decisions(screen)).toMatchObject([{ approve: true, password: 'harbour lamp' }])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await decisions(screen)).toHaveLength(1)
    expect(await closings(page)).toBe(0)
    await button(page, 'Reject').click()
    expect((await decisions(screen)).at(-1)).toMatchObject({ approve: false })
    expect((await decisions(screen)).at(-1)).not.toHaveProperty('password')
  }))
