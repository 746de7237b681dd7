/** Requests in progress in this worker, by key. */

import { rpcError } from '../text/errors.ts'
import type { Outcome } from './requests.ts'

export type InProgress = {
  /**
   * Starts a request and resolves with its answer. A request with the same key joins the one in
   * progress. `start` gets a promise for the outcome of the decision, if one is asked for. `tell` resolves it;
   * `start` may cause that only after its first `await`.
   */
  join(key: string, start: (outcome: Promise<Outcome>) => Promise<unknown>): Promise<unknown>
  /** Resolves the outcome of a request. Does nothing if it is not in progress. */
  tell(key: string, outcome: Outcome): void
  /** Marks a request as no longer wanted, for example because its page was closed. Does nothing if it is not in progress. */
  withdraw(key: string): void
  /** Throws 4001 if the request is no longer wanted. */
  assertWanted(key: string): void
}

type Entry = { answer: Promise<unknown>; tell(outcome: Outcome): void; isWanted: boolean }

export const createInProgress = (): InProgress => {
  const entries = new Map<string, Entry>()

  return {
    join: (key, start) => {
      const joined = entries.get(key)
      if (joined) return joined.answer
      let tell: Entry['tell'] = () => {}
      const outcome = new Promise<Outcome>(resolve => {
        tell = resolve
      })
      const answer = start(outcome).finally(() => entries.delete(key))
      entries.set(key, { answer, tell, isWanted: true })
      return answer
    },
    tell: (key, outcome) => entries.get(key)?.tell(outcome),
    withdraw: key => {
      const entry = entries.get(key)
      if (entry) entry.isWanted = false
    },
    assertWanted: key => {
      if (entries.get(key)?.isWanted === false) throw rpcError('userRejected')
    },
  }
}
