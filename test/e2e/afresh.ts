/** Resets a used browser to a new one's state: no pages, no data of the wallet, and a stopped background. */
import type { BrowserContext, Page } from 'playwright-core'
import type { DrivenBrowser } from '../support/browser.ts'

/** The part of the browser's API that is used in an extension page. */
declare const chrome: {
  storage: Record<'local' | 'session', { clear(): Promise<void> }>
  alarms: { clearAll(): Promise<boolean> }
  scripting: { unregisterContentScripts(): Promise<void> }
}

/** Closes all pages except a new, empty one, without which the browser would exit. */
export const closePages = async (context: BrowserContext): Promise<Page> => {
  const kept = await context.newPage()
  const others = context.pages().filter(page => page !== kept)
  // A page that has just closed itself cannot be closed again, so the error is ignored.
  await Promise.all(others.map(page => page.close().catch(() => undefined)))
  return kept
}

/** Stops the background if it is running. */
const stop = (browser: DrivenBrowser): Promise<void> => browser.stopBackground().catch(() => undefined)

/**
 * Removes everything that earlier tests left. The background is stopped first, so that it cannot write data after the
 * removal, and a second time because the removal wakes it.
 */
export const startAfresh = async (browser: DrivenBrowser): Promise<void> => {
  const { context, base } = browser
  const page = await closePages(context)
  await Promise.all([context.clearCookies(), context.unrouteAll()])
  // The manifest, opened as a page, has the browser's extension API but runs no script.
  await page.goto(`${base}/manifest.json`)
  await stop(browser)
  await page.evaluate(async () => {
    await Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear(), chrome.alarms.clearAll()])
    await chrome.scripting.unregisterContentScripts()
  })
  await stop(browser)
  await page.goto('about:blank')
}
