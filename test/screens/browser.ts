/** Opens previews in Chromium, at the size and the moment they are made for. */
import { type Browser, chromium, type Page } from 'playwright-core'
import type { UiCall } from '../../extension/src/messages.ts'
import { findChromium } from '../../setup.js'
import { NOW, type Page as PageName, screens } from './fixtures.ts'
import type { Preview } from './preview.ts'
import { servePreviews } from './serve.ts'

export const SIZES: Record<PageName, { width: number; height: number }> = {
  popup: { width: 360, height: 600 },
  approval: { width: 400, height: 640 },
  onboarding: { width: 1024, height: 768 },
}

declare global {
  interface Window {
    preview: Preview
    /** How often the page asked to be closed. */
    closings: number
  }
}

export type OpenScreen = {
  page: Page
  /** Errors and warnings of the console, and errors nobody caught. */
  complaints: string[]
  /** The calls to the background since the page was opened, but for getState. */
  calls(): Promise<UiCall[]>
  close(): Promise<void>
}

export type Previews = {
  /** Opens a screen; its clock stands still until a test moves it. */
  open(name: string): Promise<OpenScreen>
  stop(): Promise<void>
}

const open = async (browser: Browser, url: string, name: string): Promise<OpenScreen> => {
  const screen = screens[name]
  if (!screen) throw new Error(`there is no screen "${name}"`)
  const context = await browser.newContext({
    viewport: SIZES[screen.page],
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
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
  await page.clock.install({ time: NOW - 1_000 })
  await page.clock.pauseAt(NOW)
  await page.goto(`${url}?screen=${name}`)
  await page.locator('body > *').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  return {
    page,
    complaints,
    calls: async () => (await page.evaluate(() => window.preview.calls)).filter(({ method }) => method !== 'getState'),
    close: () => context.close(),
  }
}

/** Builds and serves the previews and starts Chromium. */
export const startPreviews = async (): Promise<Previews> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  const server = await servePreviews()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  return {
    open: name => open(browser, server.url, name),
    stop: async () => {
      await browser.close()
      await server.stop()
    },
  }
}
