/** Locks the wallet at a time that it names. An alarm, since a timer does not outlive the worker. */
import browser from './api.ts'

const ALARM = 'auto-lock'

/** Returns what sets the time, ms since 1970, in the place of the one before; null unsets it. */
export const createAutoLock = (lock: () => Promise<unknown>): ((time: number | null) => void) => {
  browser.alarms.onAlarm.addListener(async ({ name }) => {
    if (name === ALARM) await lock()
  })
  return time => void (time === null ? browser.alarms.clear(ALARM) : browser.alarms.create(ALARM, { when: time }))
}
