/** A node that does not answer is shown as such, before a person or a site gives up waiting for it. */
import { isUnreachable } from '../chain.ts'

/** How long a request waits for its node before it is shown without it, in ms. */
export const REVIEW_TIMEOUT = 8_000

/** What is made with the node's help; null where that cannot be reached, or takes too long. Throws what else is wrong. */
export const unlessUnreached = async <T>(making: Promise<T>): Promise<T | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), REVIEW_TIMEOUT)
  })
  try {
    return await Promise.race([making, late])
  } catch (error) {
    if (isUnreachable(error)) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}
