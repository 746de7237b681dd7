import { expect, test } from 'vitest'
import { boundedAmount } from './amounts.ts'

const bits = (count: bigint) => String(1n << count)
const below = (count: bigint) => String((1n << count) - 1n)

test('2^128 or more is unlimited in every type that can hold it', () => {
  for (const type of ['uint256', 'uint160', 'uint136']) {
    expect(boundedAmount(type, bits(128n)), type).toBeNull()
    expect(boundedAmount(type, below(128n)), type).toBe(below(128n))
  }
})

test('half the range of a smaller type is unlimited', () => {
  expect(boundedAmount('uint128', bits(127n))).toBeNull()
  expect(boundedAmount('uint128', below(127n))).toBe(below(127n))
  expect(boundedAmount('uint96', below(96n))).toBeNull()
  expect(boundedAmount('uint96', '0')).toBe('0')
})

test('values of other types stay unchanged', () => {
  expect(boundedAmount('bool', 'true')).toBe('true')
})
