/** Order in which a network's nodes are queried: as the user sorted them, but with recently failed nodes last. */

/** Time in ms after a failure during which the node is queried last, if the network has other nodes. */
export const PASSED_OVER = 30_000

export type Failover = {
  /** Returns all of the URLs in the order in which to query them. */
  order(urls: readonly string[]): readonly string[]
  failed(url: string): void
  answered(url: string): void
}

/** `now` is a monotonic clock in ms. Failures are forgotten when the worker stops. */
export const createFailover = (now: () => number = () => performance.now()): Failover => {
  const failures = new Map<string, number>()

  const isPassedOver = (url: string): boolean => {
    const at = failures.get(url)
    return at !== undefined && now() - at < PASSED_OVER
  }

  return {
    order: urls => [...urls.filter(url => !isPassedOver(url)), ...urls.filter(isPassedOver)],
    failed: url => void failures.set(url, now()),
    answered: url => void failures.delete(url),
  }
}
