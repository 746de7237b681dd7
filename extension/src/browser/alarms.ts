/** Alarms, which wake a stopped worker, because its timers stop with it. */
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

const LOCK = 'auto-lock'

/** Locks the wallet at a given time. Returns a function that sets the lock time (Unix ms), or clears it with null. */
export const createAutoLock = (lock: () => Promise<unknown>): ((time: number | null) => void) => {
  browser.alarms.onAlarm.addListener(async ({ name }) => {
    if (name === LOCK) await lock()
  })
  return time => void (time === null ? browser.alarms.clear(LOCK) : browser.alarms.create(LOCK, { when: time }))
}

const TENDING = 'tending'
/** Shortest alarm period that the browser allows, in minutes. */
const ALARM_MINUTES = 0.5
const MINUTE = 60_000
/** Longest pause in ms that uses a timer. Longer pauses use the alarm. */
const LONGEST_PAUSE = 10_000

/**
 * Runs the wallet's background work repeatedly. Returns a function to call when there is new work. `tend` resolves with
 * the ms until its next run, or null if nothing is left.
 */
export const createTending = (tend: () => Promise<number | null>): (() => void) => {
  let running = false
  let wanted = false

  /** Repeats the work. Resolves when the next run is far away or not needed. */
  const tendAgainAndAgain = async () => {
    for (;;) {
      wanted = false
      const pause = await tend()
      if (wanted) continue
      if (pause === null || pause > LONGEST_PAUSE) return pause
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
  const run = async () => {
    if (running) return
    running = true
    try {
      const pause = await tendAgainAndAgain()
      if (pause === null) await browser.alarms.clear(TENDING)
      else browser.alarms.create(TENDING, { periodInMinutes: Math.max(pause / MINUTE, ALARM_MINUTES) })
    } catch (error) {
      // The alarm stays set and triggers a retry.
      report(error)
    } finally {
      running = false
    }
  }

  browser.alarms.onAlarm.addListener(({ name }) => (name === TENDING ? run() : undefined))

  return () => {
    wanted = true
    browser.alarms.create(TENDING, { periodInMinutes: ALARM_MINUTES })
    void run()
  }
}
