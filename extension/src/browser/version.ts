/** The version under which the extension is installed. */
import browser from './api.ts'

export const ownVersion = (): string => browser.runtime.getManifest().version
