/**
 * A persistent queue of webhook calls. Retries each call with growing pauses for at most three days. At most 16 equal
 * calls of a topic are queued; beyond this, further messages add no call. While a call is queued for a retry, no equal
 * call is added. A slow or failing target does not delay calls to other targets.
 */

import { NOBODY, type Payers, type Shares } from '../limits/shares.ts'
import type { Counter } from '../metrics/metrics.ts'
import { type Logger, topicMark } from '../process/log.ts'
import { type Call, createCallLedger, type QueueLimits } from './call-ledger.ts'
import type { Content } from './content.ts'
import type { WebhookJournal } from './journal.ts'
import type { Answer, Outcome, PostCall } from './post.ts'
import { createRefusals } from './refusals.ts'
import { createSchedule } from './schedule.ts'
import type { CallStore, Owed } from './store.ts'

/** Milliseconds after the first failure. Each further failure doubles the pause, up to the longest. */
const FIRST_RETRY = 1000
const LONGEST_RETRY = 10 * 60 * 1000
/** Milliseconds after which a call that never succeeded is dropped. */
const GIVE_UP = 3 * 24 * 60 * 60 * 1000
/** Milliseconds until a call to a busy address is tried again. */
const BUSY_PAUSE = 500

/** Maximum number of queued equal calls of a topic. Beyond this, further messages add no call. */
const MOST_EQUAL = 16

/** A call to be made. */
export type CallRequest = Pick<Owed, 'url' | 'registration' | 'key'> & {
  content: Content
  /** The accounts charged while the call is queued. */
  payers?: Payers
}

export type WebhookQueue = {
  /**
   * Stores the call in this turn, and then makes it. Resolves when it is durable, or dropped because of a limit or a failed
   * write. Never rejects.
   */
  add: (request: CallRequest) => Promise<unknown>
  /** Drops all queued calls of a registration. Running calls finish and are not retried. */
  cancel: (registration: string) => void
  /** Number of queued and running calls. */
  size: () => number
  /** Stops starting calls. Queued calls stay in the store and are made after the next start. */
  close: () => void
}

export type QueueOptions = {
  store: CallStore
  log: Logger
  /** Counts calls by `outcome`. */
  outcomes: Counter
  journal: WebhookJournal
  post: PostCall
  limits: QueueLimits
  shares: Shares
  /** Called when a call was delivered. */
  onDelivered?: (content: Content, url: string) => void
  /** Called when a target unsubscribed, or failed for three days. */
  onUnwanted: (content: Content, url: string) => void
  firstRetry?: number
}

/** Returns the pause after an attempt (counted from 0) in milliseconds, with jitter, so that retries spread out. */
const pauseAfter = (attempt: number, first: number): number =>
  Math.min(first * 2 ** attempt, LONGEST_RETRY) * (0.5 + Math.random() / 2)

const isToBeRepeated = (outcome: Outcome): boolean => outcome === 'failed' || outcome === 'unreachable'

export const openWebhookQueue = (options: QueueOptions): WebhookQueue => {
  const {
    store,
    log,
    outcomes,
    journal,
    post,
    limits,
    shares,
    onDelivered,
    onUnwanted,
    firstRetry = FIRST_RETRY,
  } = options
  const ledger = createCallLedger(limits, shares)
  const refusals = createRefusals()
  let isOpen = true

  const lineUp = (call: Call): void => schedule.add(call.target, call, call.owed.dueAt)

  const forget = (call: Call): void => {
    ledger.leave(call)
    store.remove(call.id)
  }

  /** Drops a queued call. */
  const withdraw = (call: Call): void => {
    if (ledger.takeUp(call)) forget(call)
  }

  /** Puts a running call back into the queue. It replaces queued calls with the same content. */
  const putBack = (call: Call, dueAt: number): void => {
    for (const same of ledger.waitingFor(call.owed.key)) withdraw(same)
    ledger.wait(call)
    call.owed.dueAt = dueAt
    lineUp(call)
  }

  const retry = (call: Call, now: number): void => {
    const { id, owed } = call
    putBack(call, now + pauseAfter(owed.attempt, firstRetry))
    owed.attempt += 1
    store.update(id, owed)
  }

  const settle = (call: Call, content: Content, outcome: Outcome): void => {
    const { url, registration, firstAt } = call.owed
    const now = Date.now()
    if (outcome === 'delivered') refusals.taken(registration)
    if (outcome === 'refused' || outcome === 'blocked' || outcome === 'unconfirmed') refusals.refused(registration, now)
    const isLate = now - firstAt >= GIVE_UP
    if (outcome === 'busy') putBack(call, now + pauseAfter(0, BUSY_PAUSE))
    else if (isToBeRepeated(outcome) && !isLate) retry(call, now)
    else forget(call)
    if (outcome === 'delivered') onDelivered?.(content, url)
    if (outcome === 'gone' || (isToBeRepeated(outcome) && isLate)) onUnwanted(content, url)
  }

  /** Counts a challenge. Challenges do not count as deliveries. */
  const tellChallenge = ({ outcome }: Answer): void =>
    outcomes.inc({ outcome: outcome === 'delivered' ? 'confirmed' : 'unconfirmed' })

  /** Counts and reports the result of a call. */
  const tell = ({ target, owed }: Call, attempt: number, startedAt: number, { outcome, status }: Answer): void => {
    const now = Date.now()
    outcomes.inc({ outcome })
    journal.note({
      url: owed.url,
      attempt,
      outcome,
      status,
      took: now - startedAt,
      waiting: target.calls,
      retryAt: owed.dueAt > startedAt ? owed.dueAt : undefined,
    })
  }

  const make = async (call: Call, content: Content): Promise<boolean | undefined> => {
    const startedAt = Date.now()
    const { attempt } = call.owed
    const answer = await post(call.owed, content)
    const { outcome } = answer
    if (answer.status !== undefined) ledger.noteAnswer(call.target)
    if (!isOpen) return undefined
    const topic = 'topic' in content && { topic: topicMark(content.topic) }
    log.debug({ ...topic, outcome, attempt }, 'webhook called')
    if (call.isCancelled) forget(call)
    else settle(call, content, outcome)
    if ('challenge' in content) tellChallenge(answer)
    else if (outcome !== 'busy') tell(call, attempt, startedAt, answer)
    return outcome === 'busy' ? undefined : outcome !== 'unreachable'
  }

  /** Makes a call. Returns whether its target responded, or undefined if there was no call to make. */
  const run = async (call: Call): Promise<boolean | undefined> => {
    const { registration } = call.owed
    if (!ledger.takeUp(call)) return undefined
    const rest = refusals.restsUntil(registration)
    const content = store.contentOf(call.id)
    if (rest > Date.now()) putBack(call, rest)
    else if (content) return make(call, content)
    else forget(call)
    return undefined
  }

  const schedule = createSchedule(run)

  store.load((id, owed) => lineUp(ledger.enter(id, owed, NOBODY)))

  /** Returns a queued call that covers this one, if no further call is needed. */
  const covering = ({ key, content }: CallRequest): Call | undefined => {
    const [first, ...others] = ledger.waitingFor(key)
    const most = 'topic' in content ? MOST_EQUAL : 1
    return first && (first.owed.attempt > 0 || others.length + 1 >= most) ? first : undefined
  }

  const save = async (call: Call, content: Content): Promise<void> => {
    if (await store.add(call.id, call.owed, content)) lineUp(call)
    else withdraw(call)
  }

  return {
    add: async asked => {
      const cover = covering(asked)
      if (cover) return cover.stored
      const { content, payers = NOBODY, ...request } = asked
      const size = Buffer.byteLength(JSON.stringify({ ...request, content }))
      if (!ledger.hasRoom(request.url, size, payers)) {
        outcomes.inc({ outcome: 'dropped' })
        return
      }
      const now = Date.now()
      const call = ledger.enter(store.newId(), { ...request, attempt: 0, firstAt: now, dueAt: now, size }, payers)
      call.stored = save(call, content)
      return call.stored
    },
    cancel: registration => {
      for (const call of ledger.callsOf(registration)) {
        call.isCancelled = true
        withdraw(call)
      }
    },
    size: ledger.size,
    close: () => {
      isOpen = false
      schedule.close()
    },
  }
}
