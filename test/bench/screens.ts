/**
 * Measures the wallet's pages with much content: long lists that are scrolled from end to end, and a large message to
 * sign. The background responds at once, so that only the page's time counts. Times are in ms.
 */
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../programs.js'
import { SIZES } from '../screens/browser.ts'
import { screens } from '../screens/fixtures.ts'
import { servePreviews } from '../screens/serve.ts'
import { knowNames } from './known-names.ts'

/**
 * `drawn` is the time from navigation until the content is painted. The other two are the longest and the median frame
 * while scrolling.
 */
export type ListFigures = { drawn: number; longestFrame: number; frame: number }
export type ScreenFigures = Record<'accounts' | 'activities' | 'tokens', ListFigures> & {
  typedData: number
  /** The longest frame while scrolling a message of control characters. */
  controls: number
}

const openScreen = async (browser: Browser, url: string, name: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: SIZES[screens[name]?.page ?? 'popup'] })
  await knowNames(page)
  await page.goto(`${url}?screen=${name}`)
  return page
}

/** Runs an action. Resolves with the time until the selector matches `count` elements and the page has been painted. */
const timeUntil = (page: Page, press: string, selector: string, count: number): Promise<number> =>
  page.evaluate(
    ({ press, selector, count }) =>
      new Promise<number>(resolve => {
        const began = performance.now()
        document.querySelector<HTMLElement>(press)?.click()
        const look = () => {
          if (document.querySelectorAll(selector).length < count) requestAnimationFrame(look)
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
        }
        look()
      }),
    { press, selector, count },
  )

/** Scrolls from start to end, one step per frame. Resolves with the duration of each frame. */
const scrollThrough = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate(
    selector =>
      new Promise<number[]>(resolve => {
        const list = document.querySelector(selector) as HTMLElement
        const STEPS = 120
        const frames: number[] = []
        let last = performance.now()
        const step = (at: number) => {
          list.scrollTop = ((list.scrollHeight - list.clientHeight) * at) / STEPS
          requestAnimationFrame(now => {
            frames.push(now - last)
            last = now
            if (at < STEPS) step(at + 1)
            else resolve(frames.slice(1))
          })
        }
        requestAnimationFrame(now => {
          last = now
          step(1)
        })
      }),
    selector,
  )

const figuresOf = (drawn: number, frames: readonly number[]): ListFigures => ({
  drawn,
  longestFrame: Math.max(...frames),
  frame: frames.toSorted((one, other) => one - other)[Math.floor(frames.length / 2)] ?? Number.NaN,
})

const measureList = async (
  browser: Browser,
  url: string,
  name: string,
  { press, rows, count, scrolled }: { press: readonly string[]; rows: string; count: number; scrolled: string },
): Promise<ListFigures> => {
  const page = await openScreen(browser, url, name)
  for (const first of press.slice(0, -1)) await page.locator(first).click()
  const last = press.at(-1) ?? ''
  await page.locator(last).waitFor()
  const drawn = await timeUntil(page, last, rows, count)
  const frames = await scrollThrough(page, scrolled)
  await page.close()
  return figuresOf(drawn, frames)
}

export const measureScreens = async (): Promise<ScreenFigures> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  const server = await servePreviews()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  try {
    const list = (name: string, how: Parameters<typeof measureList>[3]) => measureList(browser, server.url, name, how)
    const accounts = await list('home-accounts-many', {
      press: ['.acct'],
      rows: '.sheet [role=option]',
      count: 1_000,
      scrolled: '.sheet__list',
    })
    const activities = await list('home-activity-many', {
      press: ['[role=tab]:last-child', '[role=tabpanel] .btn--block'],
      rows: '[role=tabpanel] li',
      count: 500,
      scrolled: '.win__body',
    })
    const tokens = await list('home-tokens-many', {
      press: ['[role=tab]:nth-child(1)'],
      rows: '[role=tabpanel] li',
      count: 200,
      scrolled: '.win__body',
    })
    const page = await browser.newPage({ viewport: SIZES.approval })
    await page.goto(`${server.url}?screen=approve-typed-huge`, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Read to the end to approve', exact: true }).waitFor()
    const typedData = await page.evaluate(
      () => new Promise<number>(resolve => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
    )
    await page.close()
    const message = await openScreen(browser, server.url, 'approve-sign-chips-huge')
    await message.locator('.piece').first().waitFor()
    const controls = Math.max(...(await scrollThrough(message, '.win__body')))
    await message.close()
    return { accounts, activities, tokens, typedData, controls }
  } finally {
    await browser.close()
    await server.stop()
  }
}
