/** The browser's own settings of the extension, for the components of the settings page. */
import { getContext } from 'svelte'
import type { BrowserSettings } from '../../messages.ts'

const SETTINGS = Symbol('browser settings')

/** Returns the part of the root component's context that holds the settings. */
export const browserSettingsContext = (settings: BrowserSettings): ReadonlyMap<symbol, BrowserSettings> =>
  new Map([[SETTINGS, settings]])

/** Returns the settings. Call it during component initialization. */
export const useBrowserSettings = (): BrowserSettings => getContext<BrowserSettings>(SETTINGS)
