/** Behaviour of the panel beside web pages, and of the wallet in a wide tab. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { advance } from './browser.ts'
import { PANEL } from './fixtures/screen.ts'
import { screens } from './fixtures.ts'
import { button, decisions, focused, on, paramsOf, QUIET } from './on-screen.ts'

const focus = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
const wallet = (page: Page) => button(page, 'Switch account, Trading').waitFor()

test('a press that gives the panel the focus counts only after the pointer was over the panel for the whole wait', () =>
  on('panel-request-queue', async screen => {
    const { page } = screen
    await page.mouse.move(200, 300)
    await advance(page, QUIET)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)
    await focus(page)
    expect(await button(page, 'Approve').isEnabled()).toBe(true)

    // A window that covered the panel disappears: the pointer is over the panel only now.
    await page.evaluate(() => document.documentElement.dispatchEvent(new PointerEvent('pointerleave')))
    await page.mouse.move(210, 310)
    await focus(page)
    await expect.poll(() => button(page, 'Approve').isEnabled()).toBe(false)
    await button(page, 'Approve').click({ force: true })
    expect(await decisions(screen)).toEqual([])
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
  }))

test('the panel returns to the wallet after the last request, and when the site withdraws it', () =>
  on('panel-request-hostile', async ({ page }) => {
    await heading(page, 'Sign a message').waitFor()
    const state = screens['panel-request-hostile']?.state
    if (!state) throw new Error('there is no such screen')
    await page.evaluate(next => window.preview.push(next), { ...state, requests: [], waiting: [] })
    await wallet(page)
    await page.evaluate(next => window.preview.push(next), state)
    await heading(page, 'Sign a message').waitFor()
    await page.keyboard.press('Escape')
    await wallet(page)
    expect(await page.evaluate(() => window.closings)).toBe(0)
  }))

test('reject all rejects only the requests of the panel', () =>
  on('panel-request-queue', async screen => {
    const { page } = screen
    await button(page, 'Show all requests, 1 of 3').click()
    await button(page, 'Reject all').click()
    await expect.poll(() => paramsOf(screen, 'rejectAll')).toEqual([{ panel: PANEL }])
    await wallet(page)
  }))

test('a request that failed stays in the panel until the user closes it', () =>
  on('panel-request-failed', async ({ page }) => {
    await heading(page, 'Sign a message').waitFor()
    await advance(page, QUIET)
    await button(page, 'Approve').click()
    await button(page, 'Close').click()
    await wallet(page)
  }))

test('pages that the panel opens do not close it', () =>
  on('panel-request-elsewhere', async ({ page }) => {
    await page.evaluate(() => history.replaceState(null, '', '/panel.html'))
    await button(page, '1 request is waiting').click()
    await expect.poll(() => page.evaluate(() => window.preview.calls.at(-1)?.method)).toBe('showRequests')
    expect(await page.evaluate(() => window.closings)).toBe(0)
  }))

test('in a wide tab, the keyboard reaches accounts and networks before the wallet, and chooses one', () =>
  on('tab-home', async screen => {
    const { page } = screen
    await wallet(page)
    await page.locator('body').evaluate(body => (body.ownerDocument.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Tab')
    expect(await focused(page)).toMatch(/^Trading/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => paramsOf(screen, 'selectAccount'))
      .toMatchObject([{ address: expect.stringMatching(/^0xAF5E/) }])
    await page.getByRole('button', { name: /^Kaia/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => paramsOf(screen, 'selectNetwork')).toEqual([{ chainId: 8217 }])
  }))
