/** Observations sorted into buckets, for a few nanoseconds each. */

export type Histogram = {
  /** The highest value of each bucket, ascending. */
  bounds: readonly number[]
  /** How many values fell into each bucket; the last counts those above all bounds. */
  counts: Float64Array
  sum: number
  observe: (value: number) => void
}

export const createHistogram = (bounds: readonly number[]): Histogram => {
  const highest = Float64Array.of(...bounds, Number.POSITIVE_INFINITY)
  const counts = new Float64Array(highest.length)
  const histogram: Histogram = {
    bounds,
    counts,
    sum: 0,
    observe: value => {
      let bucket = 0
      while (value > (highest[bucket] ?? value)) bucket++
      counts[bucket] = (counts[bucket] ?? 0) + 1
      histogram.sum += value
    },
  }
  return histogram
}

/**
 * The value that a share `q` (0 to 1) of the counted ones do not exceed, as if the values of a bucket lay evenly in it;
 * undefined when none are counted. What is above all bounds counts as the highest.
 */
export const quantile = (bounds: readonly number[], counts: ArrayLike<number>, q: number): number | undefined => {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let left = q * total
  let low = 0
  for (const [bucket, high] of bounds.entries()) {
    const count = counts[bucket] ?? 0
    if (count > 0 && left <= count) return low + (high - low) * (left / count)
    left -= count
    low = high
  }
  return low
}
