/** The Chromium of the tests and the demo, with the extension loaded from its folder. */
import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../../programs.js'
import type { BrowserOptions, DrivenBrowser } from './browser.ts'

/**
 * The host that Chromium's own requests (updates, accounts, experiments) go to, so that a proxy can tell them apart.
 */
export const CHROMIUMS_OWN = 'chromium.invalid'

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
    close: () => context.close(),
  }
}
