/** The order in which the nodes of a network are asked: as the person put them, those that failed lately last. */

/** Time for which a node that failed is passed over, in ms, while the network has another one. */
export const PASSED_OVER = 30_000

export type Failover = {
  /** All of the URLs, in the order in which to ask them. */
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
