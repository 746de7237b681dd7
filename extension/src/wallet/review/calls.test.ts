import { expect, test } from 'vitest'
import type { Filled } from '../fees/filled.ts'
import { ADDRESS, SECOND, USUAL_PRICE } from '../wallet.fixture.ts'
import { reviewCalls } from './calls.ts'
import { judged } from './judge.fixture.ts'

const filled = (changes: Partial<Filled> = {}, transaction: Partial<Filled['transaction']> = {}): Filled => ({
  transaction: {
    type: '0x0',
    gasPrice: '0x2',
    from: ADDRESS,
    to: SECOND,
    chainId: '0x1',
    gas: '0xa',
    value: '0x5',
    data: '0x',
    ...transaction,
  } as Filled['transaction'],
  expected: 1n,
  balance: 100n,
  needed: 10n,
  failure: null,
  ...USUAL_PRICE,
  ...changes,
})
const names = (calls: Filled[]) => reviewCalls(calls).findings.map(({ level, name }) => `${level} ${name}`)

test('a batch shows its calls in order, and the total fee', () => {
  const { effect, findings } = reviewCalls([filled(), filled({}, { gas: '0x14', value: '0x0', to: ADDRESS })])
  expect(effect).toMatchObject({
    kind: 'calls',
    calls: [
      { kind: 'transaction', broadcast: true, to: SECOND, value: '0x5' },
      { to: ADDRESS, value: '0x0' },
    ],
    fee: { gas: '0x1e', expected: '0x14', atMost: '0x3c' },
  })
  expect(findings).toEqual([])
})

test('the balance must cover all calls together', () => {
  expect(names([filled({ balance: 50n }), filled({ balance: 50n })])).toEqual([])
  expect(names([filled({ balance: 49n }), filled({ balance: 49n })])).toEqual(['blocked insufficientFunds'])
})

test('if the first call would fail, the finding differs from one for later calls that were not simulated', () => {
  const failing = filled({ failure: 'reverted', needed: null })
  expect(names([failing, filled()])).toEqual(['caution likelyToFail'])
  expect(names([filled(), failing, failing])).toEqual(['caution untriedCall'])
})

test('findings of calls are reported once for the batch', () => {
  const { to: _, ...transaction } = filled({}, { data: '0xdeadbeef' }).transaction
  const creation = filled({ transaction })
  expect(names([filled(), creation, creation])).toEqual(['caution createsContract'])
})

test('the acts of all calls are judged, and each finding is reported once', () => {
  const unknown = filled({}, { data: '0xdeadbeef', value: '0x0' })
  expect(judged(reviewCalls([filled(), unknown, unknown]).effect)).toEqual([
    'caution firstRecipient',
    'caution unknownCall',
  ])
})
