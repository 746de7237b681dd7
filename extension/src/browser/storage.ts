/** The browser's storage as the wallet's stores. */
import type { Storage } from 'webextension-polyfill'
import { report } from '../wallet/failures.ts'
import { registered } from '../wallet/registry.ts'
import type { Store, Stores } from '../wallet/store.ts'
import browser from './api.ts'

/** What Chromium has beyond the polyfill's types. Firefox shows `local` to content scripts, and `session` to none. */
type Restricted = { setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void> }

/** Closes an area to content scripts, which share their process with a page. Nothing is read before that. */
const storeIn = (area: Storage.StorageArea & Restricted): Store => {
  const closed = area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(report)
  return {
    get: async name => {
      await closed
      return (await area.get(name))[name]
    },
    set: async (name, value) => {
      await closed
      await area.set({ [name]: value })
    },
    remove: async name => {
      await closed
      await area.remove(name)
    },
  }
}

export const browserStores = (): Stores =>
  registered({ local: storeIn(browser.storage.local), session: storeIn(browser.storage.session) })
