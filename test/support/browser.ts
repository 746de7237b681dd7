/** A browser with the extension, driven by Playwright: the common interface of Chromium and Firefox. */
import type { BrowserContext, Page } from 'playwright-core'

export type BrowserOptions = {
  /** Folder of the built extension. */
  extension: string
  /** Folder of the browser's profile, created if missing. An existing profile is continued. */
  profile: string
  headless: boolean
  /**
   * Rules for Chromium's resolver: addresses of host names, and names that do not resolve. Without rules, names resolve
   * as usual.
   */
  hosts?: string
  /** True to remove the browser's API from the wallet's pages, as in the published extension. Tests use the API. */
  isApiTaken?: boolean
  /** A proxy for all of Chromium's requests, including requests to loopback. */
  proxy?: string
}

/** The wallet's panel: Chromium's side panel, or Firefox's sidebar. */
export type OpenPanel = {
  /** The panel's page. Null in Firefox, whose sidebars the driver does not know. */
  page: Page | null
  /** Returns the visible text. */
  text(): Promise<string>
  close(): Promise<void>
}

export type DrivenBrowser = {
  context: BrowserContext
  /** Base URL of the extension's pages, without a trailing slash. */
  base: string
  /** Stops the background, as the browser does after 30 s of inactivity. Rejects if the background is not running. */
  stopBackground(): Promise<void>
  /** Opens the wallet's panel in the window of a page, as the user does. */
  openPanel(page: Page): Promise<OpenPanel>
  close(): Promise<void>
}
