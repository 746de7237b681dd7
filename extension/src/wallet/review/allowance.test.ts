import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface, MaxUint256 } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND, USUAL_PRICE } from '../wallet.fixture.ts'
import { withAllowance, withLimitOf } from './allowance.ts'
import { judged } from './judge.fixture.ts'
import { reviewTransaction } from './transaction.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = new Interface([
  'function approve(address spender, uint256 value)',
  'function increaseAllowance(address spender, uint256 value)',
])
const asked = (data: string) => {
  const transaction = {
    type: '0x0',
    gasPrice: '0x1',
    gas: '0x2',
    from: ADDRESS,
    to: TOKEN,
    chainId: '0x1',
    value: '0x0',
    data: data as Hex,
  } as const
  const filled = { transaction, expected: 1n, balance: 0n, needed: 5n, failure: null, ...USUAL_PRICE }
  return { payload: transaction, ...reviewTransaction(filled, 'send') }
}
/** Records that list only the token. */
const LISTED = { known: { assets: [{ address: TOKEN, symbol: 'ORE' }] } }
const unlimited = asked(abi.encodeFunctionData('approve', [SECOND, MaxUint256]))

test('a changed amount keeps the spender, and other findings stay', () => {
  const limited = withAllowance(unlimited, '250')
  expect(limited).toMatchObject({
    payload: { to: TOKEN, gas: '0x2', data: abi.encodeFunctionData('approve', [SECOND, 250]) },
    effect: {
      data: abi.encodeFunctionData('approve', [SECOND, 250]),
      call: { args: [{ value: SECOND }, { value: '250' }] },
      acts: [
        { kind: 'allow', spender: SECOND, amount: '250' },
        { kind: 'call', contract: TOKEN, readable: true },
      ],
      limit: { asked: String(MaxUint256), changed: true },
    },
  })
  expect(judged(unlimited.effect, LISTED)).toEqual(['danger unlimitedAllowance'])
  expect(judged(limited?.effect ?? unlimited.effect, LISTED)).toEqual(['caution unknownSpender'])
  expect(unlimited.findings.map(({ name }) => name)).toEqual(['insufficientFunds', 'gasTooLow'])
  expect(limited?.findings.map(({ name }) => name)).toEqual(['insufficientFunds', 'gasTooLow'])
})

test('without a changed amount, the request stays as the site sent it', () => {
  const limited = withAllowance(unlimited, '0')
  if (!limited) throw new Error('The amount cannot be changed')
  expect(withAllowance(limited, null)).toEqual(unlimited)
  expect(withAllowance(unlimited, String(MaxUint256))).toEqual(unlimited)
})

test('a changed amount is encoded canonically, whatever the site sent', () => {
  const data = abi.encodeFunctionData('approve', [SECOND, MaxUint256])
  const dirty = `0x095EA7B3${'ff'.repeat(12)}${data.slice(34)}${'00'.repeat(40)}`
  expect(asked(dirty).findings).toContainEqual({ level: 'caution', name: 'unusualEncoding', values: [] })
  const limited = withAllowance(asked(dirty), '250')
  const wanted = abi.encodeFunctionData('approve', [SECOND, 250])
  expect(limited).toMatchObject({ payload: { data: wanted }, effect: { data: wanted } })
  expect(limited?.findings.map(({ name }) => name)).not.toContain('unusualEncoding')
})

test('an invalid amount is rejected, and other calls cannot be changed', () => {
  for (const amount of ['', '-1', '1.5', '0x1', String(MaxUint256 + 1n), '9'.repeat(79)])
    expect(() => withAllowance(unlimited, amount), amount).toThrow('is not a 256-bit amount')
  expect(withAllowance(asked(abi.encodeFunctionData('increaseAllowance', [SECOND, 5])), '1')).toBeUndefined()
  expect(withAllowance(asked('0x'), '1')).toBeUndefined()
})

test('a repeated review keeps the amount that the site requested', () => {
  const limited = withAllowance(unlimited, '250')
  if (!limited) throw new Error('The amount cannot be changed')
  const anew = asked(abi.encodeFunctionData('approve', [SECOND, 250])).effect
  expect(withLimitOf(limited.effect, anew)).toMatchObject({ limit: { asked: String(MaxUint256), changed: true } })
  expect(withLimitOf(unlimited.effect, unlimited.effect)).toEqual(unlimited.effect)
  const connect = { kind: 'connect', accounts: [], connected: [], only: null } as const
  expect(withLimitOf(connect, anew)).toBe(anew)
})
