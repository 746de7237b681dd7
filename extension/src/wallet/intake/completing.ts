/**
 * Reviews open requests that wait for their node. Each request has one review at a time: a new one or the end of the
 * request aborts it. After a stopped worker they are started again.
 */
import type { WalletRequest } from '../requests/requests.ts'

export type CompletingParts = {
  /** Open requests, while they can be reviewed. */
  open(): Promise<readonly WalletRequest[]>
  /** Reviews a request with its node. Throws 4901. */
  review(key: string): Promise<void>
  /** Called if the node is unreachable, or if the review found the request invalid. */
  giveUp(key: string, error: unknown): Promise<void>
}

export type Completing = {
  /** Runs a review. Its signal aborts when another review of the request starts, or the request is gone. */
  run<T>(key: string, review: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Starts the missing reviews, and aborts those that are no longer needed. */
  look(): Promise<void>
}

const isWaitingForNode = ({ findings }: Pick<WalletRequest, 'findings'>): boolean =>
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
      // Another review has replaced this one, or the request is gone.
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
