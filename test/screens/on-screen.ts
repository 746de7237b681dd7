/** Runs a file's tests on screens, each in a page in its initial state. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { UiMethod } from '../../extension/src/messages.ts'
import { launchPreviews, type OpenScreen, type Previews, sharedPreviews } from './browser.ts'

export const PHRASE = 'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic'
export const PASSWORD = 'harbour lamp nine tides'
/** Milliseconds, longer than the quiet time of deciding buttons outside the window of requests. */
export const HOLD = 600
/** Milliseconds, longer than the pause after ticking the checkbox of a danger. */
export const CONFIRM_DELAY = 1_100
/** Milliseconds, longer than the quiet time of Approve. */
export const QUIET = 1_100

const runOn = async (previews: Previews, name: string, run: (screen: OpenScreen) => Promise<void>): Promise<void> => {
  const screen = await previews.open(name)
  await run(screen)
  expect(screen.complaints).toEqual([])
  await screen.close()
}

/** Runs a test on the named screen. Fails if the screen logs an error or a warning. */
export const on = async (name: string, run: (screen: OpenScreen) => Promise<void>): Promise<void> =>
  runOn(await sharedPreviews(inject('previews')), name, run)

/** Returns a function like `on` that runs its tests in a Chromium that no other file uses. */
export const useOwnChromium = (): typeof on => {
  let previews: Previews
  beforeAll(async () => {
    previews = await launchPreviews(inject('previews').url)
  })
  afterAll(() => previews?.stop())
  return (name, run) => runOn(previews, name, run)
}

export const aSwitch = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Enters the password of a new wallet. */
export const choosePassword = async (page: Page): Promise<void> => {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /^I understand/ }).check()
}

/** Returns the parameters of each call that the screen made to a method. */
export const paramsOf = async ({ calls }: OpenScreen, method: UiMethod): Promise<unknown[]> =>
  (await calls()).filter(call => call.method === method).map(({ params }) => params)

/** Returns the focused element's accessible name. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined
    const shown = element?.cloneNode(true)
    if (shown instanceof Element) for (const hint of shown.querySelectorAll('[aria-hidden]')) hint.remove()
    return (element?.getAttribute('aria-label') ?? label ?? shown?.textContent ?? '').trim()
  })

/** Returns the parameters of each decision that the screen sent. */
export const decisions = (screen: OpenScreen): Promise<unknown[]> => paramsOf(screen, 'decide')
