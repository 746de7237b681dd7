/**
 * Opens previews in Chromium, at each screen's size and time. All files share one preview server, and most share one
 * Chromium.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserServer, chromium, type Frame, type Page } from 'playwright-core'
import type { UiCall } from '../../extension/src/messages.ts'
import { findChromium } from '../../programs.js'
import { root } from '../support/root.ts'
import { type Act, NOW, type Page as PageName, type Screen } from './fixtures/screen.ts'
import { screens } from './fixtures.ts'
import { PAGE_CHECKS } from './page-checks.ts'
import { FRAME_PATH, servePreviews } from './serve.ts'

export const SIZES: Record<PageName, { width: number; height: number }> = {
  popup: { width: 360, height: 600 },
  approval: { width: 400, height: 640 },
  panel: { width: 360, height: 720 },
  tab: { width: 1280, height: 800 },
  onboarding: { width: 1024, height: 768 },
  settings: { width: 1280, height: 920 },
}

const half = ({ width, height }: { width: number; height: number }) => ({ width: width / 2, height: height / 2 })

/**
 * Viewport of each page at 200 % zoom. The popup grows with the zoom, up to the browser's limits for its width and
 * height.
 */
export const ZOOMED: typeof SIZES = {
  popup: { width: SIZES.popup.width, height: 300 },
  approval: half(SIZES.approval),
  panel: { width: SIZES.panel.width, height: 360 },
  tab: half(SIZES.tab),
  onboarding: half(SIZES.onboarding),
  settings: half(SIZES.settings),
}

/** Further widths at which each page is checked, in px: narrow windows and tabs. */
export const WIDTHS: Record<PageName, readonly number[]> = {
  popup: [480, 1280],
  approval: [360, 480],
  panel: [320, 480, 640],
  tab: [360, 999, 1000],
  onboarding: [360, 480, 1280],
  settings: [360, 480],
}

const ASKED_AT_FIRST: readonly UiCall['method'][] = ['getDraft']

declare global {
  interface Window {
    /** Playwright's clock in the page. */
    __pwClock: { controller: { runFor(ms: number): Promise<void> } }
    /** Number of times that the page called window.close. */
    closings: number
  }
}

export type OpenScreen = {
  page: Page
  /** Console errors and warnings, and uncaught errors. */
  complaints: string[]
  /**
   * Returns the calls to the background since the page was opened, except the calls that every page makes at its start.
   */
  calls(): Promise<UiCall[]>
  /**
   * Returns the page to the pool for another screen. A failed test leaves its page open, so that no other test gets it.
   */
  close(): Promise<void>
}

/** A screen in an `iframe` of a page. */
export type FramedScreen = {
  page: Page
  frame: Frame
  /** Console errors and warnings, and uncaught errors. */
  complaints: string[]
  /** Keeps the document for the next screen. Without it, the next screen gets a new document. */
  release(): void
}

export type Previews = {
  /**
   * Opens a screen in English without motion, in a page that no other open screen uses. The page's clock is paused; see
   * `advance`.
   */
  open(name: string): Promise<OpenScreen>
  /**
   * Opens a screen in the Day theme without motion, in a page that all such screens share, which is faster. Only its
   * date is fixed.
   */
  show(name: string, language?: string): Promise<OpenScreen>
  /**
   * Replaces the screen in an `iframe` by another, in the same document, which is faster still. In the Day theme without
   * motion, with a fixed date.
   */
  replace(name: string): Promise<FramedScreen>
  stop(): Promise<void>
}

const messagesOf = (language: string): Record<string, { message: string }> =>
  JSON.parse(readFileSync(join(root, `extension/public/_locales/${language}/messages.json`), 'utf8'))

/** Returns a function that translates an element's English name into another language. */
const namesIn = (language: string): ((name: string) => string) => {
  const english = Object.entries(messagesOf('en'))
  const messages = messagesOf(language)
  return name => {
    const [key = ''] = english.find(([, { message }]) => message === name) ?? []
    return messages[key]?.message ?? name
  }
}

/**
 * Advances a screen's paused clock, in ms. `page.clock.runFor` would repeat this in every later document of the page,
 * so each call would take longer than the previous one.
 */
export const advance = (page: Page | Frame, ms: number): Promise<void> =>
  page.evaluate(ms => window.__pwClock.controller.runFor(ms), ms)

const perform = async (
  frame: Frame,
  [act, english, value = '', content = '{}']: Act,
  nameOf: (name: string) => string,
): Promise<void> => {
  const name = nameOf(english)
  if (act === 'key') await frame.page().keyboard.press(name)
  else if (act === 'open') {
    const title = new RegExp(`^${name}`)
    await frame
      .getByRole('button', { name: title })
      .or(frame.locator('summary', { hasText: title }))
      .click()
  } else if (act === 'pick') await frame.getByRole('radio', { name, exact: true }).click()
  else if (act === 'wait') await advance(frame, Number(name))
  else if (act === 'fill') await frame.getByLabel(name, { exact: true }).fill(value)
  else if (act === 'file')
    await frame.getByLabel(name, { exact: true }).setInputFiles({
      name: value,
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  else if (act === 'switch') await frame.getByRole('switch', { name, exact: true }).click()
  else if (act === 'tick') await frame.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check()
  // If the button opened a dialog that has a button of the same name, the dialog's button is the last one.
  else
    await frame
      .getByRole(act === 'choose' ? 'tab' : 'button', { name, exact: true })
      .last()
      .click()
}

/** Performs a screen's acts, and waits for what they write to the clipboard. */
const performAll = async (frame: Frame, { acts = [] }: Screen, language: string): Promise<void> => {
  const nameOf = namesIn(language)
  for (const act of acts) await perform(frame, act, nameOf)
  if (acts.length > 0) await frame.evaluate(() => window.settled())
}

/** A page for screens in one language, with the errors and warnings that it has logged. */
type Blank = { page: Page; complaints: string[]; language: string }

const newPage = async (browser: Browser, language: string): Promise<Blank> => {
  const context = await browser.newContext({
    locale: language === 'en' ? 'en-GB' : language.replace('_', '-'),
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    // Animated elements take several frames to draw, and Playwright waits until they stop before it presses them.
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
  await page.addInitScript(PAGE_CHECKS)
  return { page, complaints, language }
}

/**
 * Number of loads so far. It makes each URL unique: a browser that navigates to its current URL may keep the document.
 */
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
  await performAll(page.mainFrame(), screen, language)
  return {
    page,
    complaints,
    calls: async () =>
      (await page.evaluate(() => window.preview.calls)).filter(({ method }) => !ASKED_AT_FIRST.includes(method)),
    close: async () => {},
  }
}

/** Creates a page in English whose clock is paused at the time that all screens show as now. */
const pausedPage = async (browser: Browser): Promise<Blank> => {
  const blank = await newPage(browser, 'en')
  // The installed clock runs until it is paused, and it can only be paused at a later time.
  await blank.page.clock.install({ time: NOW - 3_600_000 })
  await blank.page.clock.pauseAt(NOW)
  return blank
}

/** Removes a screen's traces from its page, except the document, which the next screen replaces. */
const clear = async (page: Page): Promise<void> => {
  await page.evaluate(() => localStorage.clear())
  await page.mouse.move(-1, -1)
}

/** Creates a page that shows one screen after another. */
const sharedPage = async (browser: Browser, language: string): Promise<Blank> => {
  const blank = await newPage(browser, language)
  await blank.page.clock.setFixedTime(NOW)
  return blank
}

/** URL of the preview server, and the WebSocket URL of a Chromium. */
export type PreviewUrls = { url: string; browser: string }

/** Returns the options to start Chromium. Throws if it is not installed. */
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

/** A page with an `iframe` for screens in English. `isReleased` is true if the shown screen is no longer used. */
type Framed = Blank & { frame: Frame; isReleased: boolean }

const framedPage = async (browser: Browser, url: string): Promise<Framed> => {
  const blank = await sharedPage(browser, 'en')
  const sizes = Object.values(SIZES)
  await blank.page.setViewportSize({
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  })
  await blank.page.goto(new URL(FRAME_PATH, url).href)
  const frame = blank.page.frames()[1]
  if (!frame) throw new Error('the page has no frame')
  return { ...blank, frame, isReleased: false }
}

const replace = async (framed: Framed, url: string, name: string): Promise<FramedScreen> => {
  const screen = screens[name]
  if (!screen) throw new Error(`there is no screen "${name}"`)
  const { page, frame, complaints, language } = framed
  if (!framed.isReleased) {
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    loads++
    await frame.goto(`${url}?lang=${language}&load=${loads}`)
    // The document is loaded before its script has the language's messages.
    await frame.waitForFunction(() => 'replaceScreen' in window)
  }
  framed.isReleased = false
  complaints.length = 0
  await frame.evaluate(
    async ({ name, size: { width, height } }) => {
      Object.assign((window.frameElement as HTMLElement).style, { width: `${width}px`, height: `${height}px` })
      await window.replaceScreen(name)
    },
    { name, size: SIZES[screen.page] },
  )
  await performAll(frame, screen, language)
  return {
    page,
    frame,
    complaints,
    release: () => {
      framed.isReleased = true
    },
  }
}

const previewsIn = (browser: Browser, url: string): Previews => {
  const shared = new Map<string, Promise<Blank>>()
  /** Pages of finished tests. They load a screen in a fraction of a new page's time, because their cache is warm. */
  const free: Blank[] = []
  let framed: Promise<Framed> | undefined
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
    replace: async name => {
      framed ??= framedPage(browser, url)
      return replace(await framed, url, name)
    },
    stop: () => browser.close(),
  }
}

/**
 * Connects to started previews. Pages are in separate browser contexts, which are closed together with the connection.
 */
export const connectPreviews = async ({ url, browser }: PreviewUrls): Promise<Previews> =>
  previewsIn(await chromium.connect(browser), url)

let connection: Promise<Previews> | undefined

/**
 * Returns the connection that all files of a process share. They also share its pages, because new ones load slowly.
 * Never stop it.
 */
export const sharedPreviews = (urls: PreviewUrls): Promise<Previews> => {
  connection ??= connectPreviews(urls)
  return connection
}

/** Opens the previews served at `url` in a new Chromium, with a clipboard separate from the shared Chromium's. */
export const launchPreviews = async (url: string): Promise<Previews> =>
  previewsIn(await chromium.launch(chromiumOptions()), url)
