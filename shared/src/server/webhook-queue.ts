/**
 * Calls to webhooks, kept in the store until they are made: each is tried until its target takes it, with growing
 * pauses, for at most three days. A call that waits after a failure stands for all that say the same, and a target that
 * hangs or fails keeps nobody else's calls waiting.
 */
import { type Logger, topicMark } from './log.ts'
import type { Counter } from './metrics.ts'
import { NOBODY, type Payers, type Shares } from './shares.ts'
import type { Store } from './storage/store.ts'
import { type Call, createCallAccount, type QueueLimits } from './webhook-account.ts'
import type { Content } from './webhook-content.ts'
import type { WebhookJournal } from './webhook-journal.ts'
import type { Answer, Outcome, PostCall } from './webhook-post.ts'
import { createRefusals } from './webhook-refusals.ts'
import { createSchedule } from './webhook-schedule.ts'
import { type Owed, openCallStore } from './webhook-store.ts'

/** Milliseconds after the first failure; each further one doubles the pause, up to the longest. */
const FIRST_RETRY = 1000
const LONGEST_RETRY = 10 * 60 * 1000
/** Milliseconds after which a call that never succeeded is given up. */
const GIVE_UP = 3 * 24 * 60 * 60 * 1000
/** Milliseconds until a call is tried again for which its address had no room. */
const BUSY_PAUSE = 500

/** Calls for a topic that wait side by side, each for a message of its own. What comes beyond them is said by those. */
const ALIKE = 16

/** What is to be called. */
export type CallRequest = Pick<Owed, 'url' | 'registration' | 'key'> & {
  content: Content
  /** Who pays for the call while it waits. */
  payers?: Payers
}

export type WebhookQueue = {
  /**
   * Makes the call once it survives a crash, in one commit with what else is stored in this turn. Resolves then, or when
   * it was dropped because a bound is reached or the disk did not take it. Never rejects.
   */
  add: (request: CallRequest) => Promise<unknown>
  /** Gives up all that is owed on behalf of a registration; what is under way ends, and is not repeated. */
  cancel: (registration: string) => void
  /** Calls that wait or are under way. */
  size: () => number
  /** Begins no further call. What is owed stays in the store and is made after the next start. */
  close: () => void
}

export type QueueOptions = {
  store: Store
  log: Logger
  /** Counts calls by `outcome`. */
  outcomes: Counter
  journal: WebhookJournal
  post: PostCall
  limits: QueueLimits
  shares: Shares
  /** The target has taken a call of this content. */
  onDelivered?: (content: Content, url: string) => void
  /** The target wants no more of this content, or did not take it for three days. */
  onUnwanted: (content: Content, url: string) => void
  firstRetry?: number
}

/** A pause after the attempt of that number (from 0), half of it left to chance so that failures do not march in step. */
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
  const disk = openCallStore(store, log)
  const account = createCallAccount(limits, shares)
  const refusals = createRefusals()
  let isOpen = true
  let lastId = 0

  const lineUp = (call: Call): void => schedule.add(call.target, call, call.owed.dueAt)

  const forget = (call: Call): void => {
    account.leave(call)
    disk.remove(call.id)
  }

  /** Gives up a call that has not begun. */
  const withdraw = (call: Call): void => {
    if (account.takeUp(call)) forget(call)
  }

  /** Puts a call that was taken up back into the queue. It stands for those like it that came meanwhile. */
  const putBack = (call: Call, dueAt: number): void => {
    for (const same of account.waitingFor(call.owed.key)) withdraw(same)
    account.wait(call)
    call.owed.dueAt = dueAt
    lineUp(call)
  }

  const retry = (call: Call, now: number): void => {
    const { id, owed } = call
    putBack(call, now + pauseAfter(owed.attempt, firstRetry))
    owed.attempt += 1
    disk.update(id, owed)
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

  /** Challenges are counted by themselves, and are no deliveries to a target. */
  const tellChallenge = ({ outcome }: Answer): void =>
    outcomes.inc({ outcome: outcome === 'delivered' ? 'confirmed' : 'unconfirmed' })

  /** Tells how a call went that has been settled. */
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
    if (answer.status !== undefined) account.noteAnswer(call.target)
    if (!isOpen) return undefined
    const topic = 'topic' in content && { topic: topicMark(content.topic) }
    log.debug({ ...topic, outcome, attempt }, 'webhook called')
    if (call.isCancelled) forget(call)
    else settle(call, content, outcome)
    if ('challenge' in content) tellChallenge(answer)
    else if (outcome !== 'busy') tell(call, attempt, startedAt, answer)
    return outcome === 'busy' ? undefined : outcome !== 'unreachable'
  }

  /** Makes a call whose turn it is; says whether its target answered, and nothing when there was no call to make. */
  const run = async (call: Call): Promise<boolean | undefined> => {
    const { registration } = call.owed
    if (!account.takeUp(call)) return undefined
    const rest = refusals.restsUntil(registration)
    const content = disk.contentOf(call.id)
    if (rest > Date.now()) putBack(call, rest)
    else if (content) return make(call, content)
    else forget(call)
    return undefined
  }

  const schedule = createSchedule(run)

  for (const { id, owed } of disk.load()) {
    lastId = id
    lineUp(account.enter(id, owed, NOBODY))
  }

  /** The call that says what this one would, where none of its own is made. */
  const standIn = ({ key, content }: CallRequest): Call | undefined => {
    const [first, ...others] = account.waitingFor(key)
    const most = 'topic' in content ? ALIKE : 1
    return first && (first.owed.attempt > 0 || others.length + 1 >= most) ? first : undefined
  }

  const save = async (call: Call, content: Content): Promise<void> => {
    if (await disk.add(call.id, call.owed, content)) lineUp(call)
    else withdraw(call)
  }

  return {
    add: async asked => {
      const same = standIn(asked)
      if (same) return same.stored
      const { content, payers = NOBODY, ...request } = asked
      const size = Buffer.byteLength(JSON.stringify({ ...request, content }))
      if (!account.hasRoom(request.url, size, payers)) {
        outcomes.inc({ outcome: 'dropped' })
        return
      }
      lastId += 1
      const now = Date.now()
      const call = account.enter(lastId, { ...request, attempt: 0, firstAt: now, dueAt: now, size }, payers)
      call.stored = save(call, content)
      return call.stored
    },
    cancel: registration => {
      for (const call of account.callsOf(registration)) {
        call.isCancelled = true
        withdraw(call)
      }
    },
    size: account.size,
    close: () => {
      isOpen = false
      schedule.close()
    },
  }
}
