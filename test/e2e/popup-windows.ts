/**
 * Counts popup windows in the browser. The driver is not enough: it reports windows late, and reports a window that
 * closes soon without its URL or not at all.
 */
import type { Page } from 'playwright-core'

/** The part of the browser's API that is used in a wallet page. */
type OpenedWindow = { type: string }
declare const chrome: {
  windows: {
    onCreated: { addListener(listener: (window: OpenedWindow) => void): void }
  }
}

/**
 * Starts counting popup windows, in a wallet page that must stay open. Resolves with a function that returns the number
 * of windows opened since then.
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
