import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Act, TokenAct, TokenView } from '../../messages.ts'
import { MAX_ALLOWANCES } from '../tokens/tokens.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { withItems } from './allowances.ts'
import { actsOf, judged, levelOf, rankOf, tokenOf } from './judge.fixture.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const allow = (amount: bigint | null, more: Partial<TokenAct & { kind: 'allow' }> = {}): TokenAct => ({
  kind: 'allow',
  token: TOKEN,
  spender: SECOND,
  amount: amount === null ? null : String(amount),
  until: null,
  adds: false,
  ...more,
})
const token = (facts: Partial<TokenView> = {}): TokenView => tokenOf(TOKEN.toLowerCase(), facts)
const names = (acts: readonly Act[], tokens: TokenView[] = []) => judged({ ...actsOf(...acts), tokens })
const rank = (acts: readonly Act[], tokens: TokenView[]) => rankOf(levelOf({ ...actsOf(...acts), tokens }))
const isUnlimited = (amount: bigint, facts?: Partial<TokenView>, more?: Partial<TokenAct & { kind: 'allow' }>) =>
  names([allow(amount, more)], facts && [token(facts)]).includes('danger unlimitedAllowance')

test("an allowance of at least the token's supply, or 1,000 times the balance, is unlimited", () => {
  for (const [bound, facts] of [
    [5_000n, { supply: '5000' }],
    [7_000n, { balance: '7' }],
    [7_000n, { balance: '7', supply: '9000' }],
    [5_000n, { balance: '7', supply: '5000' }],
    [2n ** 100n, { supply: String(2n ** 100n), balance: '0' }],
    [2n ** 96n, {}],
    [2n ** 96n, { balance: '0', supply: '0' }],
  ] as const) {
    expect(isUnlimited(bound, facts), `${bound}`).toBe(true)
    expect(isUnlimited(bound - 1n, facts), `${bound - 1n}`).toBe(false)
  }
  expect(isUnlimited(2n ** 96n)).toBe(true)
  expect(isUnlimited(2n ** 96n - 1n)).toBe(false)
  expect(names([allow(null)], [token({ supply: String(2n ** 255n), balance: '1' })])).toEqual([
    'danger unlimitedAllowance',
  ])
})

test('a higher amount, more acts or a different order never lower the level', () => {
  const amounts = fc.array(fc.bigInt(0n, 2n ** 100n), { minLength: 1, maxLength: 6 })
  const facts = fc.record(
    { balance: fc.bigInt(0n, 2n ** 90n).map(String), supply: fc.bigInt(0n, 2n ** 100n).map(String) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(amounts, facts, fc.bigInt(0n, 2n ** 100n), (list, known, more) => {
      const acts = list.map(amount => allow(amount))
      const before = rank(acts, [token(known)])
      for (const others of [
        [...acts, allow(more)],
        acts.toReversed(),
        list.map(amount => allow(amount + more)),
        list.map(amount => allow(amount, { adds: true })),
      ])
        expect(rank(others, [token(known)])).toBeGreaterThanOrEqual(before)
    }),
  )
})

test('an increase is added to the existing allowance and to other increases', () => {
  const facts = { balance: '1', allowed: [{ spender: SECOND.toLowerCase(), amount: '900' }] }
  expect(isUnlimited(100n, facts, { adds: true })).toBe(true)
  expect(isUnlimited(99n, facts, { adds: true })).toBe(false)
  expect(isUnlimited(999n, facts)).toBe(false)
  expect(isUnlimited(999n, facts, { adds: true, spender: ADDRESS })).toBe(false)
  const halves = [allow(500n, { adds: true }), allow(500n, { adds: true })]
  expect(names(halves, [token({ balance: '1' })])).toEqual(['danger unlimitedAllowance'])
})

test('more allowances than the maximum are a danger, not counting revocations', () => {
  const many = (count: number, amount: bigint) =>
    Array.from({ length: count }, (_, at) => allow(amount, { token: `0x${String(at).padStart(40, '0')}` }))
  expect(names(many(MAX_ALLOWANCES, 1n))).not.toContain('danger tooManyAllowances')
  expect(names(many(MAX_ALLOWANCES + 1, 1n))).toContain('danger tooManyAllowances')
  expect(names(many(200, 0n))).toEqual([])
})

test('a token id is not an amount, however large it is', () => {
  const id = 2n ** 255n
  const collection = token({ decimals: null, supply: '10000', balance: '1', collection: true })
  const asked = withItems([allow(null, { asked: String(id) })], [collection])
  expect(asked).toEqual([allow(id)])
  expect(names(asked, [collection])).toEqual(['danger itemAllowance'])
  // In a Permit2 allowance the number is an amount, which covers every token id up to it.
  const permit2 = allow(null, { until: '99', asked: String(id) })
  expect(withItems([permit2], [collection])).toEqual([permit2])
  expect(names([permit2], [collection])).toEqual(['danger unlimitedAllowance'])
  expect(withItems([allow(null, { asked: '1' })], [token()])).toEqual([allow(null, { asked: '1' })])
})
