import { expect, test } from 'vitest'
import { createHistogram, quantile } from './histogram.ts'

test('counts a value in the first bucket whose bound it does not exceed', () => {
  const histogram = createHistogram([1, 2, 5])
  for (const value of [0, 1, 1.5, 2, 5, 5.01, 1e9]) histogram.observe(value)
  expect([...histogram.counts]).toEqual([2, 2, 1, 2])
  expect(histogram.sum).toBeCloseTo(1e9 + 14.51)
})

test.each([
  [[0, 0, 0, 0], 0.5, undefined],
  [[4, 0, 0, 0], 0.5, 0.5],
  [[4, 0, 0, 0], 1, 1],
  [[1, 1, 0, 0], 0.75, 1.5],
  [[0, 0, 10, 0], 0.5, 3.5],
  [[0, 0, 0, 3], 0.5, 5],
  [[99, 0, 0, 1], 0.99, 1],
  [[0, 0, 1, 0], 0, 2],
])('with the counts %j, the quantile %d is %d', (counts, q, value) => {
  expect(quantile([1, 2, 5], counts, q)).toBe(value)
})
