/** The site that the person looks at while a page of the wallet is open over it. */
import browser from './api.ts'

/** The origin of the tab in front; null where that is no web page. */
export const activeSite = async (): Promise<string | null> => {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  const url = tab?.url
  return url !== undefined && /^https?:\/\//.test(url) ? new URL(url).origin : null
}
