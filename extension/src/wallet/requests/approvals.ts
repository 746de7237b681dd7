/**
 * Handles each request exactly once from arrival through the person's decision to the response, even if the worker stops:
 * requests are kept in the session store, and a repeated request joins the stored one.
 */
import { type Failure, toFailure } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import { rpcError } from '../text/errors.ts'
import { report, toRpcError } from '../work/failures.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import type { InProgress } from './in-progress.ts'
import { type Decision, type Draft, isDecided, type Outcome, type Requests, type WalletRequest } from './requests.ts'

export type Approvals = {
  /**
   * Shows the stored request with this key, or the one that `make` returns, and resolves with null; its outcome is then passed
   * to `inProgress.tell`. If `make` returns an answer, shows nothing and resolves with that.
   */
  ask(key: string, make: () => Promise<WalletRequest | { answer: unknown }>): Promise<{ answer: unknown } | null>
  /**
   * Approves a request in the window, once. `shown` is the revision that the person saw; throws -32602 if the request has
   * changed since. The window stays open until the outcome is known, at most for OUTCOME_TIME. Resolves with the error if
   * the request failed by then, and the window stays open to show it. Otherwise resolves with null once the window is
   * given up, or shows the request again. A request that is decided already keeps its decision.
   */
  accept(key: string, accounts: readonly Address[], shown?: number): Promise<Failure | null>
  /** Rejects a request, with 4001 unless a failure is given. Does nothing if it is decided or unknown. */
  reject(key: string, failure?: Failure): Promise<void>
  /** Continues a request that only waited for the unlock. */
  release(key: string): Promise<void>
  /** Rejects a request that is no longer wanted, even while it is still being prepared. */
  withdraw(key: string, failure?: Failure): Promise<void>
  /** Rejects all requests of a closed page. */
  abandon(keys: readonly string[]): Promise<void>
  /** Rejects a peer's request that expired. The window stays open and says so. */
  expire(key: string): Promise<void>
  /** Carries out decided requests that were not finished when the worker stopped. */
  resume(): Promise<void>
  /** True until the decided requests are carried out and their sites have the outcomes. */
  isActing(): Promise<boolean>
}

export type ApprovalsParts = {
  requests: Requests
  inProgress: Pick<InProgress, 'tell' | 'withdraw' | 'assertWanted'>
  /** Shows the pending requests because of a new one. */
  show(request: WalletRequest): Promise<void>
  /** Shows the pending requests if they are hidden, without taking focus otherwise. */
  showAgain(request: WalletRequest): Promise<void>
  /** Hides the window if neither a request nor a proposal is left. */
  hide(): Promise<void>
  /** Carries out an approved request. Resolves with a draft if it must be decided again. Throws if it fails. */
  carryOut(request: WalletRequest): Promise<{ result: unknown } | { draft: Draft }>
  /** Called with the outcome of a request, before the site gets it. */
  onEnd(request: WalletRequest, outcome: Outcome): Promise<void>
  /** Called after the pending requests have changed. */
  onChange(): Promise<void>
}

/** Milliseconds for which the window waits for the outcome of an approval. */
export const OUTCOME_TIME = 2_000

export const EXPIRED = toFailure(rpcError('userRejected', 'undecidedInTime'))
export const REVOKED = toFailure(rpcError('userRejected', 'siteDisconnected'))

const approved = (accounts: readonly Address[]): Decision => ({ approve: true, accounts })
const rejected = (failure?: Failure): Decision => ({ approve: false, accounts: [], ...(failure && { failure }) })

/** Resolves when the task ends or after that many ms. Rejects if the task does. */
const within = (ms: number, task: Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export const createApprovals = (parts: ApprovalsParts): Approvals => {
  const { requests, inProgress, show, showAgain, hide, carryOut, onEnd, onChange } = parts
  /** Decided requests that are being settled, by key. */
  const settling = new Map<string, Promise<void>>()
  /**
   * Keys of approvals for whose outcome the window waits. The outcome or the end of OUTCOME_TIME removes the key, whichever
   * comes first; whoever removed it gives up the window, except after a failure, or if the request is shown again.
   */
  const watched = new Set<string>()
  /**
   * Serializes showing and hiding; each checks the pending requests when it runs. `show` and `hide` have queues of their
   * own below this one, as proposals and the person open the window too. A task of those never waits for this one.
   */
  const inWindowTurn = createSerialQueue()

  const openOf = async (key: string) => (await requests.open()).find(request => request.key === key)

  const outcomeOf = async (request: WalletRequest): Promise<Outcome | { draft: Draft }> => {
    if (!request.decision?.approve) return { error: request.decision?.failure ?? toFailure(rpcError('userRejected')) }
    try {
      return await carryOut(request)
    } catch (error) {
      return { error: toFailure(toRpcError(error)) }
    }
  }

  /** Carries out an approved request or ends a rejected one, or repeats the stored outcome. */
  const settleStored = async (key: string): Promise<'done' | 'reopened'> => {
    // Read again, because another call may have finished the request meanwhile.
    const request = await requests.get(key)
    if (!request) return 'done'
    const outcome = 'outcome' in request ? request.outcome : await outcomeOf(request)
    if ('draft' in outcome) {
      watched.delete(key)
      await requests.reopen(key, outcome.draft)
      return 'reopened'
    }
    // Responds even if the answer cannot be stored. Carrying it out again has the same result.
    if (!('outcome' in request)) {
      await onEnd(request, outcome).catch(report)
      await requests.finish(key, outcome).catch(report)
    }
    await tell(key, outcome)
    return 'done'
  }

  /** Hides the window before responding, so that the site's next request opens a new one. A failure stays visible. */
  const tell = async (key: string, outcome: Outcome) => {
    if (watched.delete(key) && 'result' in outcome) await hideIfDone().catch(report)
    inProgress.tell(key, outcome)
  }

  const settle = (key: string): Promise<void> => {
    const running = settling.get(key)
    if (running) return running
    const settled = settleStored(key).finally(() => settling.delete(key))
    // Removed from `settling` before it is shown again, so that a new decision can be settled.
    const task = settled.then(end => (end === 'reopened' ? present(key, show) : undefined))
    settling.set(key, task)
    return task
  }

  const hideIfDone = () => inWindowTurn(hide)

  /** Stores a decision and carries it out. `updateWindow` runs before that. */
  const record = async (key: string, decision: Decision, updateWindow: () => Promise<void>) => {
    if (!(await requests.decide(key, decision))) return
    try {
      await updateWindow()
      await onChange()
    } finally {
      await settle(key)
    }
  }

  const reject: Approvals['reject'] = (key, failure) => record(key, rejected(failure), hideIfDone)

  const settleInTime = async (key: string) => {
    watched.add(key)
    await within(OUTCOME_TIME, settle(key))
    if (watched.delete(key)) await hideIfDone()
  }

  const accept: Approvals['accept'] = async (key, accounts, shown) => {
    const isNew = await requests.decide(key, approved(accounts), shown)
    if (isNew) await onChange().catch(report)
    const decided = await requests.get(key)
    if (decided && isDecided(decided)) await settleInTime(key)
    const ended = await requests.get(key)
    return ended && 'outcome' in ended && 'error' in ended.outcome ? ended.outcome.error : null
  }

  const present = async (key: string, how: (request: WalletRequest) => Promise<void>) => {
    try {
      await onChange()
      await inWindowTurn(async () => {
        const request = await openOf(key)
        if (request) await how(request)
      })
    } catch (error) {
      // A request that cannot be shown cannot be decided, and must not stay pending.
      await reject(key)
      throw error
    }
  }

  /** Joins the stored request: shows it, or finishes it if it is decided. Resolves with false if there is none. */
  const joinStored = async (key: string): Promise<boolean> => {
    if (!(await requests.get(key))) return false
    await present(key, showAgain)
    if (!(await openOf(key))) await settle(key)
    return true
  }

  const ask: Approvals['ask'] = async (key, make) => {
    inProgress.assertWanted(key)
    if (await joinStored(key)) return null
    const request = await make()
    if ('answer' in request) return request
    inProgress.assertWanted(key)
    await requests.add(request)
    await present(key, show)
    return null
  }

  return {
    ask,
    accept,
    reject,
    release: key => record(key, approved([]), hideIfDone),
    withdraw: async (key, failure) => {
      inProgress.withdraw(key)
      await reject(key, failure)
    },
    expire: async key => {
      inProgress.withdraw(key)
      await record(key, rejected(EXPIRED), async () => {})
    },
    abandon: async keys => {
      const gone = new Set(keys)
      for (const key of gone) inProgress.withdraw(key)
      const shown = (await requests.open()).filter(({ key }) => gone.has(key))
      await Promise.all(shown.map(({ key }) => reject(key)))
    },
    resume: async () => {
      const decided = await requests.unfinished()
      // The window of an approval may still be open and ask for the outcome.
      const resumeOne = ({ key, decision }: WalletRequest) => (decision?.approve ? settleInTime(key) : settle(key))
      if (decided.some(({ decision }) => !decision?.approve)) hideIfDone().catch(report)
      await Promise.all(decided.map(resumeOne))
    },
    isActing: async () => settling.size > 0 || (await requests.unfinished()).length > 0,
  }
}
