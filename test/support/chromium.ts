/** The Chromium of the tests and the demo, with the extension loaded from its folder. */
import { setTimeout as pause } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../programs.js'
import type { BrowserOptions, DrivenBrowser, OpenPanel } from './browser.ts'

/**
 * The host that Chromium's own requests (updates, accounts, experiments) go to, so that a proxy can tell them apart.
 */
export const CHROMIUMS_OWN = 'chromium.invalid'

/** Interval and timeout of polling, in ms. */
const LOOK = 50
const PATIENCE = 30_000

/** The driver's variable for targets that it otherwise leaves out, such as side panels. */
const ATTACHES_TO_OTHERS = 'PW_CHROMIUM_ATTACH_TO_OTHER'

const ownHostFlags = (base: string): string[] => [
  `--gaia-url=${base}`,
  `--lso-url=${base}`,
  `--google-apis-url=${base}`,
  `--google-base-url=${base}`,
  `--variations-server-url=${base}`,
  `--apps-gallery-update-url=${base}`,
  `--component-updater=url-source=${base}`,
]

/** Opens Chromium. Throws with an instruction to install it if it is missing. The caller handles signals. */
export const openChromium = async (options: BrowserOptions): Promise<BrowserContext> => {
  const { extension, profile, headless, hosts, proxy, isApiTaken = false } = options
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless,
    viewport: null,
    // Transitions cost time: the driver waits until an element stops moving.
    reducedMotion: headless ? 'reduce' : null,
    ...(proxy !== undefined && { proxy: { server: proxy, bypass: '<-loopback>' } }),
    // Chromium's sandbox does not start as root.
    chromiumSandbox: process.getuid?.() !== 0,
    // A driven browser disables extensions. The first flag exempts ours, the second loads it.
    args: [
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      '--disable-quic',
      ...(proxy === undefined ? [] : ownHostFlags(`http://${CHROMIUMS_OWN}/`)),
      ...(hosts === undefined ? [] : [`--host-resolver-rules=${hosts}`]),
    ],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  if (!isApiTaken) await context.addInitScript(keepApi)
  return context
}

/** Keeps `chrome` where the wallet removes it, for a test that calls the background as a page of the wallet would. */
export const keepApi = () => {
  if (location.protocol !== 'chrome-extension:') return
  Object.defineProperty(globalThis, 'chrome', { configurable: false, writable: false })
}

/** Returns the id under which the loaded extension serves its pages. Resolves once its worker has started. */
const extensionId = async (context: BrowserContext): Promise<string> => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return new URL(worker.url()).host
}

/** Polls for the panel, because the driver reports it before it has a URL. */
const foundPanel = async (look: () => Page | undefined): Promise<Page> => {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(LOOK)) {
    const panel = look()
    if (panel) return panel
  }
  throw new Error(`the side panel was not opened within ${PATIENCE} ms`)
}

/** Opens the side panel. Chromium opens it only during a user's press, which the protocol simulates. */
const openSidePanel = async (context: BrowserContext, base: string, page: Page): Promise<OpenPanel> => {
  const opener = await context.newPage()
  // The manifest, opened as a page, has the browser's extension API but runs no script.
  await opener.goto(`${base}/manifest.json`)
  const url = `${base}/panel.html`
  const before = new Set(context.pages())
  process.env[ATTACHES_TO_OTHERS] = '1'
  const session = await context.newCDPSession(opener)
  const tell = await session.send('Runtime.evaluate', {
    expression: 'chrome.windows.getCurrent().then(({ id }) => id)',
    awaitPromise: true,
  })
  await session.send('Runtime.evaluate', {
    expression: `chrome.sidePanel.open({ windowId: ${tell.result.value} })`,
    awaitPromise: true,
    userGesture: true,
  })
  // The panel adds a fragment to its URL.
  const isPanel = (one: Page) => !before.has(one) && one.url().split('#')[0] === url
  const panel = await foundPanel(() => context.pages().find(isPanel))
  delete process.env[ATTACHES_TO_OTHERS]
  await opener.close()
  await page.bringToFront()
  return {
    page: panel,
    text: async () => (await panel.locator('body').allInnerTexts()).join(),
    close: () => panel.close(),
  }
}

/** Opens Chromium for tests. Throws with an instruction to install it if it is missing. */
export const driveChromium = async (options: BrowserOptions): Promise<DrivenBrowser> => {
  const context = await openChromium(options)
  const base = `chrome-extension://${await extensionId(context)}`
  return {
    context,
    base,
    stopBackground: async () => {
      const session = await context.newCDPSession(context.pages()[0] ?? (await context.newPage()))
      const { targetInfos } = await session.send('Target.getTargets')
      const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith(base))
      if (!worker) throw new Error('the service worker is not running')
      await session.send('Target.closeTarget', { targetId: worker.targetId })
      await session.detach()
    },
    openPanel: page => openSidePanel(context, base, page),
    close: () => context.close(),
  }
}
