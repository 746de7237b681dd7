/**
 * Calls to webhooks, kept in the store until they are made: each is tried until its target takes it, with growing
 * pauses, for at most three days. A target that hangs or fails keeps nobody else's calls waiting.
 */
import { type Logger, topicMark } from './log.ts'
import type { Metrics } from './metrics.ts'
import { BlockedTarget, postPublic, type TargetRules } from './public-fetch.ts'
import type { Store } from './store.ts'

/** Milliseconds after the first failure; each further one doubles the pause, up to the longest. */
const FIRST_RETRY = 1000
const LONGEST_RETRY = 60 * 60 * 1000
/** Milliseconds after which a call that never succeeded is given up. */
const GIVE_UP = 3 * 24 * 60 * 60 * 1000
/** Calls under way to one target. */
const TARGET_CONCURRENCY = 4
/** Calls kept for one target. They all say the same of a topic, so one more adds nothing. */
const TARGET_CALLS = 1000

/** Times are milliseconds of Unix time. */
type Stored = { topic: string; url: string; attempt: number; firstAt: number; dueAt: number }
type Call = Stored & { id: number }
type Target = { waiting: Call[]; active: number; kept: number }
type Outcome = 'delivered' | 'refused' | 'failed'

export type WebhookQueue = {
  /** Calls the URL soon with the topic. */
  add: (topic: string, url: string) => void
  /** Ends the calls under way; they stay in the store, and are made after the next start. */
  close: () => void
}

export type QueueOptions = { store: Store; log: Logger; metrics: Metrics; rules: TargetRules; firstRetry?: number }

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 500 ? 'failed' : 'refused'
}

/** A pause after the attempt of that number (from 0), half of it left to chance so that failures do not march in step. */
const pauseAfter = (attempt: number, firstRetry: number): number =>
  Math.min(firstRetry * 2 ** attempt, LONGEST_RETRY) * (0.5 + Math.random() / 2)

export const openWebhookQueue = ({
  store,
  log,
  metrics,
  rules,
  firstRetry = FIRST_RETRY,
}: QueueOptions): WebhookQueue => {
  const table = store.table<Stored, number>('webhook-calls', 'msgpack')
  const outcomes = metrics.counter('webhook_calls_total', 'Calls to webhooks by outcome', 'outcome')
  const targets = new Map<string, Target>()
  const timers = new Set<NodeJS.Timeout>()
  const closing = new AbortController()
  let lastId = 0

  const keep = ({ id, ...stored }: Call): void => {
    store.write([() => table.put(id, stored)]).catch(err => log.error({ err }, 'a webhook call was not stored'))
  }

  const targetOf = ({ url }: Stored): Target => {
    const { origin } = new URL(url)
    const target = targets.get(origin) ?? { waiting: [], active: 0, kept: 0 }
    targets.set(origin, target)
    return target
  }

  const forget = (call: Call, target: Target): void => {
    store.write([() => table.remove(call.id)]).catch(err => log.error({ err }, 'a webhook call was not removed'))
    target.kept -= 1
    if (target.kept === 0) targets.delete(new URL(call.url).origin)
  }

  const post = async ({ topic, url }: Call): Promise<Outcome> => {
    try {
      return outcomeOf(await postPublic(new URL(url), JSON.stringify({ topic }), rules, closing.signal))
    } catch (thrown) {
      return thrown instanceof BlockedTarget ? 'refused' : 'failed'
    }
  }

  const make = async (call: Call, target: Target): Promise<void> => {
    target.active += 1
    const outcome = await post(call)
    target.active -= 1
    if (closing.signal.aborted) return
    outcomes.inc({ outcome })
    log.debug({ topic: topicMark(call.topic), outcome, attempt: call.attempt }, 'webhook called')
    const now = Date.now()
    if (outcome === 'failed' && now - call.firstAt < GIVE_UP) {
      const retry = { ...call, attempt: call.attempt + 1, dueAt: now + pauseAfter(call.attempt, firstRetry) }
      keep(retry)
      schedule(retry, target)
    } else {
      forget(call, target)
    }
    makeWaiting(target)
  }

  const makeWaiting = (target: Target): void => {
    while (target.active < TARGET_CONCURRENCY) {
      const call = target.waiting.shift()
      if (!call) return
      void make(call, target)
    }
  }

  const schedule = (call: Call, target: Target): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        target.waiting.push(call)
        makeWaiting(target)
      },
      Math.max(call.dueAt - Date.now(), 0),
    )
    timers.add(timer)
  }

  const take = (call: Call): void => {
    const target = targetOf(call)
    target.kept += 1
    schedule(call, target)
  }

  for (const { key, value } of table.getRange()) {
    lastId = key
    take({ ...value, id: key })
  }

  return {
    add: (topic, url) => {
      const now = Date.now()
      const call = { id: lastId + 1, topic, url, attempt: 0, firstAt: now, dueAt: now }
      if (targetOf(call).kept >= TARGET_CALLS) {
        outcomes.inc({ outcome: 'dropped' })
        return
      }
      lastId = call.id
      keep(call)
      take(call)
    },
    close: () => {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
