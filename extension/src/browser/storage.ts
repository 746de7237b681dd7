/** The wallet's stores in browser storage. */
import type { Storage } from 'webextension-polyfill'
import { registered } from '../wallet/storage/registry.ts'
import type { Store, Stores } from '../wallet/storage/store.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

/** Chromium API that the polyfill's types lack. In Firefox, content scripts can read `local` but not `session`. */
type Restricted = { setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void> }

/** Restricts an area to trusted contexts before the first read, because content scripts share a process with a page. */
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
