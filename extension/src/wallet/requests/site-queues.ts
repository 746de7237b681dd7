/**
 * Keeps a site from monopolizing the worker and the node: a limited number of its requests is processed concurrently,
 * others are queued in order, and refused once the queue is full.
 */
import { rpcError } from '../text/errors.ts'

export type SiteQueues = <T>(origin: string, task: () => Promise<T>) => Promise<T>

export const MAX_CONCURRENT = 20
export const MAX_QUEUED = 1_000

/** Resolves with the task's result. Throws -32005 if `most` tasks of the origin are queued. */
export const createSiteQueues = (most = MAX_QUEUED): SiteQueues => {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  const enter = (origin: string): Promise<void> => {
    const queue = queues.get(origin) ?? { running: 0, waiting: [] }
    queues.set(origin, queue)
    if (queue.running < MAX_CONCURRENT) {
      queue.running++
      return Promise.resolve()
    }
    if (queue.waiting.length >= most) throw rpcError('limitExceeded', 'queueFull', { limit: most })
    return new Promise(resolve => queue.waiting.push(resolve))
  }

  const leave = (origin: string) => {
    const queue = queues.get(origin)
    const next = queue?.waiting.shift()
    if (next) next()
    else if (queue && --queue.running === 0) queues.delete(origin)
  }

  return async (origin, task) => {
    await enter(origin)
    try {
      return await task()
    } finally {
      leave(origin)
    }
  }
}
