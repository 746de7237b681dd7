/**
 * Counts popup windows in the browser. The driver reports windows late, and one that closes soon without its URL or not at
 * all.
 */
import type { Page } from 'playwright-core'

/** The used part of the browser's API in a wallet page. */
type OpenedWindow = { type: string }
declare const chrome: {
  windows: {
    onCreated: { addListener(listener: (window: OpenedWindow) => void): void }
  }
}

/**
 * Starts to count popup windows, in a wallet page that must stay open. Resolves with a function for the number of windows
 * opened since.
 */
export const countPopups = async (page: Page): Promise<() => Promise<number>> => {
  const counter = await page.evaluateHandle(() => {
    const opened = { popups: 0 }
    chrome.windows.onCreated.addListener(({ type }) => {
      if (type === 'popup') opened.popups++
    })
    return opened
  })
  return () => counter.evaluate(({ popups }) => popups)
}
