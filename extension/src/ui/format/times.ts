/** Formats times in the language of the texts. All times are Unix time in ms. */
import { text, wordLocale } from './text.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const JUST_NOW = 10_000

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const CALENDAR = { day: 'numeric', month: 'short', year: 'numeric' } as const

export const formatTime = (time: number): string => new Intl.DateTimeFormat(wordLocale(), CLOCK).format(time)

export const formatDay = (time: number): string => new Intl.DateTimeFormat(wordLocale(), CALENDAR).format(time)

/** Formats a date less than a year away as "21 Nov". */
export const formatShortDay = (time: number): string =>
  new Intl.DateTimeFormat(wordLocale(), { day: 'numeric', month: 'short' }).format(time)

/** Formats a time as "21 Nov 2025, 14:32". */
export const formatMoment = (time: number): string =>
  new Intl.DateTimeFormat(wordLocale(), { ...CALENDAR, ...CLOCK }).format(time)

const isSameDay = (one: number, other: number): boolean =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** Returns "Connected today" or "Connected 12 Mar 2025". */
export const formatSince = (since: number, now: number): string =>
  isSameDay(since, now) ? text('connectedToday') : text('connectedOn', formatDay(since))

/** Formats a past time as "just now", "12 s ago" or "3 min ago"; as date and time after an hour. */
export const formatAgo = (time: number, now: number): string => {
  const age = now - time
  if (age < JUST_NOW) return text('justNow')
  const relative = new Intl.RelativeTimeFormat(wordLocale(), { style: 'short' })
  if (age < MINUTE) return relative.format(-Math.floor(age / 1000), 'second')
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), 'minute')
  return formatMoment(time)
}

/** Formats a distance in time as "in 30 min", or "12 days ago" for the past. */
export const formatDistance = (time: number, now: number): string => {
  const relative = new Intl.RelativeTimeFormat(wordLocale(), { style: 'short', numeric: 'always' })
  const ahead = time - now
  if (Math.abs(ahead) < HOUR) return relative.format(Math.trunc(ahead / MINUTE), 'minute')
  if (Math.abs(ahead) < 2 * DAY) return relative.format(Math.trunc(ahead / HOUR), 'hour')
  return relative.format(Math.trunc(ahead / DAY), 'day')
}
