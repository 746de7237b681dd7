import { expect, test } from 'vitest'
import type { Effect } from '../messages.ts'
import { failureKindOf, progressOf } from './outcome.ts'

const refused = { code: -32003, message: 'nonce too low' }
const unsure = { code: 4901, message: 'no answer', data: { hash: '0x12' } }
const effect = (parts: object) => parts as Effect

test('a transaction that is sent may have been sent where its hash is told, and was not sent otherwise', () => {
  const sent = effect({ kind: 'transaction', broadcast: true })
  expect([progressOf(sent), failureKindOf(sent, refused), failureKindOf(sent, unsure)]).toEqual([
    'sendingNow',
    'send',
    'unsure',
  ])
  expect(failureKindOf(effect({ kind: 'calls' }), refused)).toBe('send')
})

test('whatever is only signed is not signed when it fails', () => {
  for (const kind of ['message', 'typedData', 'transaction']) {
    const signed = effect({ kind, broadcast: false })
    expect([progressOf(signed), failureKindOf(signed, refused)]).toEqual(['signingNow', 'sign'])
  }
})

test('anything else changes nothing when it fails', () => {
  expect(progressOf(effect({ kind: 'connect' }))).toBe('connecting')
  for (const kind of ['connect', 'addChain', 'switchChain', 'watchAsset'])
    expect(failureKindOf(effect({ kind }), refused)).toBe('change')
})
