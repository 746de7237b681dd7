/** The version under which the extension is installed. */
import browser from 'webextension-polyfill'

export const ownVersion = (): string => browser.runtime.getManifest().version
