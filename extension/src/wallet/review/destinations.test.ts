import { expect, test } from 'vitest'
import type { TokenAct } from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { type AddressChecks, type OutgoingCall, reviewDestinations } from './destinations.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ZERO = `0x${'0'.repeat(40)}`
const KNOWS_NOTHING: AddressChecks = { withoutCode: [], withCode: [], delegated: [], tokens: [], safes: [] }
const noCode = (...withoutCode: string[]): AddressChecks => ({ ...KNOWS_NOTHING, withoutCode })

const call = (more: Partial<OutgoingCall> = {}): OutgoingCall => ({
  from: ADDRESS,
  to: SECOND,
  value: 0n,
  data: '0x12345678',
  acts: [],
  ...more,
})
const transfer = (to: string): TokenAct => ({
  kind: 'transfer',
  token: TOKEN,
  from: ADDRESS,
  to,
  amount: '1',
  id: null,
})
const names = (calls: readonly OutgoingCall[], facts = KNOWS_NOTHING) =>
  reviewDestinations(calls, facts).map(({ level, name }) => `${level} ${name}`)

test('there is no finding without a result from the node', () => {
  expect(
    names([call(), call({ value: 5n }), call({ acts: [transfer(SECOND)] }), call({ data: '0x', value: 1n })]),
  ).toEqual([])
})

test('a call to an address without code is a caution, or a danger if it also pays the address', () => {
  expect(names([call()], noCode(SECOND.toLowerCase()))).toEqual(['caution noContract'])
  expect(names([call({ value: 1n })], noCode(SECOND))).toEqual(['danger paysNoContract'])
  expect(names([call({ value: 1n, to: ADDRESS })], noCode(ADDRESS))).toEqual(['caution noContract'])
  expect(names([call({ data: '0x', value: 1n })], noCode(SECOND))).toEqual([])
  expect(names([call({ to: `0x${'0'.repeat(39)}2`, value: 1n })], noCode(`0x${'0'.repeat(39)}2`))).toEqual([])
  expect(names([call({ to: null })], noCode(SECOND))).toEqual([])
})

test('a transfer or allowance of a token whose address has no code is a danger', () => {
  const allow: TokenAct = { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: null, adds: false }
  for (const act of [
    transfer(SECOND),
    allow,
    { kind: 'allowAll', token: TOKEN, spender: SECOND, allowed: true } as const,
  ])
    expect(names([call({ to: TOKEN, acts: [act] })], noCode(TOKEN))).toEqual([
      'danger tokenWithoutCode',
      'caution noContract',
    ])
  expect(names([call({ acts: [allow] })], noCode(TOKEN))).toEqual(['danger tokenWithoutCode'])
})

test('coins or tokens sent to the zero address are a danger', () => {
  for (const lost of [call({ to: ZERO, data: '0x', value: 1n }), call({ to: ZERO }), call({ acts: [transfer(ZERO)] })])
    expect(names([lost])).toEqual(['danger sentToZero'])
  expect(names([call({ to: null })])).toEqual([])
})

test('coins sent to a token contract are a caution', () => {
  const facts = { ...KNOWS_NOTHING, tokens: [TOKEN] }
  expect(names([call({ to: TOKEN, data: '0x', value: 1n })], facts)).toEqual(['caution coinsToToken'])
  expect(names([call({ to: TOKEN })], facts)).toEqual([])
})

test('harmless calls before or after change nothing, and each finding appears once', () => {
  const bad = call({ value: 1n })
  for (const calls of [
    [bad, call({ to: TOKEN })],
    [call({ to: TOKEN }), bad],
    [bad, bad],
  ])
    expect(names(calls, noCode(SECOND))).toEqual(['danger paysNoContract'])
})
