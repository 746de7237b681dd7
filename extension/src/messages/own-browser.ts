/** What single pages of the wallet get from the browser: the window around the panel, and the browser's own settings. */
import type { ActiveSite } from './wallet.ts'

export type PanelWindow = {
  /** Resolves with the panel's id, which is its window's; null if the page is in a tab instead. */
  panel: Promise<number | null>
  /**
   * Calls the listener with the site in the window's active tab, now and after each change. Returns a function that
   * stops it.
   */
  watchSite(listener: (site: ActiveSite | null) => void): () => void
}

/** A keyboard command, and its keys as the browser writes them. Without keys, `keys` is empty. */
export type Shortcut = { does: 'open' | 'panel'; keys: string }

export type BrowserSettings = {
  /** Resolves to true if the browser shows the wallet's notifications. */
  mayNotify(): Promise<boolean>
  /** Asks the user to allow notifications. Resolves to true if they are allowed. Call it in the handler of a press. */
  askToNotify(): Promise<boolean>
  shortcuts(): Promise<readonly Shortcut[]>
  /** Opens the browser's page on which the user can change the keys. */
  changeShortcuts(): Promise<void>
}
