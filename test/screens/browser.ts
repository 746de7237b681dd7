/** Opens previews in Chromium, at their size and time. All files share one server of previews, and most one Chromium. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'
import type { UiCall } from '../../extension/src/messages.ts'
import { findChromium } from '../../setup.js'
import { root } from '../support/root.ts'
import { type Act, NOW, type Page as PageName } from './fixtures/screen.ts'
import { screens } from './fixtures.ts'
import type { Preview } from './preview.ts'
import { servePreviews } from './serve.ts'

export const SIZES: Record<PageName, { width: number; height: number }> = {
  popup: { width: 360, height: 600 },
  approval: { width: 400, height: 640 },
  onboarding: { width: 1024, height: 768 },
  settings: { width: 1200, height: 920 },
}

const half = ({ width, height }: { width: number; height: number }) => ({ width: width / 2, height: height / 2 })

/** Viewport of each page at 200 % zoom. The popup grows up to the browser's limit. */
export const ZOOMED: typeof SIZES = {
  popup: { width: SIZES.popup.width, height: 300 },
  approval: half(SIZES.approval),
  onboarding: half(SIZES.onboarding),
  settings: half(SIZES.settings),
}

const ASKED_AT_FIRST: readonly UiCall['method'][] = ['getDraft']

declare global {
  interface Window {
    preview: Preview
    /** Playwright's clock in the page. */
    __pwClock: { controller: { runFor(ms: number): Promise<void> } }
    /** Number of times the page called window.close. */
    closings: number
  }
}

export type OpenScreen = {
  page: Page
  /** Console errors and warnings, and uncaught errors. */
  complaints: string[]
  /** Calls to the background since the page was opened, except those of its start. */
  calls(): Promise<UiCall[]>
  /** Gives the page back for another screen. Leave a page open whose test failed: it is not used again. */
  close(): Promise<void>
}

export type Previews = {
  /** Opens a screen in English without motion in a page that no other open screen uses. Its clock is paused: `advance` it. */
  open(name: string): Promise<OpenScreen>
  /** Opens a screen in the Day theme without motion, in one shared page, which is faster. Only its date is fixed. */
  show(name: string, language?: string): Promise<OpenScreen>
  stop(): Promise<void>
}

const messagesOf = (language: string): Record<string, { message: string }> =>
  JSON.parse(readFileSync(join(root, `extension/public/_locales/${language}/messages.json`), 'utf8'))

/** Translates the English name of an element into another language. */
const namesIn = (language: string): ((name: string) => string) => {
  const english = Object.entries(messagesOf('en'))
  const messages = messagesOf(language)
  return name => {
    const [key = ''] = english.find(([, { message }]) => message === name) ?? []
    return messages[key]?.message ?? name
  }
}

/**
 * Advances the paused clock of a screen, in ms. `page.clock.runFor` would do so again in each later document of the page,
 * which takes longer with every call.
 */
export const advance = (page: Page, ms: number): Promise<void> =>
  page.evaluate(ms => window.__pwClock.controller.runFor(ms), ms)

const perform = async (
  page: Page,
  [act, english, value = '', content = '{}']: Act,
  nameOf: (name: string) => string,
): Promise<void> => {
  const name = nameOf(english)
  if (act === 'key') await page.keyboard.press(name)
  else if (act === 'open') {
    const title = new RegExp(`^${name}`)
    await page
      .getByRole('button', { name: title })
      .or(page.locator('summary', { hasText: title }))
      .click()
  } else if (act === 'pick') await page.getByRole('radio', { name, exact: true }).click()
  else if (act === 'wait') await advance(page, Number(name))
  else if (act === 'fill') await page.getByLabel(name, { exact: true }).fill(value)
  else if (act === 'file')
    await page.getByLabel(name, { exact: true }).setInputFiles({
      name: value,
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  else if (act === 'switch') await page.getByRole('switch', { name, exact: true }).click()
  else if (act === 'tick') await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check()
  // If the button has opened a dialog that has one of the same name, the dialog's is the last.
  else
    await page
      .getByRole(act === 'choose' ? 'tab' : 'button', { name, exact: true })
      .last()
      .click()
}

/** A page in a language, and its errors and warnings. */
type Blank = { page: Page; complaints: string[]; language: string }

const newPage = async (browser: Browser, language: string): Promise<Blank> => {
  const context = await browser.newContext({
    locale: language === 'en' ? 'en-GB' : language.replace('_', '-'),
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    // Elements that move take frames to draw, and must stop before they can be pressed.
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  await page.addInitScript(() => {
    window.closings = 0
    window.close = () => {
      window.closings++
    }
  })
  return { page, complaints, language }
}

/** Number of loads so far. It makes each URL another: a browser that is sent to the URL it shows might keep the document. */
let loads = 0

const load = async ({ page, complaints, language }: Blank, url: string, name: string): Promise<OpenScreen> => {
  const screen = screens[name]
  if (!screen) throw new Error(`there is no screen "${name}"`)
  complaints.length = 0
  await page.setViewportSize(SIZES[screen.page])
  loads++
  await page.goto(`${url}?screen=${name}&lang=${language}&load=${loads}${screen.hash ?? ''}`)
  await page.locator('body > *').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  const nameOf = namesIn(language)
  for (const act of screen.acts ?? []) await perform(page, act, nameOf)
  return {
    page,
    complaints,
    calls: async () =>
      (await page.evaluate(() => window.preview.calls)).filter(({ method }) => !ASKED_AT_FIRST.includes(method)),
    close: async () => {},
  }
}

/** A page in English in which the time of all screens stands still. */
const pausedPage = async (browser: Browser): Promise<Blank> => {
  const blank = await newPage(browser, 'en')
  // The installed clock runs until it is paused, and cannot be paused at a time that has passed.
  await blank.page.clock.install({ time: NOW - 3_600_000 })
  await blank.page.clock.pauseAt(NOW)
  return blank
}

/** Removes what a screen leaves behind in its page, except its document, which the next screen replaces. */
const clear = async (page: Page): Promise<void> => {
  await page.evaluate(() => localStorage.clear())
  await page.mouse.move(-1, -1)
}

/** A page that shows one screen after another. */
const sharedPage = async (browser: Browser, language: string): Promise<Blank> => {
  const blank = await newPage(browser, language)
  await blank.page.clock.setFixedTime(NOW)
  return blank
}

/** URL of the served previews, and the WebSocket URL of a Chromium. */
export type PreviewUrls = { url: string; browser: string }

/** Throws if no Chromium is installed. */
const chromiumOptions = (): { executablePath: string; args: string[] } => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] }
}

/** Builds and serves the previews, and starts Chromium. */
export const startPreviews = async (): Promise<{ urls: PreviewUrls; stop(): Promise<void> }> => {
  const options = chromiumOptions()
  const server = await servePreviews()
  const browser: BrowserServer = await chromium.launchServer({ ...options, host: '127.0.0.1' })
  return {
    urls: { url: server.url, browser: browser.wsEndpoint() },
    stop: async () => {
      await browser.close()
      await server.stop()
    },
  }
}

const previewsIn = (browser: Browser, url: string): Previews => {
  const shared = new Map<string, Promise<Blank>>()
  /** Pages of finished tests. Their cache lets them load in a fraction of the time of a new page. */
  const free: Blank[] = []
  return {
    open: async name => {
      const blank = free.pop() ?? (await pausedPage(browser))
      const close = async () => {
        await clear(blank.page)
        free.push(blank)
      }
      return { ...(await load(blank, url, name)), close }
    },
    show: async (name, language = 'en') => {
      const page = shared.get(language) ?? sharedPage(browser, language)
      shared.set(language, page)
      const blank = await page
      await blank.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
      return load(blank, url, name)
    },
    stop: () => browser.close(),
  }
}

/** Connects to started previews. Its pages are in browser contexts of their own, which end with the connection. */
export const connectPreviews = async ({ url, browser }: PreviewUrls): Promise<Previews> =>
  previewsIn(await chromium.connect(browser), url)

let connection: Promise<Previews> | undefined

/** The connection that all files of a process share, and with it their pages, since new ones load slowly. Never stop it. */
export const sharedPreviews = (urls: PreviewUrls): Promise<Previews> => {
  connection ??= connectPreviews(urls)
  return connection
}

/** Opens the previews that are served at the URL in a new Chromium, whose clipboard is not that of `startPreviews`. */
export const launchPreviews = async (url: string): Promise<Previews> =>
  previewsIn(await chromium.launch(chromiumOptions()), url)
