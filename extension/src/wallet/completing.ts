/**
 * Reviews of open requests that wait for their node. There is one at a time for a request: another aborts it, and so does
 * the end of the request. What a stopped worker left is begun again.
 */
import type { WalletRequest } from './requests.ts'

export type CompletingParts = {
  /** The open requests, while they can be reviewed. */
  open(): Promise<readonly WalletRequest[]>
  /** Reviews a request with its node. Throws 4901. */
  review(key: string): Promise<void>
  /** The node cannot be reached; or the review found what the request cannot be. */
  giveUp(key: string, error: unknown): Promise<void>
}

export type Completing = {
  /** Runs a review of a request. Its signal aborts when another begins, and when the request is gone. */
  run<T>(key: string, review: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Begins what waits and is not under way, and aborts what nobody waits for any more. */
  look(): Promise<void>
}

export const isWaitingForNode = ({ findings }: Pick<WalletRequest, 'findings'>): boolean =>
  findings.some(({ name }) => name === 'waitingForNode')

export const createCompleting = ({ open, review, giveUp }: CompletingParts): Completing => {
  const running = new Map<string, AbortController>()

  const run: Completing['run'] = async (key, review) => {
    running.get(key)?.abort()
    const controller = new AbortController()
    running.set(key, controller)
    try {
      return await review(controller.signal)
    } finally {
      if (running.get(key) === controller) running.delete(key)
    }
  }

  const find = async (key: string) => (await open()).find(request => request.key === key && isWaitingForNode(request))

  const complete = async (key: string): Promise<void> => {
    const before = await find(key)
    if (!before || running.has(key)) return
    try {
      await review(key)
    } catch (error) {
      const now = await find(key)
      // Another review has taken its place, or the request is gone.
      if (!now || running.has(key)) return
      if (now.revision !== before.revision) return complete(key)
      await giveUp(key, error)
    }
  }

  return {
    run,
    look: async () => {
      const waiting = await open()
      for (const [key, controller] of running) if (!waiting.some(request => request.key === key)) controller.abort()
      const left = waiting.filter(request => isWaitingForNode(request) && !running.has(request.key))
      await Promise.all(left.map(({ key }) => complete(key)))
    },
  }
}
