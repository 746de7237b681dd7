/**
 * The lifecycle of requests. Each is handled exactly once, from arrival through the user's decision to the response,
 * even if the worker stops. Requests are kept in the session store, and a repeated request joins the stored one.
 */
import { type Failure, toFailure } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { TransactionEdit } from '../../messages.ts'
import { isUnavailable } from '../networks/node.ts'
import type { Requester } from '../sites/sites.ts'
import { report, rpcError, toRpcError, withoutNode } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'
import { type AskedCall, type Drafting, MAX_PARAMS } from './draft.ts'
import type { SiteQueues } from './gate.ts'
import {
  assertRevision,
  type Decision,
  type Draft,
  isDecided,
  keyOf,
  type Outcome,
  type Requests,
  resultOf,
  type WalletRequest,
} from './store.ts'

export type Desk = {
  /**
   * Handles a call and resolves with its result. A call with the key of a request in progress joins it. Throws
   * RpcError.
   */
  handle(requester: Requester, asked: AskedCall): Promise<unknown>
  /**
   * Approves a request in the window, once. `shown` is the revision that the user saw; throws -32602 if the request has
   * changed since. The window stays open until the outcome is known, but for at most OUTCOME_TIME.
   * Resolves with the error if the request failed within that time; the window then stays open to show it. Otherwise
   * resolves with null once the window is released, or shows the request again. A request that is already decided keeps
   * its decision.
   */
  approve(key: string, accounts: readonly Address[], shown?: number): Promise<Failure | null>
  /**
   * Ends a request without approving it, even while it is being prepared. The error is 4001, unless a failure is given.
   * Does nothing if the request is decided or unknown.
   */
  end(key: string, failure?: Failure): Promise<void>
  /** Ends a peer's request that has expired. The window stays open and says so. */
  expire(key: string): Promise<void>
  /** Ends all requests of a closed page. */
  abandon(keys: readonly string[]): Promise<void>
  /**
   * Reviews an open request again with the user's changes. Throws -32602 if it is already decided or cannot be changed.
   */
  edit(key: string, edit: TransactionEdit): Promise<void>
  /** Checks pending requests again after an unlock, which completes some of them and makes others invalid. */
  settleUnlocked(): Promise<void>
  /** Starts missing reviews of requests that wait for their node, and aborts reviews that are no longer needed. */
  reviewWaiting(): Promise<void>
  /** Executes decided requests that were unfinished when the worker stopped. */
  resume(): Promise<void>
  /** Resolves to true until the decided requests are executed and their sites have the outcomes. */
  isActing(): Promise<boolean>
}

export type DeskParts = {
  requests: Requests
  drafting: Drafting
  /** Limits how many of a site's calls start concurrently. */
  inQueue: SiteQueues
  /** Returns the panel that shows a new request, or null for the window. */
  panelOf(request: WalletRequest): Promise<number | null>
  /** Shows the pending requests because a new one has arrived. */
  show(request: WalletRequest): Promise<void>
  /** Shows the pending requests if they are hidden. Does not focus the window if it is open. */
  showAgain(request: WalletRequest): Promise<void>
  /** Hides the window if neither a request nor a proposal is left. */
  hide(): Promise<void>
  isUnlocked(): Promise<boolean>
  /** Called with a request's outcome, before the site receives it. */
  onEnd(request: WalletRequest, outcome: Outcome): Promise<void>
}

/** What this worker is doing for a request. */
type Live = {
  /** The call that waits for the answer. `isWanted` is false once no caller waits for it. */
  call?: { answer: Promise<unknown>; tell(outcome: Outcome): void; isWanted: boolean }
  /** Execution of the decision. */
  step?: Promise<void>
  /** Aborts the running review. It is aborted by a new review, or when the request ends. */
  review?: AbortController
  /**
   * Set while the window waits for the outcome. The outcome or the end of OUTCOME_TIME removes it, whichever comes
   * first, and then hides the window unless requests are left. The window stays after a failure, or if the request is
   * shown again.
   */
  watched?: true
}

/** Maximum time in ms for which the window waits for an approval's outcome. */
export const OUTCOME_TIME = 2_000

export const EXPIRED = toFailure(rpcError('userRejected', 'undecidedInTime'))
export const REVOKED = toFailure(rpcError('userRejected', 'siteDisconnected'))

const approved = (accounts: readonly Address[]): Decision => ({ approve: true, accounts })
const rejected = (failure?: Failure): Decision => ({ approve: false, accounts: [], ...(failure && { failure }) })

/** Returns the error for a rejected request. EIP-5792 has a code for an upgrade that the site asked for. */
const rejectionOf = ({ effect }: WalletRequest) =>
  effect.kind === 'calls' && effect.together?.upgrades && !effect.together.isChosen
    ? rpcError('upgradeRejected', 'upgradeRejected')
    : rpcError('userRejected')

const isWaitingForNode = ({ findings }: Pick<WalletRequest, 'findings'>): boolean =>
  findings.some(({ name }) => name === 'waitingForNode')

/** Resolves when the task completes, or after `ms` milliseconds. Rejects if the task does. */
const within = (ms: number, task: Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Tracks what this worker is doing for each request, by key. A request without anything left to do has no entry. */
const createLives = () => {
  const lives = new Map<string, Live>()
  return {
    of: (key: string): Live => lives.get(key) ?? {},
    put: (key: string, part: Live) => void lives.set(key, { ...lives.get(key), ...part }),
    /** Removes a part and returns it. */
    take: <P extends keyof Live>(key: string, part: P): Live[P] => {
      const { [part]: taken, ...rest } = lives.get(key) ?? {}
      if (Object.keys(rest).length > 0) lives.set(key, rest)
      else lives.delete(key)
      return taken
    },
    all: (): readonly (readonly [string, Live])[] => [...lives],
  }
}

export const createDesk = (parts: DeskParts): Desk => {
  const { requests, drafting, inQueue, panelOf, show, showAgain, hide, isUnlocked, onEnd } = parts
  const lives = createLives()
  /**
   * Serializes showing and hiding; each checks the pending requests when it runs. `show` and `hide` also have queues of
   * their own, because proposals and the user open the window too. Tasks in those queues never wait for this queue.
   */
  const inWindowTurn = createSerialQueue()
  const hideIfDone = () => inWindowTurn(hide)

  const openOf = async (key: string) => (await requests.open()).find(request => request.key === key)

  const assertWanted = (key: string) => () => {
    if (lives.of(key).call?.isWanted === false) throw rpcError('userRejected')
  }

  // Arrival

  const present = async (key: string, how: (request: WalletRequest) => Promise<void>) => {
    try {
      await inWindowTurn(async () => {
        const request = await openOf(key)
        if (request) await how(request)
      })
    } catch (error) {
      // A request that cannot be shown cannot be decided, so it must not stay pending.
      await end(key)
      throw error
    }
  }

  /** Joins the stored request: shows it, or finishes it if it is decided. Resolves with false if it does not exist. */
  const joinStored = async (key: string): Promise<boolean> => {
    if (!(await requests.get(key))) return false
    await present(key, showAgain)
    if (!(await openOf(key))) await settle(key)
    return true
  }

  /** Starts a request. Returns the answer, or a read that returns the answer, or null once the request is shown. */
  const enter = async (key: string, requester: Requester, asked: AskedCall) => {
    assertWanted(key)()
    const begun = await drafting.begin(requester, asked, assertWanted(key))
    if (!('draft' in begun)) return begun
    // Joins a stored request even if the site's network has changed since, and the new network lacks the method.
    if (await joinStored(key)) return null
    const request = await begun.draft()
    if ('answer' in request) return request
    const panel = await panelOf(request)
    assertWanted(key)()
    await requests.add(panel === null ? request : { ...request, panel })
    await present(key, show)
    return null
  }

  const answerTo = async (key: string, requester: Requester, asked: AskedCall, outcome: Promise<Outcome>) => {
    if ((JSON.stringify(asked.params)?.length ?? 0) > MAX_PARAMS)
      throw rpcError('limitExceeded', 'requestTooLong', { place: 'params', limit: MAX_PARAMS })
    // Queued first, so a site over its limit does not cause any reads of the stores.
    const begun = await inQueue(requester.origin, () => enter(key, requester, asked))
    if (begun === null) return resultOf(await outcome)
    return 'read' in begun ? begun.read() : begun.answer
  }

  const handle: Desk['handle'] = (requester, asked) => {
    const key = keyOf(requester.origin, asked.id)
    const joined = lives.of(key).call
    if (joined) return joined.answer
    let tell: (outcome: Outcome) => void = () => {}
    const outcome = new Promise<Outcome>(resolve => {
      tell = resolve
    })
    const answer = Promise.resolve()
      .then(() => answerTo(key, requester, asked, outcome))
      .catch((error: unknown) => {
        throw withoutNode(toRpcError(error))
      })
      .finally(() => void lives.take(key, 'call'))
    lives.put(key, { call: { answer, tell, isWanted: true } })
    return answer
  }

  // Decision

  const outcomeOf = async (request: WalletRequest): Promise<Outcome | { draft: Draft }> => {
    const { key, decision } = request
    if (!decision?.approve) return { error: decision?.failure ?? toFailure(rejectionOf(request)) }
    try {
      return await drafting.act(request, assertWanted(key))
    } catch (error) {
      return { error: toFailure(toRpcError(error)) }
    }
  }

  /** Executes an approved request, ends a rejected one, or repeats the stored outcome. */
  const settleStored = async (key: string): Promise<'done' | 'reopened'> => {
    // Read again, because another call may have finished the request in the meantime.
    const request = await requests.get(key)
    if (!request) return 'done'
    const outcome = 'outcome' in request ? request.outcome : await outcomeOf(request)
    if ('draft' in outcome) {
      lives.take(key, 'watched')
      await requests.reopen(key, outcome.draft)
      return 'reopened'
    }
    // Responds even if the answer cannot be stored: executing the request again has the same result.
    if (!('outcome' in request)) {
      await onEnd(request, outcome).catch(report)
      await requests.finish(key, outcome).catch(report)
    }
    // Hides the window before responding, so the site's next request opens a new one. A failure stays visible.
    if (lives.take(key, 'watched') && 'result' in outcome) await hideIfDone().catch(report)
    lives.of(key).call?.tell(outcome)
    return 'done'
  }

  const settle = (key: string): Promise<void> => {
    const running = lives.of(key).step
    if (running) return running
    const settled = settleStored(key).finally(() => void lives.take(key, 'step'))
    // The step is removed before the request is shown again, so a new decision can be executed.
    const step = settled.then(end => (end === 'reopened' ? present(key, show) : undefined))
    lives.put(key, { step })
    return step
  }

  const settleInTime = async (key: string) => {
    lives.put(key, { watched: true })
    await within(OUTCOME_TIME, settle(key))
    if (lives.take(key, 'watched')) await hideIfDone()
  }

  /** Stores a decision and executes it. `updateWindow` runs before the execution. */
  const decide = async (key: string, decision: Decision, updateWindow: () => Promise<void>) => {
    if (!(await requests.decide(key, decision))) return
    try {
      await updateWindow()
    } finally {
      await settle(key)
    }
  }

  /** Marks the call's answer as unwanted when its request has ended, even while it is being prepared. */
  const unwant = (key: string) => {
    const { call } = lives.of(key)
    if (call) call.isWanted = false
  }

  const end: Desk['end'] = (key, failure) => {
    unwant(key)
    return decide(key, rejected(failure), hideIfDone)
  }

  const approve: Desk['approve'] = async (key, accounts, shown) => {
    await requests.decide(key, approved(accounts), shown)
    const decided = await requests.get(key)
    if (decided && isDecided(decided)) await settleInTime(key)
    const ended = await requests.get(key)
    return ended && 'outcome' in ended && 'error' in ended.outcome ? ended.outcome.error : null
  }

  // Reviews of stored requests

  const reviewAgain = async (key: string, edit: TransactionEdit, signal: AbortSignal) => {
    const request = await openOf(key)
    if (!request) throw rpcError('invalidParams', 'requestGone')
    const draft = await drafting.edit(request, edit, signal)
    // Checks the revision, so that a concurrent edit is not overwritten.
    const revised = await requests.revise(key, current => {
      assertRevision(current, request.revision)
      return draft
    })
    if (!revised) throw rpcError('invalidParams', 'requestDecided')
  }

  const edit: Desk['edit'] = async (key, change) => {
    lives.of(key).review?.abort()
    const review = new AbortController()
    lives.put(key, { review })
    try {
      await reviewAgain(key, change, review.signal)
    } finally {
      if (lives.of(key).review === review) lives.take(key, 'review')
    }
  }

  /** Returns the open requests if they can be reviewed, which requires an unlocked wallet. */
  const reviewable = async () => ((await isUnlocked()) ? requests.open() : [])

  const findWaiting = async (key: string) =>
    (await reviewable()).find(request => request.key === key && isWaitingForNode(request))

  /** Shows that the node is unreachable, or ends the request if the review found it invalid. */
  const giveUp = async (request: WalletRequest, error: unknown) => {
    if (!isUnavailable(error)) return end(request.key, toFailure(toRpcError(error)))
    const finding = await drafting.unreachable(request)
    await requests.revise(request.key, current => ({
      ...current,
      findings: current.findings.map(found => (found.name === 'waitingForNode' ? finding : found)),
    }))
  }

  /** Reviews a request that waits for its node, unless a review is already running. */
  const reviewOne = async (key: string): Promise<void> => {
    const before = await findWaiting(key)
    if (!before || lives.of(key).review) return
    try {
      await edit(key, {})
    } catch (error) {
      const now = await findWaiting(key)
      // Another review has replaced this one, or the request no longer exists.
      if (!now || lives.of(key).review) return
      if (now.revision !== before.revision) return reviewOne(key)
      await giveUp(now, error)
    }
  }

  return {
    handle,
    approve,
    end,
    expire: async key => {
      unwant(key)
      await decide(key, rejected(EXPIRED), async () => {})
    },
    abandon: async keys => {
      const gone = new Set(keys)
      for (const key of gone) unwant(key)
      const shown = (await requests.open()).filter(({ key }) => gone.has(key))
      await Promise.all(shown.map(({ key }) => end(key)))
    },
    edit,
    settleUnlocked: async () => {
      const settleOne = async (request: WalletRequest) => {
        const { key, effect } = request
        // The request only asked for the unlock, so the unlock approves it. It may need a decision nevertheless, and is
        // then shown in the same window.
        if (effect.kind === 'unlock') {
          if (await requests.decide(key, approved([]))) await settleInTime(key)
          return
        }
        await drafting.assertAllowed(request).catch(error => end(key, toFailure(toRpcError(error))))
      }
      await Promise.all((await reviewable()).map(settleOne))
    },
    reviewWaiting: async () => {
      const open = await reviewable()
      for (const [key, { review }] of lives.all()) if (!open.some(request => request.key === key)) review?.abort()
      const left = open.filter(request => isWaitingForNode(request) && !lives.of(request.key).review)
      await Promise.all(left.map(({ key }) => reviewOne(key)))
    },
    resume: async () => {
      const decided = await requests.unfinished()
      // The window of an approved request may still be open and wait for the outcome, so it is not hidden at once.
      const resumeOne = ({ key, decision }: WalletRequest) => (decision?.approve ? settleInTime(key) : settle(key))
      if (decided.some(({ decision }) => !decision?.approve)) hideIfDone().catch(report)
      await Promise.all(decided.map(resumeOne))
    },
    isActing: async () => lives.all().some(([, { step }]) => step) || (await requests.unfinished()).length > 0,
  }
}
