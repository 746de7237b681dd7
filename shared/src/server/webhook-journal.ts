/**
 * How the calls to webhooks went, for people: by target over the last day. Targets are told apart by their origin, and
 * no more of an address is kept: what follows it may be a secret.
 */
import { quantile } from './histogram.ts'

const MS_OF_HOUR = 60 * 60 * 1000
const HOURS = 24
/** Targets of which account is kept; the one that was called longest ago makes room. */
const MOST_TARGETS = 200
/** Milliseconds. */
const DURATIONS = [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000, 30_000]

/** A call that was made. `attempt` counts from 0, `took` is in ms, `waiting` tells how many calls the target is owed. */
export type CallReport = {
  url: string
  attempt: number
  outcome: string
  /** The HTTP status of the answer, if there was one. */
  status: number | undefined
  took: number
  waiting: number
  /** When it is made again, in ms of Unix time, if it is. */
  retryAt: number | undefined
}

/** What was delivered in some time: how often, how often at once, and how long it took. */
type Tally = { delivered: number; first: number; durations: number[] }

const newTally = (): Tally => ({ delivered: 0, first: 0, durations: Array(DURATIONS.length + 1).fill(0) })

/** The last day, hour by hour. */
type Day = Map<number, Tally>

type Target = { last: CallReport; lastAt: number; day: Day }

const hourOf = (time: number): number => Math.floor(time / MS_OF_HOUR)

const count = (day: Day, { attempt, took }: CallReport, now: number): void => {
  const hour = hourOf(now)
  for (const past of day.keys()) if (past <= hour - HOURS) day.delete(past)
  const tally = day.get(hour) ?? newTally()
  day.set(hour, tally)
  tally.delivered += 1
  if (attempt === 0) tally.first += 1
  const bucket = DURATIONS.findIndex(most => took <= most)
  const at = bucket < 0 ? DURATIONS.length : bucket
  tally.durations[at] = (tally.durations[at] ?? 0) + 1
}

const sumOf = (day: Day, now: number): Tally => {
  const sum = newTally()
  for (const [hour, { delivered, first, durations }] of day) {
    if (hour <= hourOf(now) - HOURS) continue
    sum.delivered += delivered
    sum.first += first
    for (const [at, some] of durations.entries()) sum.durations[at] = (sum.durations[at] ?? 0) + some
  }
  return sum
}

/** A target after its last call, which was taken, is made again later, or was turned down for good. */
export type TargetState = {
  origin: string
  state: 'delivering' | 'retrying' | 'refusing'
  attempt: number
  waiting: number
  retryAt: number | undefined
  lastStatus: number | undefined
  lastAt: number
}

/** A target and what it took in the last day. */
export type TargetReport = TargetState & {
  delivered: number
  /** Of what was delivered, the share that took one attempt; undefined if nothing was. */
  firstTry: number | undefined
  /** Milliseconds. */
  median: number | undefined
}

export type WebhookJournal = {
  note: (report: CallReport) => void
  /** The targets called in the last day or owed a call: those in trouble first, then who was called last. */
  states: () => TargetState[]
  /** Adds what a target took; that costs more. */
  report: (state: TargetState) => TargetReport
  /** Calls delivered since the start. */
  delivered: () => number
  /** Of what was delivered in the last day, the share that took one attempt; undefined if nothing was. */
  firstTry: () => number | undefined
}

const stateOf = ({ outcome, retryAt }: CallReport): TargetState['state'] => {
  if (outcome === 'delivered') return 'delivering'
  return retryAt === undefined ? 'refusing' : 'retrying'
}

const share = ({ delivered, first }: Tally): number | undefined => (delivered === 0 ? undefined : first / delivered)

/** `now` is in ms of Unix time. */
export const createWebhookJournal = (now: () => number = Date.now): WebhookJournal => {
  const targets = new Map<string, Target>()
  const all: Day = new Map()
  let delivered = 0

  const targetState = (origin: string, { last, lastAt }: Target): TargetState => ({
    origin,
    state: stateOf(last),
    attempt: last.attempt,
    waiting: last.waiting,
    retryAt: last.retryAt,
    lastStatus: last.status,
    lastAt,
  })

  return {
    note: report => {
      const { origin } = new URL(report.url)
      const day = targets.get(origin)?.day ?? new Map()
      targets.delete(origin)
      targets.set(origin, { last: report, lastAt: now(), day })
      for (const oldest of targets.keys()) {
        if (targets.size <= MOST_TARGETS) break
        targets.delete(oldest)
      }
      if (report.outcome !== 'delivered') return
      delivered += 1
      count(day, report, now())
      count(all, report, now())
    },
    states: () => {
      const states = [...targets].map(([origin, target]) => targetState(origin, target))
      const isOld = ({ state, lastAt }: TargetState) => state !== 'retrying' && lastAt < now() - HOURS * MS_OF_HOUR
      const rank = ({ state }: TargetState) => (state === 'delivering' ? 1 : 0)
      return states
        .filter(state => !isOld(state))
        .sort((a, b) => rank(a) - rank(b) || b.lastAt - a.lastAt || a.origin.localeCompare(b.origin))
    },
    report: state => {
      const sum = sumOf(targets.get(state.origin)?.day ?? new Map(), now())
      const { delivered: taken, durations } = sum
      return { ...state, delivered: taken, firstTry: share(sum), median: quantile(DURATIONS, durations, 0.5) }
    },
    delivered: () => delivered,
    firstTry: () => share(sumOf(all, now())),
  }
}
