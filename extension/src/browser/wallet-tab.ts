/** Opens the wallet in a tab, or shows the tab in which it is open. */
import browser from './api.ts'

const PAGE = 'panel.html'

/** `hash` is the fragment of the page's URL. */
export const openWalletTab = async (hash: string): Promise<void> => {
  const page = browser.runtime.getURL(PAGE)
  const url = `${page}${hash}`
  const [open] = await browser.tabs.query({ url: `${page}*` })
  if (open?.id === undefined) {
    await browser.tabs.create({ url })
    return
  }
  await browser.tabs.update(open.id, { url, active: true })
  if (open.windowId !== undefined) await browser.windows.update(open.windowId, { focused: true })
}
