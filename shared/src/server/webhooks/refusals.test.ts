import { expect, test } from 'vitest'
import { createRefusals } from './refusals.ts'

test('tolerates some refusals, then pauses longer after each further refusal until a call is delivered', () => {
  const refusals = createRefusals()
  const rests = Array.from({ length: 14 }, () => {
    refusals.refused('a', 0)
    return refusals.restsUntil('a')
  })
  expect(rests).toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  expect(refusals.restsUntil('b')).toBe(0)
  refusals.taken('a')
  expect(refusals.restsUntil('a')).toBe(0)
})

test('limits the number of remembered registrations', () => {
  const refusals = createRefusals()
  for (let count = 0; count < 6; count++) refusals.refused('first', 1)
  for (let other = 0; other < 10_000; other++) refusals.refused(`${other}`, 1)
  expect(refusals.restsUntil('first')).toBe(0)
  expect(refusals.restsUntil('9999')).toBe(1)
})
