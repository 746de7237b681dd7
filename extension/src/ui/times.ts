/** Points in time as a person reads them, in the browser's locale. All times are ms since 1970. */
import { text } from './text.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const JUST_NOW = 10_000

export const formatTime = (time: number): string =>
  new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(time)

export const formatDay = (time: number): string =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' }).format(time)

const isSameDay = (one: number, other: number): boolean =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** "Connected today" or "Connected 12 Mar 2025". */
export const formatSince = (since: number, now: number): string =>
  isSameDay(since, now) ? text('connectedToday') : text('connectedOn', formatDay(since))

/** "just now", "12 s ago", "3 min ago"; the day and the time from an hour on. */
export const formatAgo = (time: number, now: number): string => {
  const age = now - time
  if (age < JUST_NOW) return text('justNow')
  const relative = new Intl.RelativeTimeFormat(undefined, { style: 'short' })
  if (age < MINUTE) return relative.format(-Math.floor(age / 1000), 'second')
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), 'minute')
  return `${formatDay(time)}, ${formatTime(time)}`
}
