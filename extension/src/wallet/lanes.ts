/**
 * Keeps a site from monopolizing the worker and the node: a limited number of its requests is processed concurrently,
 * others are queued in order, and refused once the queue is full.
 */
import { rpcError } from '@heliograph/shared/errors'

export type Lanes = <T>(origin: string, task: () => Promise<T>) => Promise<T>

export const MAX_AT_WORK = 20
export const MAX_IN_LINE = 1_000

/** Resolves with the task's result. Throws -32005 if `most` tasks of the origin are queued. */
export const createLanes = (most = MAX_IN_LINE): Lanes => {
  const lanes = new Map<string, { atWork: number; line: (() => void)[] }>()

  const enter = (origin: string): Promise<void> => {
    const lane = lanes.get(origin) ?? { atWork: 0, line: [] }
    lanes.set(origin, lane)
    if (lane.atWork < MAX_AT_WORK) {
      lane.atWork++
      return Promise.resolve()
    }
    if (lane.line.length >= most)
      throw rpcError('limitExceeded', `${most} requests of this site already wait for their turn`)
    return new Promise(resolve => lane.line.push(resolve))
  }

  const leave = (origin: string) => {
    const lane = lanes.get(origin)
    const next = lane?.line.shift()
    if (next) next()
    else if (lane && --lane.atWork === 0) lanes.delete(origin)
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
