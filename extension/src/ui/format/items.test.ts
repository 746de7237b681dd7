import { expect, test } from 'vitest'
import type { Act, TokenView } from '../../messages.ts'
import { movedItemOf } from './items.ts'

const CATS = `0x${'ca'.repeat(20)}`
const OWN = `0x${'f3'.repeat(20)}`
const tokens: TokenView[] = [
  { address: CATS.toUpperCase().replace('0X', '0x'), symbol: 'Cats', decimals: null, balance: null, listed: false },
]
const transfer: Act = { kind: 'transfer', token: CATS, from: OWN, to: CATS, amount: '1', id: '7' }
const call: Act = { kind: 'call', contract: CATS, readable: true, named: [] }

test('a call that only transfers one item moves that item', () => {
  const moved = { collection: { address: CATS, name: 'Cats' }, item: { id: '7', amount: '1' } }
  expect(movedItemOf({ acts: [transfer, call], tokens })).toEqual(moved)
  expect(movedItemOf({ acts: [transfer], tokens: [] })).toEqual({ ...moved, collection: { address: CATS, name: null } })
})

test.each<[string, readonly Act[]]>([
  ['nothing', [call]],
  ['an amount of a token', [{ ...transfer, id: null }]],
  ['two items', [transfer, { ...transfer, id: '8' }]],
  ['an item and an allowance', [transfer, { kind: 'allowAll', token: CATS, spender: OWN, allowed: true }]],
  ['an item and control', [transfer, { kind: 'control', right: 'owner', of: CATS, to: OWN }]],
])('a call that moves %s has no moved item', (_, acts) => {
  expect(movedItemOf({ acts, tokens })).toBeUndefined()
})
