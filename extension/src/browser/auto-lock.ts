/** Locks the wallet when nobody has used its pages for a while. An alarm, since a timer does not outlive the worker. */
import browser from 'webextension-polyfill'

const ALARM = 'auto-lock'
export const AUTO_LOCK_MINUTES = 15

/** Returns what to call whenever the person uses the wallet. */
export const createAutoLock = (lock: () => Promise<unknown>): (() => void) => {
  browser.alarms.onAlarm.addListener(async ({ name }) => {
    if (name === ALARM) await lock()
  })
  return () => void browser.alarms.create(ALARM, { delayInMinutes: AUTO_LOCK_MINUTES })
}
