/** Uptime of a service per UTC day, across restarts. Stored about once a minute. */
import type { Logger } from '../process/log.ts'
import type { Store } from '../storage/store.ts'

const MS_OF_DAY = 24 * 60 * 60 * 1000
const MS_OF_MINUTE = 60 * 1000
/** Number of days reported. One earlier day is kept too, as proof that the oldest reported day is complete. */
const DAYS = 30
const KEPT_DAYS = DAYS + 1
/** Maximum milliseconds between two ticks. After a longer interval, the process was suspended. */
const LONGEST_TICK = 5000

/**
 * `from` is the Unix time of the first tick and `up` the uptime, in milliseconds. `peak` is
 * the maximum number of connections.
 */
type Day = { from: number; up: number; peak: number }

/** One day. `of` is the observed time and `up` the uptime within it, both in milliseconds. */
export type DayReport = { day: string; up: number; of: number }

export type Uptime = {
  /** Called once a second with whether the service works, and the number of connections. */
  tick: (isUp: boolean, connections: number) => void
  /** The last 30 days, oldest first. For a day before the first start `of` is 0. */
  days: () => DayReport[]
  /** Maximum number of concurrent connections today. */
  peak: () => number
  /** Stores pending changes. */
  save: () => Promise<void>
}

const numberOf = (time: number): number => Math.floor(time / MS_OF_DAY)

/** `now` returns Unix time in milliseconds. */
export const openUptime = (store: Store, log: Logger, now: () => number = Date.now): Uptime => {
  const table = store.table<Day, number>('days')
  const days = new Map<number, Day>()
  for (const [key, value] of table.entries()) days.set(key, value)
  let lastTick = now()
  let lastSave = lastTick

  const today = (): Day => {
    const number = numberOf(now())
    const day = days.get(number) ?? { from: now(), up: 0, peak: 0 }
    days.set(number, day)
    return day
  }
  today()

  const save = async (): Promise<void> => {
    lastSave = now()
    const number = numberOf(lastSave)
    const day = { ...today() }
    const past = [...days.keys()].filter(key => key <= number - KEPT_DAYS)
    for (const key of past) days.delete(key)
    try {
      await Promise.all([table.put(number, day), ...past.map(table.remove)])
    } catch (err) {
      log.error({ err }, 'storing the uptime failed')
    }
  }

  const reportOf = (number: number, first: number): DayReport => {
    const start = number * MS_OF_DAY
    const name = new Date(start).toISOString().slice(0, 10)
    if (number < first) return { day: name, up: 0, of: 0 }
    const known = days.get(number)
    const from = number === first ? (known?.from ?? start) : start
    const of = Math.max(Math.min(now(), start + MS_OF_DAY) - from, 0)
    return { day: name, up: Math.min(known?.up ?? 0, of), of }
  }

  return {
    tick: (isUp, connections) => {
      const time = now()
      const elapsed = time - lastTick
      lastTick = time
      const day = today()
      if (isUp && elapsed > 0 && elapsed <= LONGEST_TICK) day.up += elapsed
      day.peak = Math.max(day.peak, connections)
      if (time - lastSave >= MS_OF_MINUTE) void save()
    },
    days: () => {
      const last = numberOf(now())
      const first = Math.min(...days.keys(), last)
      return Array.from({ length: DAYS }, (_, index) => reportOf(last - DAYS + 1 + index, first))
    },
    peak: () => today().peak,
    save,
  }
}
