/** The browser's own settings of the extension: the permission for notifications, and the keys of its commands. */
import type { BrowserSettings, Shortcut } from '../messages.ts'
import browser from './api.ts'

const NOTIFICATIONS = { permissions: ['notifications' as const] }

/** The commands of both manifests. */
const COMMANDS: Readonly<Record<string, Shortcut['does']>> = {
  _execute_action: 'open',
  'open-panel': 'panel',
  _execute_sidebar_action: 'panel',
}

/** Chromium's page for the keys of all extensions. Firefox has a function instead. */
const CHROMIUMS_PAGE = 'chrome://extensions/shortcuts'

/** A function that the polyfill's types lack. */
type Firefox = { commands: { openShortcutSettings?(): Promise<void> } }

export const createBrowserSettings = (): BrowserSettings => ({
  mayNotify: () => browser.permissions.contains(NOTIFICATIONS),
  askToNotify: () => browser.permissions.request(NOTIFICATIONS),
  shortcuts: async () =>
    (await browser.commands.getAll()).flatMap(({ name = '', shortcut: keys = '' }) => {
      const does = COMMANDS[name]
      return does ? [{ does, keys }] : []
    }),
  changeShortcuts: async () => {
    const { commands } = browser as unknown as Firefox
    if (commands.openShortcutSettings) await commands.openShortcutSettings()
    else await browser.tabs.create({ url: CHROMIUMS_PAGE })
  },
})
