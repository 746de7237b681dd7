/** The site in the active tab, behind an open wallet page. */
import browser from './api.ts'

/** Origin of the active tab, or null if it is not a web page. */
export const activeSite = async (): Promise<string | null> => {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  const url = tab?.url
  return url !== undefined && /^https?:\/\//.test(url) ? new URL(url).origin : null
}
