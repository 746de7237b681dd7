/** Requests in progress in this worker, by key. */
import { rpcError } from '@heliograph/shared/errors'

export type InProgress = {
  /** Starts a request and resolves with its answer. A request with the same key joins the one in progress. */
  join(key: string, start: () => Promise<unknown>): Promise<unknown>
  /** Marks a request as no longer wanted, for example because its page was closed. Does nothing if it is not in progress. */
  withdraw(key: string): void
  /** Throws 4001 if the request is no longer wanted. */
  assertWanted(key: string): void
}

export const createInProgress = (): InProgress => {
  const answers = new Map<string, Promise<unknown>>()
  const withdrawn = new Set<string>()

  return {
    join: (key, start) => {
      const joined = answers.get(key)
      if (joined) return joined
      const answer = start().finally(() => {
        answers.delete(key)
        withdrawn.delete(key)
      })
      answers.set(key, answer)
      return answer
    },
    withdraw: key => {
      if (answers.has(key)) withdrawn.add(key)
    },
    assertWanted: key => {
      if (withdrawn.has(key)) throw rpcError('userRejected')
    },
  }
}
