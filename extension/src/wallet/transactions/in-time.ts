/** Prepares a request within a time limit. If the node is slow, the request is shown with the information available. */
import { type Chain, chainUntil, isUnavailable } from '../networks/node.ts'

/** Milliseconds that a request waits for the node before it is shown. */
export const PATIENCE = 2_000

/** `late` is true if the node may still answer, and false if it is unreachable. */
export type Made<T> = { made: T } | { made: null; late: boolean }

/** Runs `make` with a time limit. Throws its errors, except when the node cannot answer. */
export const makeInTime = async <T>(chain: Chain, make: (chain: Chain) => Promise<T>): Promise<Made<T>> => {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Made<T>>(resolve => {
    timer = setTimeout(() => resolve({ made: null, late: true }), PATIENCE)
  })
  const making = make(chainUntil(chain, controller.signal)).then((made): Made<T> => ({ made }))
  try {
    return await Promise.race([making, late])
  } catch (error) {
    if (isUnavailable(error)) return { made: null, late: false }
    throw error
  } finally {
    clearTimeout(timer)
    // Cancels unfinished queries. They are repeated while the request is shown.
    controller.abort()
  }
}

/** Returns a client whose calls all fail as unreachable, for a request's first view. */
export const silent = (chain: Chain): Chain => chainUntil(chain, AbortSignal.abort())
