/**
 * The wallet's panels: side panels in Chromium, sidebars in Firefox. The browser knows which are open, also after a stop
 * of the worker. Chromium does not tell in which window a panel is, so each panel has its window's id in its URL.
 */
import { UI_PORT } from '../messages.ts'
import type { Panels } from '../wallet/requests/panels.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

const PAGE = 'panel.html'

/** APIs that the polyfill's types lack. */
type Contexts = {
  runtime: { getContexts(filter: { contextTypes: readonly string[] }): Promise<readonly { documentUrl?: string }[]> }
}

/** Calls `onClosed` when a panel was closed. */
export const createPanels = (onClosed: () => Promise<unknown>): Panels => {
  const page = browser.runtime.getURL(PAGE)

  browser.runtime.onConnect.addListener(({ name, sender, onDisconnect }) => {
    const isPanel = sender?.tab === undefined && sender?.url?.startsWith(page) === true
    if (name === UI_PORT && isPanel) onDisconnect.addListener(() => void onClosed().catch(report))
  })

  const isOpen = async (panel: number) => {
    const { runtime } = browser as unknown as Contexts
    const open = await runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })
    return open.some(({ documentUrl }) => documentUrl === `${page}#${panel}`)
  }

  return {
    beside: async tab => {
      // The tab may have been closed since it sent the request.
      const { windowId = null } = await browser.tabs.get(tab).catch(() => ({ windowId: undefined }))
      return windowId !== null && (await isOpen(windowId)) ? windowId : null
    },
    isOpen,
    show: async panel => void (await browser.windows.update(panel, { focused: true })),
  }
}
