/** The browser's storage as the wallet's stores. `session` is in memory and closed to content scripts by default. */
import browser, { type Storage } from 'webextension-polyfill'
import type { Store, Stores } from '../wallet/store.ts'

const storeIn = (area: Storage.StorageArea): Store => ({
  get: async name => (await area.get(name))[name],
  set: (name, value) => area.set({ [name]: value }),
  remove: name => area.remove(name),
})

export const browserStores = (): Stores => ({
  local: storeIn(browser.storage.local),
  session: storeIn(browser.storage.session),
})
