/** The Firefox of the tests, with the extension installed from its folder. Playwright drives it over WebDriver BiDi. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, firefox, type Page } from 'playwright-core'
import { FIREFOX_ID } from '../../extension/firefox.ts'
import { findFirefox } from '../../programs.js'
import { type BidiProxy, openBidiProxy } from './bidi-proxy.ts'
import type { BrowserOptions, DrivenBrowser, OpenPanel } from './browser.ts'
import { root } from './root.ts'

/** Host of the extension's pages. Without this setting, Firefox generates one at installation. */
const HOST = 'a5b1cb15-6ac9-4f4e-93e2-9a2b3c4d5e6f'

const PREFERENCES = {
  // Gives pages focus although the driver's window is not in the foreground.
  'focusmanager.testmode': true,
  'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: HOST }),
  // Without these settings, an extension that a driver installs loses its data when the browser closes.
  'extensions.webextensions.keepStorageOnUninstall': true,
  'extensions.webextensions.keepUuidOnUninstall': true,
  // Optional permissions are granted without a question, which a driver cannot answer.
  'extensions.webextOptionalPermissionPrompts': false,
  // The downloads panel would open and take the key presses.
  'browser.download.alwaysOpenPanel': false,
  // Transitions cost time: the driver waits until an element stops moving.
  'ui.prefersReducedMotion': 1,
  // No request leaves this machine: loopback bypasses the proxy, and nothing listens on the discard port.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
}

/**
 * Keeps the browser's API under its global names, for tests that call the background as a page of the wallet would.
 * `__name` is defined because the TypeScript loader wraps functions in it, also those that the benchmark runs in pages.
 */
const KEEP_API = `globalThis.__name = named => named
for (const name of ['browser', 'chrome'])
  Object.defineProperty(globalThis, name, { value: globalThis[name], configurable: false, writable: false })`

/**
 * Firefox 153 crashes if a script reads this property of a dialog. Playwright falls back to the attribute
 * `aria-labelledby`.
 */
const HIDE_LABELS = 'delete Element.prototype.ariaLabelledByElements'

/** Copies the extension and adds a script for the driver, whose own scripts do not run in an extension's pages. */
const copyForDriver = async (extension: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'heliograph-driven-'))
  await cp(extension, copy, { recursive: true })
  await writeFile(join(copy, 'for-driver.js'), `${KEEP_API}\n${HIDE_LABELS}\n`)
  for (const name of (await readdir(copy)).filter(one => one.endsWith('.html'))) {
    const page = await readFile(join(copy, name), 'utf8')
    await writeFile(join(copy, name), page.replace('<head>', '<head><script src="/for-driver.js"></script>'))
  }
  return copy
}

/** Runs an expression with the browser's own rights. Resolves with its value, which is a string. */
const runPrivileged = async (bidi: BidiProxy, expression: string): Promise<unknown> => {
  const { contexts } = (await bidi.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 })) as {
    contexts: { context: string }[]
  }
  const target = { context: contexts[0]?.context }
  const answer = await bidi.send('script.evaluate', { expression, target, awaitPromise: true })
  const { type, result } = answer as { type: string; result?: { value: unknown } }
  if (type !== 'success') throw new Error(`Firefox did not run ${expression}: ${JSON.stringify(answer)}`)
  return result?.value
}

/**
 * Opens the sidebar in the window that shows a page. The driver does not know sidebars, so scripts with the browser's
 * own rights open it, read it and close it.
 */
const openSidebar = async (bidi: BidiProxy, page: Page): Promise<OpenPanel> => {
  const own = `const { apiManager } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs').ExtensionParent
    const action = apiManager.global.sidebarActionFor(WebExtensionPolicy.getByID('${FIREFOX_ID}').extension)`
  const found = `[...Services.wm.getEnumerator('navigator:browser')].find(
    one => one.gBrowser.selectedBrowser.currentURI.spec === ${JSON.stringify(page.url())})`
  const run = (code: string) => runPrivileged(bidi, `(async () => { ${own}; ${code} })()`)
  const id = await run(`const window = ${found}; action.open(window); return window.docShell.outerWindowID.toString()`)
  const window = `Services.wm.getOuterWindowWithId(${id})`
  const read = `const { browser } = ${window}.SidebarController
    const inner = browser?.contentDocument?.getElementById('webext-panels-browser')
    if (!inner?.messageManager) return ''
    return new Promise(resolve => {
      const name = 'driver:' + Math.random()
      const hear = ({ data }) => {
        inner.messageManager.removeMessageListener(name, hear)
        resolve(data)
      }
      inner.messageManager.addMessageListener(name, hear)
      const code = 'sendAsyncMessage(' + JSON.stringify(name) + ', content.document.body?.innerText ?? "")'
      inner.messageManager.loadFrameScript('data:text/javascript,' + encodeURIComponent(code), false)
    })`
  return {
    page: null,
    text: async () => String(await run(read)),
    close: async () => void (await run(`action.close(${window}); return ''`)),
  }
}

/** Opens Firefox. Throws with an instruction to install it if it is missing. */
export const driveFirefox = async (options: BrowserOptions): Promise<DrivenBrowser> => {
  const { extension, profile, headless, hosts, proxy, isApiTaken = false } = options
  if (hosts !== undefined || proxy !== undefined) throw new Error('Only Chromium supports host rules and a proxy')
  const binary = findFirefox()
  if (!binary) throw new Error('No Firefox was found: install it, or set FIREFOX_PATH to one.')
  const bidi = await openBidiProxy()
  const path = isApiTaken ? extension : await copyForDriver(extension)
  let context: BrowserContext | undefined
  const close = async () => {
    await context?.close()
    await bidi.close()
    if (path !== extension) await rm(path, { recursive: true, force: true })
  }
  try {
    context = await firefox.launchPersistentContext(profile, {
      channel: 'moz-firefox',
      executablePath: join(root, 'test/support/firefox-behind-line.sh'),
      env: { ...process.env, FIREFOX_BINARY: binary, FIREFOX_LINE: bidi.url },
      headless,
      viewport: null,
      // The driver may open pages of an extension and run code with the browser's own rights.
      args: ['--remote-allow-system-access'],
      firefoxUserPrefs: PREFERENCES,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    await bidi.send('webExtension.install', { extensionData: { type: 'path', path } })
  } catch (error) {
    await close()
    throw error
  }
  return {
    context,
    base: `moz-extension://${HOST}`,
    stopBackground: async () => {
      const own = `WebExtensionPolicy.getByID('${FIREFOX_ID}').extension`
      const stopped = `${own}.terminateBackground({ disableResetIdleForTest: true }).then(() => ${own}.backgroundState)`
      const state = await runPrivileged(bidi, stopped)
      // The background may be running again, because an event can restart it at once.
      if (state === 'running') throw new Error(`the background is ${state}`)
    },
    openPanel: page => openSidebar(bidi, page),
    close,
  }
}
