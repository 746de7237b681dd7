import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import arabic from '../../../public/_locales/ar/messages.json'
import type { PriceView } from '../../messages.ts'
import { formatMoney, sourceText, sumOf, totalOf, valueText, worthOf } from './values.ts'

const NOW = Date.UTC(2025, 10, 21, 14, 5)
const DAY = 86_400_000
const ETHER = 10n ** 18n

const priced = (dollars: bigint, more: Partial<PriceView> = {}): PriceView => ({
  token: null,
  numerator: dollars.toString(),
  denominator: ETHER.toString(),
  pairs: ['ETH / USD'],
  updatedAt: NOW - 120_000,
  isStale: false,
  ...more,
})

test('money is rounded to the smallest unit of its currency', () => {
  const of = (numerator: bigint, denominator: bigint, currency: string) =>
    formatMoney({ numerator, denominator }, currency).replaceAll('\u00a0', ' ')
  expect(of(144n, 1000n, 'USD')).toBe('≈ $0.14')
  expect(of(145n, 1000n, 'USD')).toBe('≈ $0.15')
  expect(of(0n, 1n, 'USD')).toBe('$0.00')
  expect(of(1n, 1000n, 'USD')).toBe('<$0.01')
  expect(of(1234567n, 1n, 'EUR')).toBe('≈ €1,234,567.00')
  expect(of(1n, 3n, 'JPY')).toBe('<¥1')
  expect(of(5n, 2n, 'JPY')).toBe('≈ ¥3')
  expect(of(10n ** 30n, 1n, 'USD').length).toBeLessThan(40)
})

test('in a right-to-left language, the sign of a currency stays behind its letters', async () => {
  vi.stubGlobal('chrome', { i18n: { getMessage: (key: keyof typeof arabic) => arabic[key].message } })
  vi.resetModules()
  try {
    const { formatMoney } = await import('./values.ts')
    expect(formatMoney({ numerator: 1n, denominator: 2n }, 'USD')).toMatch(/US\$\u200e$/)
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
})

test('sums are exact', () => {
  const fraction = fc.record({
    numerator: fc.bigInt({ min: 0n, max: 10n ** 40n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 30n }),
  })
  fc.assert(
    fc.property(fc.array(fraction, { maxLength: 6 }), parts => {
      const sum = sumOf(parts)
      const common = parts.reduce((product, { denominator }) => product * denominator, 1n)
      const exact = parts.reduce((total, { numerator, denominator }) => total + (numerator * common) / denominator, 0n)
      expect(sum.numerator * common).toBe(exact * sum.denominator)
    }),
  )
})

test('a total leaves out stale and missing prices, and counts them', () => {
  const prices: Record<string, PriceView> = { a: priced(10n), b: priced(100n, { isStale: true }) }
  const held = ['a', 'b', 'c'].map(token => ({ token, units: 2n * ETHER }))
  const { money, left, prices: used } = totalOf([...held, { token: 'd', units: 0n }], token => prices[token ?? ''])
  expect([money && money.numerator / money.denominator, left, used.length]).toEqual([20n, 2, 2])
  const twice = totalOf([...held, ...held], token => prices[token ?? ''])
  expect(twice.left, 'assets, not the accounts that hold them').toBe(2)
  expect(totalOf([], () => undefined)).toEqual({ money: null, left: 0, prices: [] })
})

test('a value says its source, and its age if the price is stale', () => {
  const old = priced(2_000n, { isStale: true, updatedAt: NOW - 3 * DAY })
  expect(valueText(ETHER, priced(2_000n), 'USD', NOW)).toBe('≈\u00a0$2,000.00')
  expect(valueText(ETHER, old, 'USD', NOW)).toMatch(/^≈\u00a0\$2,000\.00, price from .*18.*2025/)
  expect(sourceText(priced(1n), NOW)).toBe('Chainlink price feeds: ETH / USD. Last answer: 2 min. ago.')
  expect(sourceText(old, NOW)).toMatch(/out of date/)
  expect(worthOf(3n, priced(2n))).toEqual({ numerator: 6n, denominator: ETHER })
})
