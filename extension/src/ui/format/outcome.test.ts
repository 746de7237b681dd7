import { expect, test } from 'vitest'
import type { Effect } from '../../messages.ts'
import { failureKindOf, progressOf } from './outcome.ts'

const refused = { code: -32003, reason: 'nodeAnswered', values: { text: 'nonce too low' } }
const unsure = { code: 4901, reason: 'sendingUnsure', values: { network: 'Ethereum', hash: '0x12' } }
const effect = (parts: object) => parts as Effect

test('a failed send is uncertain if the node did not respond, and certain otherwise', () => {
  const sent = effect({ kind: 'transaction', broadcast: true })
  expect([progressOf(sent), failureKindOf(sent, refused), failureKindOf(sent, unsure)]).toEqual([
    'sendingNow',
    'send',
    'unsure',
  ])
  expect(failureKindOf(effect({ kind: 'calls' }), refused)).toBe('send')
})

test('a failed signature signs nothing', () => {
  for (const kind of ['message', 'typedData', 'transaction']) {
    const signed = effect({ kind, broadcast: false })
    expect([progressOf(signed), failureKindOf(signed, refused)]).toEqual(['signingNow', 'sign'])
  }
})

test('other failed requests change nothing', () => {
  expect(progressOf(effect({ kind: 'connect' }))).toBe('connecting')
  for (const kind of ['connect', 'addChain', 'switchChain', 'watchAsset'])
    expect(failureKindOf(effect({ kind }), refused)).toBe('change')
})
