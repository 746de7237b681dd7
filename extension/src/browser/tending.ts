/** Runs the wallet's background work repeatedly. Timers stop with the worker, so an alarm wakes it. */
import { report } from '../wallet/work/failures.ts'
import browser from './api.ts'

const ALARM = 'tending'
/** Shortest alarm period that the browser allows, in minutes. */
const ALARM_MINUTES = 0.5
const MINUTE = 60_000
/** Longest pause in ms that uses a timer. Longer pauses use the alarm. */
const LONGEST_PAUSE = 10_000

/**
 * Returns a function to call when there is new work. `tend` resolves with the ms until its next run, or null if nothing
 * is left.
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
      if (pause === null) await browser.alarms.clear(ALARM)
      else browser.alarms.create(ALARM, { periodInMinutes: Math.max(pause / MINUTE, ALARM_MINUTES) })
    } catch (error) {
      // The alarm stays set and triggers a retry.
      report(error)
    } finally {
      running = false
    }
  }

  browser.alarms.onAlarm.addListener(({ name }) => (name === ALARM ? run() : undefined))

  return () => {
    wanted = true
    browser.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES })
    void run()
  }
}
