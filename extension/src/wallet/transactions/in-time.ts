/** A request whose node is slow is shown before the node has answered: the person sees what is known, and what is awaited. */
import { type Chain, chainUntil, isUnreachable } from '../chain.ts'

/** How long a request waits for its node before it is shown without it, in ms. */
export const PATIENCE = 2_000

/** `late` says that the node may still answer; otherwise it cannot be reached. */
export type Made<T> = { made: T } | { made: null; late: boolean }

/** Makes something with the node's help, as long as that takes no longer than a person waits. Throws what else is wrong. */
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
    if (isUnreachable(error)) return { made: null, late: false }
    throw error
  } finally {
    clearTimeout(timer)
    // What is still asked is asked anew while the request is shown.
    controller.abort()
  }
}

/** A node that answers nothing, for what is shown before the node has answered. */
export const silent = (chain: Chain): Chain => chainUntil(chain, AbortSignal.abort())
