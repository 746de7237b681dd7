/** The browser window around the wallet's panel, and the site in the window's active tab. */
import type { PanelWindow } from '../messages.ts'
import { siteIn } from './active-site.ts'
import browser from './api.ts'

const findPanel = async (): Promise<number | null> => {
  const [tab, window] = await Promise.all([browser.tabs.getCurrent(), browser.windows.getCurrent()])
  if (tab !== undefined || window.id === undefined) return null
  // The background finds the panel of a window by this fragment.
  history.replaceState(null, '', `#${window.id}`)
  return window.id
}

/** Returns the window of this page. Reads the site with host permissions, so it needs no permission for tabs. */
export const createPanelWindow = (): PanelWindow => ({
  panel: findPanel(),
  watchSite: listener => {
    let looks = 0
    const look = async () => {
      const own = ++looks
      const site = await siteIn({ currentWindow: true })
      if (own === looks) listener(site)
    }
    const lookIfMoved = (_: number, { status, url }: { status?: string; url?: string }) => {
      if (status !== undefined || url !== undefined) void look()
    }
    const { onActivated, onUpdated } = browser.tabs
    onActivated.addListener(look)
    onUpdated.addListener(lookIfMoved)
    void look()
    return () => {
      looks++
      onActivated.removeListener(look)
      onUpdated.removeListener(lookIfMoved)
    }
  },
})
