import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { addressesOf } from '../transactions/address-checks.ts'
import { readCall } from './call.ts'
import { type AddressChecks, reviewDestinations } from './destinations.ts'
import { judged } from './judge.fixture.ts'
import { reviewUnreached } from './transaction.ts'

const from = `0x${'0a'.repeat(20)}` as const
const wallet = `0x${'0b'.repeat(20)}` as const
const friend = `0x1234${'00'.repeat(16)}abcd` as const
const lookalike = `0x1234${'77'.repeat(16)}abcd` as const
const ZERO = `0x${'00'.repeat(20)}` as const
const CHECKS: AddressChecks = { withoutCode: [], withCode: [], delegated: [], tokens: [], safes: [] }
const account = new Interface([
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
])

/** Creates a payment in a smart account's call, inside a batch by the same account. */
const paying = (to: string, data = '0x') => {
  const inner = account.encodeFunctionData('execute', [to, 5n, data])
  return account.encodeFunctionData('executeBatch', [[[wallet, 0n, inner]]]) as Hex
}

test("nested calls' payments have a recipient and a value", () => {
  const { payments } = readCall({ from, to: wallet, data: paying(lookalike) })
  expect(payments.map(({ to, value }) => [to.toLowerCase(), value])).toEqual([[lookalike, '5']])
})

test('a look-alike address that only a nested call pays is found', () => {
  const { effect } = reviewUnreached({ from, to: wallet, data: paying(lookalike) }, 'send', [])
  const contacts = [{ address: friend, name: 'Friend' }]
  expect(judged(effect, { account: from, known: { contacts } })).toContain('danger lookalikeAddress')
})

test('a nested payment is judged by its recipient', () => {
  const { effect } = reviewUnreached({ from, to: wallet, data: paying(lookalike) }, 'send', [])
  expect(judged(effect, { account: from })).toContain('caution firstRecipient')
  const contacts = [{ address: lookalike, name: 'Friend' }]
  expect(judged(effect, { account: from, known: { contacts } })).not.toContain('caution firstRecipient')
})

test('a nested payment to the zero address is found', () => {
  const { calls } = addressesOf({ from, to: wallet, data: paying(ZERO) })
  expect(reviewDestinations(calls, CHECKS)).toMatchObject([{ level: 'danger', name: 'sentToZero' }])
})

test('a nested payment with data to an address without code is found', () => {
  const { calls } = addressesOf({ from, to: wallet, data: paying(lookalike, '0x12345678') })
  expect(reviewDestinations(calls, { ...CHECKS, withoutCode: [lookalike] })).toMatchObject([
    { level: 'danger', name: 'paysNoContract' },
  ])
})
