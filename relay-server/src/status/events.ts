/** Recent events for the relay's status page. They contain no topics, clients or addresses. */
import type { TargetState } from '@heliograph/shared/server/webhooks/journal'

/** `at` is Unix time in milliseconds. */
export type Event = { at: number; level: 'ok' | 'warn'; text: string }

export type Events = {
  /** Adds an event, or updates the one with the same key. */
  note: (level: Event['level'], text: string, key?: string) => void
  /** Newest first. */
  list: () => Event[]
}

export const createEvents = (size: number, now: () => number = Date.now): Events => {
  const events: (Event & { key: string | undefined })[] = []
  return {
    note: (level, text, key) => {
      const before = key === undefined ? -1 : events.findIndex(event => event.key === key)
      if (before >= 0) events.splice(before, 1)
      events.unshift({ at: now(), level, text, key })
      if (events.length > size) events.pop()
    },
    list: () => events.map(({ at, level, text }) => ({ at, level, text })),
  }
}

/** Deliveries count as slow while their 99th percentile in milliseconds is above this. */
const SLOW = 250
/** Minimum number of deliveries for a meaningful percentile. */
const ENOUGH = 20
const MS_OF_HOUR = 60 * 60 * 1000
const KB = 1024

export type StatusEvents = {
  /** Called once a second with the reason why the store refuses writes, if it does. */
  store: (failure: string | undefined) => void
  webhooks: (targets: readonly TargetState[]) => void
  /** Called with the number of recent deliveries and their 99th percentile in ms. */
  latency: (count: number, p99: number | undefined) => void
  expired: (messages: number, bytes: number) => void
}

const hostOf = (origin: string): string => new URL(origin).host

const sizeOf = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(KB)), units.length - 1)
  return `${Number((bytes / KB ** power).toFixed(power === 0 ? 0 : 1))} ${units[power]}`
}

const durationOf = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** `now` returns Unix time in milliseconds. */
export const createStatusEvents = ({ note }: Events, now: () => number = Date.now): StatusEvents => {
  let failing: string | undefined
  let slowSince: number | undefined
  /** Origins of failing webhooks, with the number of the attempt that was reported last. */
  const troubled = new Map<string, number>()
  let hour = 0
  const gone = { messages: 0, bytes: 0 }

  const tellTrouble = ({ origin, lastStatus, attempt }: TargetState): void => {
    if (troubled.get(origin) === attempt) return
    troubled.set(origin, attempt)
    const what = lastStatus === undefined ? 'did not answer' : `answered ${lastStatus}`
    note('warn', `Webhook ${hostOf(origin)} ${what}, retry ${attempt + 1}`, `webhook ${origin}`)
  }

  return {
    store: failure => {
      if (failure === failing) return
      failing = failure
      if (failure === undefined) note('ok', 'The store accepts writes again')
      else note('warn', `The store refuses writes: ${failure}`)
    },

    webhooks: targets => {
      const stateOf = new Map(targets.map(({ origin, state }) => [origin, state]))
      for (const target of targets) if (target.state === 'retrying') tellTrouble(target)
      for (const origin of troubled.keys()) {
        const state = stateOf.get(origin)
        if (state === 'retrying') continue
        troubled.delete(origin)
        if (state === 'delivering') note('ok', `Webhook ${hostOf(origin)} accepts calls again`)
      }
    },

    latency: (count, p99) => {
      if (count < ENOUGH || p99 === undefined) return
      if (p99 > SLOW) {
        slowSince ??= now()
        const lasting = now() - slowSince
        const howLong = lasting > 0 ? ` for ${durationOf(lasting)}` : ''
        note('warn', `p99 latency above ${SLOW} ms${howLong}`, `slow since ${slowSince}`)
      } else if (slowSince !== undefined) {
        slowSince = undefined
        note('ok', 'Latency back to normal')
      }
    },

    expired: (messages, bytes) => {
      if (messages === 0) return
      const thisHour = Math.floor(now() / MS_OF_HOUR)
      if (thisHour !== hour) {
        hour = thisHour
        gone.messages = 0
        gone.bytes = 0
      }
      gone.messages += messages
      gone.bytes += bytes
      const many = gone.messages === 1 ? 'message' : 'messages'
      note(
        'ok',
        `Expired ${gone.messages.toLocaleString('en')} ${many}, ${sizeOf(gone.bytes)} of mailbox`,
        `expired ${hour}`,
      )
    },
  }
}
