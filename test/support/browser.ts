/** A browser with the extension, driven by Playwright: what the tests use of Chromium and of Firefox. */
import type { BrowserContext } from 'playwright-core'

export type BrowserOptions = {
  /** Folder of the built extension. */
  extension: string
  /** Folder of the browser's profile, made if it is missing. The same one again continues where it was left. */
  profile: string
  headless: boolean
  /** Rules for Chromium's resolver: where names lead, and which lead nowhere. Without them names are resolved as usual. */
  hosts?: string
  /** Whether the wallet's pages lack the browser's API under its global names, as they do for everybody. Tests use it. */
  isApiTaken?: boolean
  /** A proxy for all of Chromium's requests, loopback's among them. */
  proxy?: string
}

export type DrivenBrowser = {
  context: BrowserContext
  /** Base URL of the extension's pages, without a trailing slash. */
  base: string
  /** Stops the background, as the browser does after 30 s without work. Rejects if it does not run. */
  stopBackground(): Promise<void>
  close(): Promise<void>
}
