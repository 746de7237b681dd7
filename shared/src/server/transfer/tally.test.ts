import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

test('has a line for each kind, for expired items, and for notes', () => {
  const tally = createTally(['topics', 'messages'])
  tally.moved('messages', 2)
  tally.moved('messages', 3)
  tally.note('1 signing key')
  expect(tally.lines()).toEqual(['0 topics', '5 messages', 'expired and left out: nothing', '1 signing key'])
  tally.expired('subscriptions', 0)
  tally.expired('messages', 4)
  tally.expired('calls', 1)
  expect(tally.lines()[2]).toBe('expired and left out: 1 calls, 4 messages')
})
