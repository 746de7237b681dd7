/**
 * Handles each request exactly once from arrival through the user's decision to the response, even if the worker stops:
 * requests are kept in the session store, and a repeated request joins the stored one.
 */
import { RpcError, type RpcErrorObject, rpcError } from '@heliograph/shared/errors'
import { report, toRpcError } from '../work/failures.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import {
  ChangedSince,
  type Decision,
  type Draft,
  isDecided,
  type Outcome,
  type Requests,
  type WalletRequest,
} from './requests.ts'

/** An immediate answer, or a function that prepares the request for the user if it is new. */
export type Begun = { answer: unknown } | (() => Promise<WalletRequest | { answer: unknown }>)

export type Approvals = {
  /** Asks the user if needed and resolves with the answer. Runs the work before the decision in `queue`. */
  ask(key: string, queue: <T>(task: () => Promise<T>) => Promise<T>, begin: () => Promise<Begun>): Promise<unknown>
  /** True if the page of a request in progress is still open. */
  isWanted(key: string): boolean
  /**
   * Decides a request, once. Does nothing if it is decided or unknown. `shown` is the revision that
   * the user saw; throws -32602 if the request has changed since.
   */
  decide(key: string, decision: Decision, shown?: number): Promise<void>
  /**
   * Like `decide`, for approvals in the window. The window stays open until the outcome is known, at most for OUTCOME_TIME.
   * Resolves with the error if the request failed by then, and the window stays open to show it. Otherwise resolves with
   * null once the window is hidden. Idempotent.
   */
  approve(key: string, decision: Decision, shown?: number): Promise<RpcErrorObject | null>
  /** Rejects a request that is no longer wanted, even while it is still being prepared. */
  withdraw(key: string, rejection?: Decision): Promise<void>
  /** Rejects all requests of a closed page. */
  abandon(keys: readonly string[]): Promise<void>
  /** Rejects a peer's request that expired. The window stays open and says so. */
  expire(key: string): Promise<void>
  /** Carries out decided requests that were not finished when the worker stopped. */
  resume(): Promise<void>
}

export type ApprovalsParts = {
  requests: Requests
  /** Shows the pending requests because of a new one. */
  show(request: WalletRequest): Promise<void>
  /** Shows the pending requests if they are hidden, without taking focus otherwise. */
  showAgain(request: WalletRequest): Promise<void>
  /** Hides the window when no request is left. */
  hide(): Promise<void>
  /** Carries out an approved request and returns its result. Throws ChangedSince if it must be decided again. */
  carryOut(request: WalletRequest): Promise<unknown>
  /** Called after the pending requests have changed. */
  onChange(): Promise<void>
}

export const APPROVED: Decision = { approve: true, accounts: [] }
export const REJECTED: Decision = { approve: false, accounts: [] }

/** Milliseconds for which the window waits for the outcome of an approval. */
export const OUTCOME_TIME = 2_000

const rejectedBecause = (why: string): Decision => ({ ...REJECTED, reason: rpcError('userRejected', why).toJSON() })
export const EXPIRED = rejectedBecause('Nobody decided the request in time')
export const REVOKED = rejectedBecause('The site was disconnected')

const answerOf = (outcome: Outcome): unknown => {
  if ('result' in outcome) return outcome.result
  const { code, message, data }: RpcErrorObject = outcome.error
  throw new RpcError(code, message, data)
}

/** Resolves when the task ends or after that many ms. Rejects if the task does. */
const within = (ms: number, task: Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export const createApprovals = (parts: ApprovalsParts): Approvals => {
  const { requests, show, showAgain, hide, carryOut, onChange } = parts
  /** By key: responses being awaited in this worker, requests of closed pages, and requests being carried out. */
  const asking = new Map<string, Promise<unknown>>()
  const wake = new Map<string, (outcome: Outcome) => void>()
  const withdrawn = new Set<string>()
  const finishing = new Map<string, Promise<void>>()
  /** Keys of approvals for whose outcome the window waits. */
  const watched = new Set<string>()
  /** Serializes showing and hiding; each checks the pending requests when it runs. */
  const inTurn = createSerialQueue()

  const openOf = async (key: string) => (await requests.open()).find(request => request.key === key)

  const outcomeOf = async (request: WalletRequest): Promise<Outcome | { draft: Draft }> => {
    if (!request.decision?.approve) return { error: request.decision?.reason ?? rpcError('userRejected').toJSON() }
    try {
      return { result: await carryOut(request) }
    } catch (error) {
      if (error instanceof ChangedSince) return { draft: error.draft }
      return { error: toRpcError(error).toJSON() }
    }
  }

  /** Remaining work once nothing is being carried out: showing the request again. */
  const carryOn = async (key: string): Promise<(() => Promise<void>) | undefined> => {
    // Read again, because another call may have finished the request meanwhile.
    const request = await requests.get(key)
    if (!request) return
    if ('outcome' in request) {
      await tell(key, request.outcome)
      return undefined
    }
    const outcome = await outcomeOf(request)
    if ('draft' in outcome) {
      watched.delete(key)
      await requests.reopen(key, outcome.draft)
      return () => present(key, show)
    }
    // Responds even if the answer cannot be stored. Carrying it out again has the same result.
    await requests.finish(key, outcome).catch(report)
    await tell(key, outcome)
  }

  /** Hides the window before responding, so that the site's next request opens a new one. A failure stays visible. */
  const tell = async (key: string, outcome: Outcome) => {
    if (watched.delete(key) && 'result' in outcome) await hideWhenDone().catch(report)
    wake.get(key)?.(outcome)
  }

  const finish = (key: string): Promise<void> => {
    const running = finishing.get(key)
    if (running) return running
    const task = carryOn(key)
      .finally(() => finishing.delete(key))
      .then(showAnew => showAnew?.())
    finishing.set(key, task)
    return task
  }

  const hideWhenDone = () =>
    inTurn(async () => {
      if ((await requests.open()).length === 0) await hide()
    })

  /** Stores a decision and carries it out. `settle` updates the window before that. */
  const record = async (key: string, decision: Decision, shown: number | undefined, settle: () => Promise<void>) => {
    if (!(await requests.decide(key, decision, shown))) return
    try {
      await settle()
      await onChange()
    } finally {
      await finish(key)
    }
  }

  const decide: Approvals['decide'] = (key, decision, shown) => record(key, decision, shown, hideWhenDone)

  const finishInTime = async (key: string) => {
    watched.add(key)
    await within(OUTCOME_TIME, finish(key))
    if (watched.delete(key)) await hideWhenDone()
  }

  const approve: Approvals['approve'] = async (key, decision, shown) => {
    try {
      if (await requests.decide(key, decision, shown)) await onChange()
    } finally {
      const request = await requests.get(key)
      if (request && isDecided(request)) await finishInTime(key)
    }
    const request = await requests.get(key)
    return request && 'outcome' in request && 'error' in request.outcome ? request.outcome.error : null
  }

  const present = async (key: string, how: (request: WalletRequest) => Promise<void>) => {
    try {
      await onChange()
      await inTurn(async () => {
        const request = await openOf(key)
        if (request) await how(request)
      })
    } catch (error) {
      // A request that cannot be shown cannot be decided, and must not stay pending.
      await decide(key, REJECTED)
      throw error
    }
  }

  const isWanted = (key: string) => !withdrawn.has(key)

  const assertWanted = (key: string) => {
    if (!isWanted(key)) throw rpcError('userRejected')
  }

  /** Adds a request for the user. Resolves with the answer if no decision is needed. */
  const takeUp = async (key: string, begin: () => Promise<Begun>): Promise<{ answer: unknown } | undefined> => {
    assertWanted(key)
    const begun = await begin()
    if ('answer' in begun) return begun
    if (await requests.get(key)) {
      await present(key, showAgain)
      if (!(await openOf(key))) await finish(key)
      return undefined
    }
    const request = await begun()
    if ('answer' in request) return request
    assertWanted(key)
    await requests.add(request)
    await present(key, show)
    return undefined
  }

  const run: Approvals['ask'] = async (key, queue, begin) => {
    // Registered before the first lookup, so that no answer is missed.
    const answered = new Promise<Outcome>(resolve => wake.set(key, resolve))
    const known = await queue(() => takeUp(key, begin))
    return known ? known.answer : answerOf(await answered)
  }

  return {
    ask: (key, queue, begin) => {
      const joined = asking.get(key)
      if (joined) return joined
      const answer = run(key, queue, begin).finally(() => {
        asking.delete(key)
        wake.delete(key)
        withdrawn.delete(key)
      })
      asking.set(key, answer)
      return answer
    },
    isWanted,
    decide,
    approve,
    withdraw: async (key, rejection = REJECTED) => {
      if (asking.has(key)) withdrawn.add(key)
      await decide(key, rejection)
    },
    expire: async key => {
      if (asking.has(key)) withdrawn.add(key)
      await record(key, EXPIRED, undefined, async () => {})
    },
    abandon: async keys => {
      const gone = new Set(keys)
      for (const key of gone) if (asking.has(key)) withdrawn.add(key)
      const shown = (await requests.open()).filter(({ key }) => gone.has(key))
      await Promise.all(shown.map(({ key }) => decide(key, REJECTED)))
    },
    resume: async () => {
      const decided = await requests.unfinished()
      // The window of an approval may still be open and ask for the outcome.
      const carryOn = ({ key, decision }: WalletRequest) => (decision?.approve ? finishInTime(key) : finish(key))
      if (decided.some(({ decision }) => !decision?.approve)) hideWhenDone().catch(report)
      await Promise.all(decided.map(carryOn))
    },
  }
}
