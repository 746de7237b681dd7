/** The site in an active tab, behind or beside an open wallet page. */
import type { ActiveSite } from '../messages.ts'
import browser from './api.ts'

/** Returns the page in the active tab of a window; null if it is a page of the wallet itself. */
export const siteIn = async (
  window: { lastFocusedWindow: true } | { currentWindow: true },
): Promise<ActiveSite | null> => {
  const [tab] = await browser.tabs.query({ active: true, ...window })
  const url = tab?.url ?? ''
  if (url.startsWith(browser.runtime.getURL(''))) return null
  return { origin: /^https?:\/\//.test(url) ? new URL(url).origin : null }
}

/** Returns the page in the active tab of the window that was focused last. */
export const activeSite = (): Promise<ActiveSite | null> => siteIn({ lastFocusedWindow: true })
