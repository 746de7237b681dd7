/**
 * Every screen in both themes, at its real size and zoomed in: nothing sticks out, nothing complains, and what a test or
 * a screen reader looks for has its exact name. With SCREENSHOTS=<folder> each screen is written there as a picture.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Previews, SIZES, startPreviews } from './browser.ts'
import { screens } from './fixtures.ts'

const THEMES = ['light', 'dark'] as const
const pictures = process.env.SCREENSHOTS

type Name = [role: 'button' | 'checkbox' | 'textbox' | 'heading' | 'alert' | 'dialog' | 'region', name: string | RegExp]

const DECIDE: Name[] = [
  ['button', 'Reject'],
  ['button', 'Approve'],
  ['region', 'Request details'],
]
const HOME: Name[] = [
  ['button', 'Switch account, Trading'],
  ['button', 'Switch network, Ethereum'],
  ['button', 'Copy address'],
]

/** What must be found by its role and name. */
const names: Record<string, Name[]> = {
  start: [
    ['button', 'Create wallet'],
    ['button', 'Import wallet'],
  ],
  unlock: [
    ['button', 'Unlock'],
    ['button', 'Show password'],
    ['button', 'Forgot password'],
  ],
  home: HOME,
  'home-empty': HOME,
  'home-loading': HOME,
  'home-waiting': [...HOME, ['button', '1 request is waiting']],
  'home-rpc-unreachable': [...HOME, ['button', 'Retry'], ['button', 'Use another RPC'], ['alert', '']],
  'home-no-rpc': [['button', 'Use another RPC']],
  welcome: [
    ['button', 'Create wallet'],
    ['button', 'Import wallet'],
  ],
  done: [
    ['button', 'Open wallet'],
    ['heading', 'Your wallet is ready'],
  ],
  'approve-connect': [
    ['button', 'Connect'],
    ['button', 'Reject'],
    ['checkbox', 'Trading'],
    ['checkbox', 'Treasury'],
    ['heading', 'Connect to this site?'],
    ['dialog', 'app.meridian.example Connect to this site?'],
  ],
  'approve-sign-text': [...DECIDE, ['button', 'Checks'], ['button', 'Copy'], ['heading', 'Sign a message']],
  'approve-sign-text-hostile': [...DECIDE, ['button', /^Show [\d,]+ more$/]],
  'approve-sign-hex': [...DECIDE, ['heading', 'Sign 48 bytes of data']],
  'approve-typed-unknown': [...DECIDE, ['button', 'More below'], ['heading', 'Sign “Delegation”']],
  'approve-send': [...DECIDE, ['heading', /^Send 0\.5\sETH$/]],
  'approve-send-token': [...DECIDE, ['heading', 'Send tokens']],
  'approve-contract-creation': [...DECIDE, ['heading', 'Deploy a contract']],
  'approve-danger': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-insufficient': [...DECIDE, ['alert', '']],
  'approve-queue': [
    ...DECIDE,
    ['button', 'Previous request'],
    ['button', 'Next request'],
    ['button', 'Show all requests, 1 of 3'],
  ],
  'approve-locked': [
    ['button', 'Unlock'],
    ['button', 'Reject'],
    ['heading', 'Unlock to see this request'],
  ],
  'approve-nothing': [
    ['button', 'Close'],
    ['heading', 'This request expired'],
  ],
}

/** Boxes whose content is wider than they are. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.win, .win__body, .win__foot, .tab, .onb__card, .sheet')]
      .filter(box => box.scrollWidth > box.clientWidth + 1)
      .map(box => `${box.className || box.tagName}: ${box.scrollWidth} > ${box.clientWidth}`),
  )

let previews: Previews

beforeAll(async () => {
  previews = await startPreviews()
})
afterAll(() => previews?.stop())

test.for(Object.keys(screens))('%s', async name => {
  const { page, complaints, close } = await previews.open(name)
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    expect(await overflowing(page), theme).toEqual([])
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.${theme}.png`), animations: 'disabled' })
  }
  for (const [role, label] of names[name] ?? []) {
    const found = page.getByRole(role, label === '' ? {} : { name: label, exact: true })
    expect(await found.count(), `${role} ${label}`).toBe(1)
  }
  const { width, height } = SIZES[screens[name]?.page ?? 'popup']
  if (screens[name]?.page !== 'popup') {
    await page.setViewportSize({ width: width / 2, height: height / 2 })
    expect(await overflowing(page), 'at 200 % zoom').toEqual([])
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.zoomed.png`), animations: 'disabled' })
  }
  expect(complaints).toEqual([])
  await close()
})
