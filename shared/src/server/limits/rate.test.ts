import { expect, test } from 'vitest'
import { createRate } from './rate.ts'

let time = 0
const rate = createRate(10, 5, () => time)

/** Spends one token at a time while allowed, at most `times` times. */
const take = (budget: ReturnType<typeof rate.full>, times: number): number => {
  let taken = 0
  while (taken < times && rate.allows(budget)) {
    rate.spend(budget, 1)
    taken += 1
  }
  return taken
}

test('allows a burst, then the configured rate', () => {
  const budget = rate.full()
  expect(take(budget, 100)).toBe(5)
  time += 300
  expect(take(budget, 100)).toBe(3)
  time += 60_000
  expect(take(budget, 100)).toBe(5)
})

test('tokens spent after refusals began are owed, and a whole burst of them is an overdraft', () => {
  const budget = rate.full()
  take(budget, 5)
  rate.spend(budget, 4)
  expect(rate.isOverdrawn(budget)).toBe(false)
  rate.spend(budget, 1)
  expect(rate.isOverdrawn(budget)).toBe(true)
  time += 500
  expect(rate.allows(budget)).toBe(false)
  time += 100
  expect(take(budget, 100)).toBe(1)
})
