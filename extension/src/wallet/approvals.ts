/**
 * Takes a request from its arrival over the person's decision to its answer, once, whatever happens to the worker:
 * the requests are kept in the session store, and whoever asks again joins the request instead of making another.
 */
import { RpcError, type RpcErrorObject, rpcError } from '@heliograph/shared/errors'
import { report, toRpcError } from './failures.ts'
import {
  ChangedSince,
  type Decision,
  type Draft,
  isDecided,
  type Outcome,
  type Requests,
  type WalletRequest,
} from './requests.ts'
import { createTurns } from './turns.ts'

/** What a request turns out to be: its answer, or one for the person, which is made ready only when it is new. */
export type Begun = { answer: unknown } | (() => Promise<WalletRequest | { answer: unknown }>)

export type Approvals = {
  /** Asks the person where that is needed, and resolves with the answer. All that is done until then is done in `lane`. */
  ask(key: string, lane: <T>(task: () => Promise<T>) => Promise<T>, begin: () => Promise<Begun>): Promise<unknown>
  /** Whether the page of a request that is being worked on is still there. */
  isWanted(key: string): boolean
  /**
   * The person's word. It counts once; a request that is decided or unknown is left alone. `shown` is the revision that
   * the person saw: throws -32602 when the request is another by now.
   */
  decide(key: string, decision: Decision, shown?: number): Promise<void>
  /**
   * As `decide`, for what the person approves in the window. The window stays until the outcome is known, for OUTCOME_TIME
   * at most. Resolves with the error where the request failed by then, and the window is left to show it; otherwise with
   * null once the window is hidden. Asked again, it carries out nothing twice and resolves with the same outcome.
   */
  approve(key: string, decision: Decision, shown?: number): Promise<RpcErrorObject | null>
  /** Rejects a request for which nobody waits any more, also one that is still prepared and was never shown. */
  withdraw(key: string, rejection?: Decision): Promise<void>
  /** The same for all requests of a page that has gone. */
  abandon(keys: readonly string[]): Promise<void>
  /** Rejects a peer's request that nobody decided in time. The window stays and says so. */
  expire(key: string): Promise<void>
  /** Carries out what was decided and not finished when the worker stopped. */
  resume(): Promise<void>
}

export type ApprovalsParts = {
  requests: Requests
  /** Puts the open requests in front of the person on account of this one, which is new. */
  show(request: WalletRequest): Promise<void>
  /** Shows them where they are no longer shown, and disturbs nobody otherwise. */
  showAgain(request: WalletRequest): Promise<void>
  /** Takes them away again: none is left. */
  hide(): Promise<void>
  /** Does what was approved; its result is the answer. Throws ChangedSince for what has to be decided anew. */
  carryOut(request: WalletRequest): Promise<unknown>
  /** Called after the open requests have changed. */
  onChange(): Promise<void>
}

export const APPROVED: Decision = { approve: true, accounts: [] }
export const REJECTED: Decision = { approve: false, accounts: [] }

/** How long the window waits for the outcome of an approval, in ms. */
export const OUTCOME_TIME = 2_000

const rejectedBecause = (why: string): Decision => ({ ...REJECTED, reason: rpcError('userRejected', why).toJSON() })
export const EXPIRED = rejectedBecause('Nobody decided the request in time')
export const REVOKED = rejectedBecause('The site was disconnected')

const answerOf = (outcome: Outcome): unknown => {
  if ('result' in outcome) return outcome.result
  const { code, message, data }: RpcErrorObject = outcome.error
  throw new RpcError(code, message, data)
}

/** Resolves when the task ends, or after so many ms. Rejects as the task does. */
const within = (ms: number, task: Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export const createApprovals = (parts: ApprovalsParts): Approvals => {
  const { requests, show, showAgain, hide, carryOut, onChange } = parts
  /** Who waits for an answer in this worker, whose page has gone, and what is being carried out, by key. */
  const asking = new Map<string, Promise<unknown>>()
  const wake = new Map<string, (outcome: Outcome) => void>()
  const withdrawn = new Set<string>()
  const finishing = new Map<string, Promise<void>>()
  /** The approvals whose outcome the window waits for, by key. */
  const watched = new Set<string>()
  /** Showing and hiding look at what is open when their turn comes, so that the last word fits what is there. */
  const inTurn = createTurns()

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

  /** What is left to do when nothing of it is carried out any more: showing it again. */
  const carryOn = async (key: string): Promise<(() => Promise<void>) | undefined> => {
    // Read anew, for another may have finished it since the caller looked: what was done is not done again.
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
    // Answered even where the answer cannot be kept: carried out again, it comes to the same.
    await requests.finish(key, outcome).catch(report)
    await tell(key, outcome)
  }

  /** The window goes before the answer, so that what the site asks next gets a window of its own. A failure stays in it. */
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

  /** Records a decision and carries it out. `settle` sees to the window before that. */
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
      // What cannot be shown cannot be decided, and must not wait for ever.
      await decide(key, REJECTED)
      throw error
    }
  }

  const isWanted = (key: string) => !withdrawn.has(key)

  const assertWanted = (key: string) => {
    if (!isWanted(key)) throw rpcError('userRejected')
  }

  /** Takes a request to where the person sees it; resolves with its answer where nobody needs to be asked. */
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

  const run: Approvals['ask'] = async (key, lane, begin) => {
    // Listening begins before the first look, so that an answer given in between is not missed.
    const answered = new Promise<Outcome>(resolve => wake.set(key, resolve))
    const known = await lane(() => takeUp(key, begin))
    return known ? known.answer : answerOf(await answered)
  }

  return {
    ask: (key, lane, begin) => {
      const joined = asking.get(key)
      if (joined) return joined
      const answer = run(key, lane, begin).finally(() => {
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
      // The window of an approval may still be there, and asks for its outcome.
      const carryOn = ({ key, decision }: WalletRequest) => (decision?.approve ? finishInTime(key) : finish(key))
      if (decided.some(({ decision }) => !decision?.approve)) hideWhenDone().catch(report)
      await Promise.all(decided.map(carryOn))
    },
  }
}
