/** Makes a used browser like a new one: no pages, nothing stored by the wallet, a stopped background. */
import type { BrowserContext, Page } from 'playwright-core'
import type { DrivenBrowser } from '../support/browser.ts'

/** The used part of the browser's API in a page of the extension. */
declare const chrome: {
  storage: Record<'local' | 'session', { clear(): Promise<void> }>
  alarms: { clearAll(): Promise<boolean> }
  scripting: { unregisterContentScripts(): Promise<void> }
}

/** Closes all pages but one, without which the browser would end, and empties that one. */
export const closePages = async (context: BrowserContext): Promise<Page> => {
  const kept = await context.newPage()
  const others = context.pages().filter(page => page !== kept)
  // A page that has just closed itself is fine.
  await Promise.all(others.map(page => page.close().catch(() => undefined)))
  return kept
}

/** Stops the background, unless it does not run. */
const stop = (browser: DrivenBrowser): Promise<void> => browser.stopBackground().catch(() => undefined)

/**
 * Removes everything that earlier tests left. The background is stopped before its data is removed, so that it writes nothing
 * afterwards, and once more because the removal wakes it.
 */
export const startAfresh = async (browser: DrivenBrowser): Promise<void> => {
  const { context, base } = browser
  const page = await closePages(context)
  await Promise.all([context.clearCookies(), context.unrouteAll()])
  // This file has the browser's API and runs no script.
  await page.goto(`${base}/manifest.json`)
  await stop(browser)
  await page.evaluate(async () => {
    await Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear(), chrome.alarms.clearAll()])
    await chrome.scripting.unregisterContentScripts()
  })
  await stop(browser)
  await page.goto('about:blank')
}
