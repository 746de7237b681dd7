/** Locks the wallet at a given time. Uses an alarm, because timers stop with the worker. */
import browser from './api.ts'

const ALARM = 'auto-lock'

/** Returns a function that sets the lock time (Unix ms), or clears it with null. */
export const createAutoLock = (lock: () => Promise<unknown>): ((time: number | null) => void) => {
  browser.alarms.onAlarm.addListener(async ({ name }) => {
    if (name === ALARM) await lock()
  })
  return time => void (time === null ? browser.alarms.clear(ALARM) : browser.alarms.create(ALARM, { when: time }))
}
