import { expect, test } from 'vitest'
import { reviewNonce, withNonceFindings } from './nonces.ts'

const nonces = { next: '0x6', used: '0x4', unsent: ['0x8', '0x6'], pending: ['0x5'] }

test('the next nonce has no finding, whether it is specified or not', () => {
  expect(reviewNonce(undefined, { next: '0x6', used: '0x6', unsent: ['0x7'], pending: ['0x5'] }, 'send')).toEqual([])
  expect(reviewNonce('0x6', { next: '0x6', used: '0x6', unsent: [], pending: [] }, 'send')).toEqual([])
})

test("a pending transaction's nonce replaces it, and a signed, unsent transaction's nonce displaces it", () => {
  expect(reviewNonce('0x5', nonces, 'send')).toEqual([{ level: 'caution', name: 'replacesPending', values: ['5'] }])
  expect(reviewNonce('0x4', nonces, 'send')).toEqual([{ level: 'caution', name: 'replacesPending', values: ['4'] }])
  expect(reviewNonce(undefined, nonces, 'send')).toEqual([{ level: 'caution', name: 'displacesSigned', values: ['6'] }])
})

test('a used nonce blocks sending, and is a caution for signing', () => {
  const values = ['3', '6']
  expect(reviewNonce('0x3', nonces, 'send')).toEqual([{ level: 'blocked', name: 'nonceUsed', values }])
  expect(reviewNonce('0x3', nonces, 'sign')).toEqual([{ level: 'caution', name: 'nonceUsed', values }])
  expect(reviewNonce('0x4', nonces, 'send').map(({ name }) => name)).toEqual(['replacesPending'])
})

test('a nonce above the next one is a gap', () => {
  expect(reviewNonce('0x7', nonces, 'send')).toEqual([{ level: 'caution', name: 'nonceGap', values: ['7', '6'] }])
  expect(reviewNonce('0x8', nonces, 'send').map(({ name }) => name)).toEqual(['displacesSigned', 'nonceGap'])
})

test('current nonce findings replace the ones shown if any of them is new', () => {
  const found = (name: 'displacesSigned' | 'likelyToFail' | 'nonceGap' | 'replacesPending', ...values: string[]) => ({
    level: 'caution' as const,
    name,
    values,
  })
  const failing = found('likelyToFail', 'no')
  expect(withNonceFindings([failing], [])).toBeNull()
  expect(withNonceFindings([found('replacesPending', '5')], [])).toBeNull()
  expect(withNonceFindings([found('nonceGap', '9', '5')], [found('nonceGap', '9', '6')])).toBeNull()
  expect(withNonceFindings([failing, found('nonceGap', '9', '5')], [found('replacesPending', '9')])).toEqual([
    failing,
    found('replacesPending', '9'),
  ])
  const other = [found('displacesSigned', '6')]
  expect(withNonceFindings([found('displacesSigned', '5')], other)).toEqual(other)
})
