/** The Firefox of the tests, with the extension installed from its folder. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { FIREFOX_ID } from '../extension/firefox.ts'
import type { ToUi, UiMethod, UiMethods } from '../extension/src/messages.ts'
import { findFirefox } from '../setup.js'

/** The host of the extension's own pages. Firefox makes one up at installation unless it has one. */
const HOST = 'a5b1cb15-6ac9-4f4e-93e2-9a2b3c4d5e6f'
/** Milliseconds between two looks at a page that is opened, and for how long. */
const LOOK = 100
const PATIENCE = 30_000

export type Firefox = {
  browser: Browser
  /** Opens a page of the wallet in a tab. */
  open(page: 'popup.html' | 'onboarding.html' | 'settings.html'): Promise<Page>
  /** Opens a site in a tab. */
  visit(url: string): Promise<Page>
  close(): Promise<void>
}

export type FirefoxOptions = {
  /** Folder of the extension, built for Firefox. */
  extension: string
  /** Folder of the browser's profile. The same one again continues where it was left. */
  profile: string
}

const isAt = (page: Page, url: string): Promise<boolean> =>
  page
    .evaluate(wanted => location.href.startsWith(wanted) && document.readyState === 'complete', url)
    .catch(() => false)

/** A copy of the extension whose pages keep the browser's API for the driver, since the wallet takes it away. */
const copyForDriver = async (extension: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'heliograph-driven-'))
  await cp(extension, copy, { recursive: true })
  await writeFile(join(copy, 'driver.js'), 'const api = browser; globalThis.driven = () => api')
  for (const name of (await readdir(copy)).filter(one => one.endsWith('.html'))) {
    const page = await readFile(join(copy, name), 'utf8')
    await writeFile(join(copy, name), page.replace('<head>', '<head><script src="/driver.js"></script>'))
  }
  return copy
}

/** Opens Firefox. Throws, naming what to install, when there is none. */
export const openFirefox = async ({ extension, profile }: FirefoxOptions): Promise<Firefox> => {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('No Firefox was found: install it, or set FIREFOX_PATH to one.')
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    userDataDir: profile,
    // Without it the driver may not navigate to pages of an extension.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: HOST }),
      // An extension that is installed by a driver keeps its data until it is installed again.
      'extensions.webextensions.keepStorageOnUninstall': true,
      'extensions.webextensions.keepUuidOnUninstall': true,
    },
  })
  const copy = await copyForDriver(extension)
  await browser.installExtension(copy)

  return {
    browser,
    visit: async url => {
      const page = await browser.newPage()
      await page.goto(url)
      return page
    },
    open: async name => {
      const url = `moz-extension://${HOST}/${name}`
      const page = await browser.newPage()
      // Firefox moves the tab to the process of the extension, of which the driver is not told.
      page.goto(url).catch(() => undefined)
      for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(LOOK)) {
        for (const candidate of await browser.pages()) if (await isAt(candidate, url)) return candidate
      }
      throw new Error(`${name} was not opened within ${PATIENCE} ms`)
    },
    close: async () => {
      await browser.close()
      await rm(copy, { recursive: true, force: true })
    },
  }
}

/** Just what is used of the browser's API in a page of the wallet. */
declare const driven: () => {
  runtime: {
    connect(options: { name: string }): {
      postMessage(message: unknown): void
      disconnect(): void
      onMessage: { addListener(listener: (message: ToUi) => void): void }
    }
  }
}

/** Calls a method of the wallet's own pages, from one of them. Rejects with the error's text. */
export const callFirefoxWallet = <M extends UiMethod>(
  page: Page,
  method: M,
  params: UiMethods[M][0],
): Promise<UiMethods[M][1]> =>
  page.evaluate(
    (name, given) =>
      new Promise<UiMethods[M][1]>((resolve, reject) => {
        const port = driven().runtime.connect({ name: 'ui' })
        port.onMessage.addListener(message => {
          if ('state' in message) return
          port.disconnect()
          if ('error' in message) reject(new Error(message.error.message))
          else resolve(message.result as UiMethods[M][1])
        })
        port.postMessage({ id: 1, method: name, params: given })
      }),
    method as string,
    params,
  ) as Promise<UiMethods[M][1]>
