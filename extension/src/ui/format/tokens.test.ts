import { expect, test } from 'vitest'
import { firstLimit, revocationStatus } from './tokens.ts'

const FIRST = { hash: '0x1', status: 'replaced', purpose: 'transaction', replacedBy: '0x2' } as const
const FASTER = { hash: '0x2', status: 'confirmed', purpose: 'speedUp', replacedBy: null } as const

test('a sped-up revocation has the status of its replacement', () => {
  expect(revocationStatus([FASTER, FIRST], '0x1')).toBe('confirmed')
  expect(revocationStatus([{ ...FASTER, status: 'failed' }, FIRST], '0x1')).toBe('failed')
})

test('a revocation replaced by an unrelated transaction has no status', () => {
  expect(revocationStatus([{ ...FASTER, purpose: 'cancel' }, FIRST], '0x1')).toBeNull()
  expect(revocationStatus([{ ...FIRST, replacedBy: null }], '0x1')).toBeNull()
})

test('other revocations have their own status; none is null', () => {
  expect(revocationStatus([{ ...FIRST, status: 'pending', replacedBy: null }], '0x1')).toBe('pending')
  expect(revocationStatus([FASTER], undefined)).toBeNull()
  expect(revocationStatus([FASTER], '0x1')).toBeNull()
})

test('the initial limit is the requested amount, or the balance if that is less', () => {
  expect(firstLimit('5', '9')).toBe('5')
  expect(firstLimit('10', '9')).toBe('9')
  for (const held of [null, '0']) expect(firstLimit('5', held)).toBeUndefined()
})
