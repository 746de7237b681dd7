/** Calls the wallet back to what it must look after. Timers go with the worker, so an alarm wakes it and begins anew. */
import { report } from '../wallet/failures.ts'
import browser from './api.ts'

const ALARM = 'tending'
/** The shortest that the browser offers. */
const ALARM_MINUTES = 0.5
const MINUTE = 60_000
/** Longer pauses are left to the alarm, in ms. */
const LONGEST_PAUSE = 10_000

/** `tend` resolves with the pause until the next time in ms, or null. Returns what to call when there is something to do. */
export const createTending = (tend: () => Promise<number | null>): (() => void) => {
  let running = false
  let wanted = false

  /** Resolves when the next time is far, or there is none. */
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
      // The alarm stays, so it is tried again.
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
