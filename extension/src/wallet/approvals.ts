/**
 * Takes a request from its arrival over the person's decision to its answer, once, whatever happens to the worker:
 * the requests are kept in the session store, and whoever asks again joins the request instead of making another.
 */
import { RpcError, type RpcErrorObject, rpcError } from '@heliograph/shared/errors'
import { report, toRpcError } from './failures.ts'
import type { Decision, Outcome, Requests, WalletRequest } from './requests.ts'
import { createTurns } from './turns.ts'

export type Approvals = {
  /** Asks the person and resolves with the answer. `prepare` runs only when the request is new. */
  ask(key: string, prepare: () => Promise<WalletRequest | { answer: unknown }>): Promise<unknown>
  /** The person's word. It counts once; a request that is decided or unknown is left alone. */
  decide(key: string, decision: Decision): Promise<void>
  /** Rejects a request whose page is gone, also one that is still prepared and was never shown. */
  withdraw(key: string): Promise<void>
  /** Carries out what was decided and not finished when the worker stopped. */
  resume(): Promise<void>
}

export type ApprovalsParts = {
  requests: Requests
  /** Puts the open requests in front of the person. */
  show(): Promise<void>
  /** Shows them where they are no longer shown, and disturbs nobody otherwise. */
  showAgain(): Promise<void>
  /** Takes them away again: none is left. */
  hide(): Promise<void>
  /** Does what was approved; its result is the answer. */
  carryOut(request: WalletRequest): Promise<unknown>
  /** Called after the open requests have changed. */
  onChange(): Promise<void>
}

export const APPROVED: Decision = { approve: true, accounts: [] }
export const REJECTED: Decision = { approve: false, accounts: [] }

const answerOf = (outcome: Outcome): unknown => {
  if ('result' in outcome) return outcome.result
  const { code, message, data }: RpcErrorObject = outcome.error
  throw new RpcError(code, message, data)
}

export const createApprovals = (parts: ApprovalsParts): Approvals => {
  const { requests, show, showAgain, hide, carryOut, onChange } = parts
  /** Who waits for an answer in this worker, whose page has gone, and what is being carried out, by key. */
  const asking = new Map<string, Promise<unknown>>()
  const wake = new Map<string, (outcome: Outcome) => void>()
  const withdrawn = new Set<string>()
  const finishing = new Map<string, Promise<void>>()
  /** Showing and hiding look at what is open when their turn comes, so that the last word fits what is there. */
  const inTurn = createTurns()

  const isOpen = async (key: string) => (await requests.open()).some(request => request.key === key)

  const outcomeOf = async (request: WalletRequest): Promise<Outcome> => {
    if (!request.decision?.approve) return { error: request.decision?.reason ?? rpcError('userRejected').toJSON() }
    try {
      return { result: await carryOut(request) }
    } catch (error) {
      return { error: toRpcError(error).toJSON() }
    }
  }

  const carryOn = async (key: string) => {
    // Read anew, for another may have finished it since the caller looked: what was done is not done again.
    const request = await requests.get(key)
    if (!request) return
    if ('outcome' in request) return wake.get(key)?.(request.outcome)
    const outcome = await outcomeOf(request)
    // Answered even where the answer cannot be kept: carried out again, it comes to the same.
    await requests.finish(key, outcome).catch(report)
    wake.get(key)?.(outcome)
  }

  const finish = (key: string): Promise<void> => {
    const running = finishing.get(key)
    if (running) return running
    const task = carryOn(key).finally(() => finishing.delete(key))
    finishing.set(key, task)
    return task
  }

  const decide: Approvals['decide'] = async (key, decision) => {
    if (!(await requests.decide(key, decision))) return
    try {
      // The window goes before the answer: what the site asks next gets a window of its own.
      await inTurn(async () => {
        if ((await requests.open()).length === 0) await hide()
      })
      await onChange()
    } finally {
      await finish(key)
    }
  }

  const present = async (key: string, how: () => Promise<void>) => {
    try {
      await onChange()
      await inTurn(async () => {
        if (await isOpen(key)) await how()
      })
    } catch (error) {
      // What cannot be shown cannot be decided, and must not wait for ever.
      await decide(key, REJECTED)
      throw error
    }
  }

  const run: Approvals['ask'] = async (key, prepare) => {
    // Listening begins before the first look, so that an answer given in between is not missed.
    const answered = new Promise<Outcome>(resolve => wake.set(key, resolve))
    if (await requests.get(key)) {
      await present(key, showAgain)
      if (!(await isOpen(key))) await finish(key)
    } else {
      const request = await prepare()
      if ('answer' in request) return request.answer
      if (withdrawn.has(key)) throw rpcError('userRejected')
      await requests.add(request)
      await present(key, show)
    }
    return answerOf(await answered)
  }

  return {
    ask: (key, prepare) => {
      const joined = asking.get(key)
      if (joined) return joined
      const answer = run(key, prepare).finally(() => {
        asking.delete(key)
        wake.delete(key)
        withdrawn.delete(key)
      })
      asking.set(key, answer)
      return answer
    },
    decide,
    withdraw: async key => {
      if (asking.has(key)) withdrawn.add(key)
      await decide(key, REJECTED)
    },
    resume: async () => {
      await Promise.all((await requests.unfinished()).map(({ key }) => finish(key)))
    },
  }
}
