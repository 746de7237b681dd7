/** The site in the active tab, behind an open wallet page. */
import type { ActiveSite } from '../messages.ts'
import browser from './api.ts'

/** Returns the page in the active tab; null if it is a page of the wallet itself. */
export const activeSite = async (): Promise<ActiveSite | null> => {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  const url = tab?.url ?? ''
  if (url.startsWith(browser.runtime.getURL(''))) return null
  return { origin: /^https?:\/\//.test(url) ? new URL(url).origin : null }
}
