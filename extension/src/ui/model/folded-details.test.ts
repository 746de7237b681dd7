import { expect, test } from 'vitest'
import type { Act, Finding, TransactionEffect } from '../../messages.ts'
import { areDetailsFolded } from './folded-details.ts'

const ADDRESS = `0x${'c1'.repeat(20)}`
const transfer: Act = { kind: 'transfer', token: ADDRESS, from: ADDRESS, to: ADDRESS, amount: '5', id: null }
const called: Act = { kind: 'call', contract: ADDRESS, readable: true, named: [] }
const call = { name: 'transfer', signature: 'transfer(address,uint256)', args: [] }
const effect = (more: Partial<TransactionEffect> = {}): TransactionEffect => ({
  ...{ kind: 'transaction', broadcast: true, to: ADDRESS, value: '0x0', data: '0xa9059cbb', nonce: null, call },
  ...{ acts: [transfer, called], tokens: [], limit: null, fee: null },
  ...more,
})
const finding = (level: Finding['level'], name: Finding['name']): Finding => ({ level, name, values: [] })

test('the details of an understood call without findings are folded', () => {
  expect(areDetailsFolded(effect(), [])).toBe(true)
  expect(areDetailsFolded(effect({ acts: [called] }), [])).toBe(true)
  expect(areDetailsFolded(effect({ data: '0x', call: null, acts: [], value: '0x1' }), [])).toBe(true)
})

test.each<[string, Partial<TransactionEffect>]>([
  ['a call that was not decoded', { call: null, acts: [{ ...called, readable: false }] }],
  ['a nested call that was not decoded', { acts: [transfer, called, { ...called, readable: false }] }],
  ['a call without a known act', { acts: [] }],
  [
    'a call that an interface of the user decoded',
    { call: { ...call, by: 'Vault' }, acts: [{ ...called, by: 'Vault' }] },
  ],
  ['a nested call that an interface of the user decoded', { acts: [called, { ...called, by: 'Vault' }] }],
  ['a new contract', { to: null, call: null, acts: [] }],
])('the details of %s are open', (_, more) => {
  expect(areDetailsFolded(effect(more), [])).toBe(false)
})

test('passed checks, and cautions about what the page shows elsewhere, leave the details folded', () => {
  const findings = [
    finding('none', 'knownContract'),
    finding('caution', 'firstRecipient'),
    finding('caution', 'highFee'),
    finding('blocked', 'insufficientFunds'),
  ]
  expect(areDetailsFolded(effect(), findings)).toBe(true)
})

test.each([
  finding('caution', 'unusualEncoding'),
  finding('caution', 'unknownContract'),
  finding('caution', 'likelyToFail'),
  finding('caution', 'gasTooLow'),
  finding('blocked', 'nonceUsed'),
  finding('danger', 'unlimitedAllowance'),
  finding('danger', 'mostOfAsset'),
])('the details are open with $level $name', warning => {
  expect(areDetailsFolded(effect(), [finding('none', 'knownContract'), warning])).toBe(false)
})
