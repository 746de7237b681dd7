import { expect, test } from 'vitest'
import type { ChecksView, Finding, TransactionEffect } from '../../messages.ts'
import { checkedGroups, comparedAt, saidOf, worstCheck } from './checks.ts'
import { addressMarks, inWords } from './findings.ts'
import { network } from './summary.fixture.ts'

const TOKEN = `0x${'a1'.repeat(20)}`
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

const checks: ChecksView = {
  hosts: ['one.example', 'two.example'],
  block: '21904877',
  facts: [
    { fact: 'code', about: TOKEN, by: 'proved' },
    { fact: 'balance', about: TOKEN, by: 'proved' },
    { fact: 'code', about: `0x${'b2'.repeat(20)}`, by: 'proved' },
    { fact: 'allowance', about: TOKEN, by: 'alone' },
  ],
}
const effect = {
  kind: 'transaction',
  acts: [],
  tokens: [{ address: TOKEN, symbol: 'USDC', decimals: 6, balance: null, listed: true }],
} as unknown as TransactionEffect
const asked = { network, effect }

test('facts are grouped by how they are checked, worst first, each named once', () => {
  expect(checkedGroups(checks)).toEqual([
    { by: 'alone', facts: 'Allowance' },
    { by: 'proved', facts: 'Code of the address and Balance' },
  ])
  expect(worstCheck(checks)).toBe('alone')
  expect(comparedAt(checks)).toBe('one.example and two.example, at block 21,904,877')
  expect(comparedAt({ ...checks, block: null })).toBe('two.example could not be compared with one.example in time.')
})

test.each([
  ['balance', ['1000000000000000000', '0'], ['1\u00a0ETH', '0\u00a0ETH']],
  ['tokenBalance', ['2500000', '0'], ['2.5\u00a0USDC', '0\u00a0USDC']],
  ['code', [NO_CODE, `0xabcd${'0'.repeat(56)}ef01`], ['no code', 'code 0xabcd…ef01']],
  ['code', ['code', NO_CODE], ['code', 'no code']],
  ['nonce', ['1234', '18446744073709551615'], ['1,234', '18446744073709551615']],
  ['name', ['0x', TOKEN], ['no address', '0xa1a1…a1a1']],
] as const)('what two nodes say about the %s is worded', (fact, said, words) => {
  expect(saidOf({ fact, about: TOKEN, by: 'differs', said }, asked)).toEqual(words)
})

test('a disagreement names the fact, both hosts and both values', () => {
  const values = ['balance', TOKEN, 'one.example', '1000000000000000000', 'two.example', '0']
  const { title, text, loss } = inWords({ level: 'danger', name: 'nodesDisagree', values }, asked)
  expect(title).toBe('Your nodes disagree: Balance')
  expect(text).toContain('one.example answers 1\u00a0ETH, and two.example answers 0\u00a0ETH.')
  expect(loss).toContain('Balance')
})

test('a disagreement about a name is a mark of the typed address', () => {
  const finding: Finding = {
    level: 'danger',
    name: 'nodesDisagree',
    values: ['name', 'alice.eth', 'one.example', TOKEN, 'two.example', '0x'],
  }
  expect(addressMarks([finding])).toMatchObject([{ title: 'Your nodes disagree: Address of the name' }])
})
