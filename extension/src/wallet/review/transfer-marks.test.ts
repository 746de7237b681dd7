import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { indexAddresses } from './lookalikes.ts'
import { marksOf } from './transfer-marks.ts'

const known = {
  addresses: indexAddresses([
    { address: ADDRESS, name: 'Account 1' },
    { address: SECOND, name: 'Shop' },
  ]),
  symbols: ['ETH', 'COIN'],
}
/** An address with the same first four and last four digits as SECOND. */
const POISON = `${SECOND.slice(0, 6)}${'0'.repeat(32)}${SECOND.slice(-4)}` as const
const from = (address: string, amount = '5') => ({ from: address as typeof ADDRESS, amount })

test('a sender that looks like a known address is marked, but the known address itself is not', () => {
  expect(marksOf(from(POISON), null, known)).toEqual([{ name: 'lookalikeSender', known: SECOND, knownName: 'Shop' }])
  expect(marksOf(from(SECOND), null, known)).toEqual([])
  expect(marksOf(from(`0x${'12'.repeat(20)}`), null, known)).toEqual([])
})

test('a transfer of amount 0 is marked, in addition to other marks', () => {
  expect(marksOf(from(POISON, '0'), null, known).map(({ name }) => name)).toEqual(['lookalikeSender', 'zeroValue'])
  expect(marksOf(from(SECOND, '0'), null, known)).toEqual([{ name: 'zeroValue' }])
})

test('an unlisted token that imitates another one, or advertises, is marked', () => {
  expect(marksOf(from(SECOND), 'C\u041eIN', known)).toEqual([{ name: 'imitatedToken', known: 'COIN' }])
  expect(marksOf(from(SECOND), 'COIN', known)).toEqual([{ name: 'imitatedToken', known: 'COIN' }])
  expect(marksOf(from(SECOND), 'Visit prize.example to claim', known)).toEqual([{ name: 'oddName' }])
  expect(marksOf(from(SECOND), 'CO\u202eIN', known).length).toBe(1)
  expect(marksOf(from(SECOND), 'OTHER', known)).toEqual([])
})
