import { expect, test } from 'vitest'
import { revocationStatus } from './allowances.ts'

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
