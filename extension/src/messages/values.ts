/** Values of assets in the user's currency. */

/**
 * The price of a token, or of the native coin if `token` is null. One smallest unit is worth `numerator / denominator`
 * of the currency; both are decimal. `pairs` are the feeds from which it was computed, and `updatedAt` is the time of
 * their oldest answer (Unix ms). `isStale` means that an answer is older than its feed promises, or that the network's
 * sequencer is down. A stale price is not used in sums.
 */
export type PriceView = {
  token: string | null
  numerator: string
  denominator: string
  pairs: readonly string[]
  updatedAt: number
  isStale: boolean
}

/** Prices on a network, in the currency with this ISO 4217 code. Empty if the network has no feeds. */
export type PricesView = { currency: string; prices: readonly PriceView[] }
