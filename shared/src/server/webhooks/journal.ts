/**
 * Statistics of webhook calls for the status page, by target over the last day. A target is identified by its origin;
 * the rest of the URL may be a secret and is not kept.
 */
import { quantile } from '../metrics/histogram.ts'

const MS_OF_HOUR = 60 * 60 * 1000
const HOURS = 24
/** Maximum number of targets. Beyond it, the target called longest ago is dropped. */
const MAX_TARGETS = 200
/** Upper bounds of the duration buckets in milliseconds. */
const DURATIONS = [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000, 30_000]

/** A call that was made. `attempt` counts from 0, `took` is in ms, `waiting` is the number of calls queued for the target. */
export type CallReport = {
  url: string
  attempt: number
  outcome: string
  /** HTTP status of the response, if any. */
  status: number | undefined
  took: number
  waiting: number
  /** Unix time in ms of the next attempt, if there is one. */
  retryAt: number | undefined
}

/** Deliveries in a period: their number, the number at the first attempt, and counts by duration bucket. */
type Tally = { delivered: number; first: number; durations: number[] }

const newTally = (): Tally => ({ delivered: 0, first: 0, durations: Array(DURATIONS.length + 1).fill(0) })

/** Tallies of the last day by hour. */
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

/** A target's state after its last call, which was delivered, will be retried, or was rejected. */
export type TargetState = {
  origin: string
  state: 'delivering' | 'retrying' | 'refusing'
  attempt: number
  waiting: number
  retryAt: number | undefined
  lastStatus: number | undefined
  lastAt: number
}

/** A target with its deliveries of the last day. */
export type TargetReport = TargetState & {
  delivered: number
  /** Share of deliveries at the first attempt. Undefined without deliveries. */
  firstTry: number | undefined
  /** Median duration in milliseconds. */
  median: number | undefined
}

export type WebhookJournal = {
  note: (report: CallReport) => void
  /**
   * Returns targets that were called in the last day or will be retried: failing targets
   * first, then the most recent ones.
   */
  states: () => TargetState[]
  /** Adds a target's deliveries, which is more expensive to compute. */
  report: (state: TargetState) => TargetReport
  /** Calls delivered since start. */
  delivered: () => number
  /** Share of all deliveries of the last day at the first attempt. Undefined without deliveries. */
  firstTry: () => number | undefined
}

const stateOf = ({ outcome, retryAt }: CallReport): TargetState['state'] => {
  if (outcome === 'delivered') return 'delivering'
  return retryAt === undefined ? 'refusing' : 'retrying'
}

const share = ({ delivered, first }: Tally): number | undefined => (delivered === 0 ? undefined : first / delivered)

/** `now` returns Unix time in milliseconds. */
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
        if (targets.size <= MAX_TARGETS) break
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
