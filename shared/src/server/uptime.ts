/** For how long a service has been up, day by day in UTC, across restarts: kept in the store, to the minute. */
import type { Logger } from './log.ts'
import type { Store } from './storage/store.ts'

const MS_OF_DAY = 24 * 60 * 60 * 1000
const MS_OF_MINUTE = 60 * 1000
/** Days that are told, and kept: one more, so that the oldest told one is known to be whole. */
const DAYS = 30
const KEPT_DAYS = DAYS + 1
/** Milliseconds between two ticks beyond which the process was stopped or asleep. */
const LONGEST_TICK = 5000

/** Milliseconds: the first sign of life, in Unix time, and the time up. `peak`: most connections at once. */
type Day = { from: number; up: number; peak: number }

/** One day: `of` are the milliseconds of it that are accounted for, `up` those of them in which the service was up. */
export type DayReport = { day: string; up: number; of: number }

export type Uptime = {
  /** To be called once a second: whether the service does its work, and how many are connected. */
  tick: (isUp: boolean, connections: number) => void
  /** The last 30 days, the oldest first; of a day before the first start nothing is accounted for. */
  days: () => DayReport[]
  /** Most connections at once today. */
  peak: () => number
  /** Stores what is not stored yet. */
  save: () => Promise<void>
}

const numberOf = (time: number): number => Math.floor(time / MS_OF_DAY)

/** `now` is in ms of Unix time. */
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
      log.error({ err }, 'the time up was not stored')
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
