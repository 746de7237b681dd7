/** Opens the panel on its keyboard command in Chromium. Firefox opens its sidebar itself. */
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

const COMMAND = 'open-panel'

/** A Chromium API that the polyfill's types lack. */
type Chromium = { sidePanel: { open(options: { windowId: number }): Promise<void> } }

/** Adds the listener. The browser opens a panel only while it handles the key press, so nothing is awaited before. */
export const openPanelOnCommand = (): void => {
  browser.commands.onCommand.addListener((command, tab) => {
    if (command !== COMMAND || tab?.windowId === undefined) return
    const { sidePanel } = browser as unknown as Chromium
    sidePanel.open({ windowId: tab.windowId }).catch(report)
  })
}
