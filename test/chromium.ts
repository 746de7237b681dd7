/** The Chromium of the tests and the demo, with the extension loaded from its folder. */
import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../setup.js'

export type ChromiumOptions = {
  /** Folder of the built extension. */
  extension: string
  /** Folder of the browser's profile, made if it is missing. */
  profile: string
  headless: boolean
}

/** Opens Chromium. Throws, naming what to install, when there is none. Signals are left to the caller. */
export const openChromium = ({ extension, profile, headless }: ChromiumOptions): Promise<BrowserContext> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  return chromium.launchPersistentContext(profile, {
    executablePath,
    headless,
    viewport: null,
    // As root the sandbox does not start.
    chromiumSandbox: process.getuid?.() !== 0,
    // Extensions are switched off in a driven browser: the first flag lifts that for ours, the second loads it.
    args: [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`, '--disable-quic'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}

/** The id under which the loaded extension serves its pages; resolves when its worker has started. */
export const extensionId = async (context: BrowserContext): Promise<string> => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return new URL(worker.url()).host
}
