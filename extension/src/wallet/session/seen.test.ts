import { expect, test } from 'vitest'
import { hasSeenHash, hasSeenId, isOrdered, MAX_HASHES, MAX_IDS, NOTHING_SEEN, withHash, withId } from './seen.ts'

test('evicted ids and all lower ones count as seen', () => {
  let seen = NOTHING_SEEN
  for (let id = 1000; id < 1000 + MAX_IDS + 10; id++) seen = withId(seen, `${id}`)
  expect(seen.ids).toHaveLength(MAX_IDS)
  expect(hasSeenId(seen, '1000')).toBe(true)
  expect(hasSeenId(seen, '5')).toBe(true)
  expect(hasSeenId(seen, '1010')).toBe(true)
  expect(hasSeenId(seen, `${1000 + MAX_IDS + 10}`)).toBe(false)
})

test('ids of up to 20 digits, in any order, are each new only once', () => {
  const seen = withId(withId(NOTHING_SEEN, '18446744073709551615'), '7')
  expect([hasSeenId(seen, '7'), hasSeenId(seen, '8'), hasSeenId(seen, '18446744073709551615')]).toEqual([
    true,
    false,
    true,
  ])
})

test('only non-negative integers are ids', () => {
  expect(['1', '"1"', '1.5', '-1', 'null', '1e3', '9'.repeat(21)].map(isOrdered)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('the latest hashes are kept', () => {
  let seen = NOTHING_SEEN
  for (let count = 0; count <= MAX_HASHES; count++) seen = withHash(seen, `${count}`)
  expect([hasSeenHash(seen, '0'), hasSeenHash(seen, '1')]).toEqual([false, true])
})
