import { expect, test } from 'vitest'
import type { FeesView } from '../../messages.ts'
import {
  checkTyped,
  type FeeStart,
  type Field,
  farAbove,
  speedOf,
  type Typed,
  touchedOf,
  typedOf,
} from './fee-choice.ts'

const gwei = (amount: number) => `0x${(BigInt(Math.round(amount * 1000)) * 1_000_000n).toString(16)}`
const market = (max: number, tip: number) => ({ maxFeePerGas: gwei(max), maxPriorityFeePerGas: gwei(tip) })
const fees: FeesView = {
  baseFee: gwei(3),
  recentBaseFees: [],
  slow: { fees: market(4, 0.1), expected: gwei(3.1) },
  normal: { fees: market(7, 1), expected: gwei(4) },
  fast: { fees: market(11, 2), expected: gwei(5) },
}
const start: FeeStart = {
  fees,
  current: market(7, 1),
  speed: null,
  l1: 0n,
  used: 21_000n,
  gas: '0x5208',
  nonce: '0x76',
  least: null,
}
const check = (typed: Partial<Typed>, more: Partial<FeeStart> = {}) =>
  checkTyped(
    { ...typedOf({ ...start, ...more }), ...typed },
    { ...start, ...more },
    new Set(Object.keys(typed) as Field[]),
  )

test('the fields start from the current fee, without errors', () => {
  expect(typedOf(start)).toEqual({ price: '7', tip: '1', gas: '21000', nonce: '118' })
  expect(check({})).toEqual({ edit: { fees: market(7, 1) }, errors: {}, warning: '' })
  expect(typedOf({ ...start, current: { gasPrice: gwei(2.5) } })).toMatchObject({ price: '2.5', tip: null })
})

test('a speed is recognized by its prices, or given by the wallet', () => {
  expect(speedOf(start)).toBe('normal')
  expect(speedOf({ ...start, current: market(6, 1) })).toBe(null)
  expect(speedOf({ ...start, current: market(6, 1), speed: 'normal' })).toBe('normal')
})

test('edited gas and nonce are sent even if they equal the initial values', () => {
  expect(check({ gas: '21000', nonce: '118' }).edit).toEqual({ fees: market(7, 1), gas: '0x5208', nonce: '0x76' })
  expect(touchedOf(typedOf(start), new Set(['nonce', 'price']))).toEqual({ nonce: '0x76' })
})

test('prices are in gwei, with a point or a comma; gas and nonce are sent if they were edited', () => {
  const typed = { price: '4,2', tip: '0.15', gas: '65000', nonce: '119' }
  expect(check(typed).edit).toEqual({ fees: market(4.2, 0.15), gas: '0xfde8', nonce: '0x77' })
  expect(check({ price: '9' }, { current: { gasPrice: gwei(4) } }).edit).toEqual({ fees: { gasPrice: gwei(9) } })
})

test.each<[Partial<Typed>, string, RegExp]>([
  [{ price: 'much' }, 'price', /gwei/],
  [{ price: '' }, 'price', /gwei/],
  [{ price: '1.0000000001' }, 'price', /9 decimals/],
  [{ tip: '-1' }, 'tip', /gwei/],
  [{ tip: '8' }, 'tip', /cannot be higher/],
  [{ gas: '20999' }, 'gas', /21,000/],
  [{ gas: '1e6' }, 'gas', /whole number/],
  [{ nonce: '1.5' }, 'nonce', /whole number/],
  [{ nonce: '9'.repeat(16) }, 'nonce', /whole number/],
])('%j is refused with an error at its field', (typed, field, words) => {
  const { edit, errors } = check(typed)
  expect(edit).toBeNull()
  expect(Object.keys(errors)).toEqual([field])
  expect(Object.values(errors)[0]).toMatch(words)
})

test.each<[Partial<Typed>, RegExp]>([
  [{ price: '2.9', tip: '0.1' }, /Below the next block’s base fee, 3\sgwei/],
  [{ tip: '0.05' }, /Below the price that recent blocks accepted/],
  [{ price: '40', tip: '30' }, /Far above/],
  [{ price: '111' }, /Far above/],
])('%j is accepted with a warning', (typed, words) => {
  const { edit, warning } = check(typed)
  expect(edit).not.toBeNull()
  expect(warning).toMatch(words)
})

test('prices far above the current fast fee cause a warning', () => {
  expect(farAbove(market(111, 1), fees)).toMatch(/Far above the usual price: 5/)
  expect(farAbove({ gasPrice: gwei(26) }, fees)).toMatch(/Far above/)
  expect(farAbove(fees.fast.fees, fees)).toBe('')
})

test('very low prices cause no warning', () => {
  const free: FeesView = { ...fees, baseFee: '0x0', fast: { fees: market(0, 0), expected: '0x0' } }
  expect(check({ price: '0.9', tip: '0.9' }, { fees: free }).warning).toBe('')
})

test('a replacement pays at least the minimum and keeps gas and nonce', () => {
  const more = { least: market(7.7, 1.1), gas: null, nonce: null }
  expect(check({}, more).errors).toMatchObject({
    price: expect.stringMatching('7.7'),
    tip: expect.stringMatching('1.1'),
  })
  expect(check({ price: '7.7', tip: '1.1' }, more).edit).toEqual({ fees: market(7.7, 1.1) })
})
