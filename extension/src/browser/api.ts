/**
 * The browser API, available only by importing this module. The global objects keep only the i18n texts, so
 * that other code in the same context can't reach the wallet's storage, ports or windows.
 */
import browser from 'webextension-polyfill'

const NAMES = ['browser', 'chrome']

const getMessage = (key: string, values: string[]): string => browser.i18n.getMessage(key, values)
const texts = Object.freeze({ i18n: Object.freeze({ getMessage }) })

for (const name of NAMES)
  Reflect.defineProperty(globalThis, name, { value: texts, writable: false, configurable: false })

export default browser
