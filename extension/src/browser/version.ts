/** The installed version of the extension. */
import browser from './api.ts'

export const ownVersion = (): string => browser.runtime.getManifest().version
