/**
 * Takes a request from its arrival over the person's decision to its answer, once, whatever happens to the worker:
 * the requests are kept in the session store, and whoever asks again joins the request instead of making another.
 */
import { RpcError, type RpcErrorObject, rpcError, toErrorObject } from '@heliograph/shared/errors'
import type { Decision, Outcome, Requests, WalletRequest } from './requests.ts'

export type Approvals = {
  /** Asks the person and resolves with the answer. `prepare` runs only when the request is new. */
  ask(key: string, prepare: () => Promise<WalletRequest | { answer: unknown }>): Promise<unknown>
  /** The person's word. It counts once; a request that is decided or unknown is left alone. */
  decide(key: string, decision: Decision): Promise<void>
  /** Carries out what was decided and not finished when the worker stopped. */
  resume(): Promise<void>
}

export type ApprovalsParts = {
  requests: Requests
  /** Puts the open requests in front of the person. */
  show(): Promise<void>
  /** Takes them away again: none is left. */
  hide(): Promise<void>
  /** Does what was approved; its result is the answer. */
  carryOut(request: WalletRequest): Promise<unknown>
  /** Called after the open requests have changed. */
  onChange(): Promise<void>
}

export const REJECTED: Decision = { approve: false, accounts: [] }

const answerOf = (outcome: Outcome): unknown => {
  if ('result' in outcome) return outcome.result
  const { code, message, data }: RpcErrorObject = outcome.error
  throw new RpcError(code, message, data)
}

export const createApprovals = ({ requests, show, hide, carryOut, onChange }: ApprovalsParts): Approvals => {
  /** Who waits for an answer in this worker, and what is being carried out in it, by key. */
  const asking = new Map<string, Promise<unknown>>()
  const wake = new Map<string, (outcome: Outcome) => void>()
  const finishing = new Map<string, Promise<void>>()

  const outcomeOf = async (request: WalletRequest): Promise<Outcome> => {
    if (!request.decision?.approve) return { error: rpcError('userRejected').toJSON() }
    try {
      return { result: await carryOut(request) }
    } catch (error) {
      return { error: toErrorObject(error) }
    }
  }

  const finish = (request: WalletRequest): Promise<void> => {
    const { key } = request
    const running = finishing.get(key)
    if (running) return running
    const task = outcomeOf(request)
      .then(async outcome => {
        await requests.finish(key, outcome)
        wake.get(key)?.(outcome)
      })
      .finally(() => finishing.delete(key))
    finishing.set(key, task)
    return task
  }

  const run: Approvals['ask'] = async (key, prepare) => {
    // Listening begins before the first look, so that an answer given in between is not missed.
    const answered = new Promise<Outcome>(resolve => wake.set(key, resolve))
    const known = await requests.get(key)
    const request = known ?? (await prepare())
    if ('answer' in request) return request.answer
    if (request.outcome) return answerOf(request.outcome)
    if (!known) await requests.add(request)
    await onChange()
    if (request.decision) void finish(request)
    else await show()
    return answerOf(await answered)
  }

  return {
    ask: (key, prepare) => {
      const joined = asking.get(key)
      if (joined) return joined
      const answer = run(key, prepare).finally(() => {
        asking.delete(key)
        wake.delete(key)
      })
      asking.set(key, answer)
      return answer
    },
    decide: async (key, decision) => {
      const request = await requests.decide(key, decision)
      if (!request) return
      await onChange()
      if ((await requests.open()).length === 0) await hide()
      await finish(request)
    },
    resume: async () => {
      await Promise.all((await requests.unfinished()).map(finish))
    },
  }
}
