import { expect, test } from 'vitest'
import { createRecent } from './recent.ts'

const message = (seq: number, length: number) => ({
  seq,
  message: 'x'.repeat(length),
  publishedAt: 0,
  tag: 0,
  attestation: '',
})

test('the oldest make room for the newest', () => {
  const recent = createRecent(100, () => true)
  for (const seq of [1, 2, 3]) recent.add(message(seq, 40))
  expect([1, 2, 3].map(seq => recent.get(seq)?.seq)).toEqual([undefined, 2, 3])
})

test('what is removed makes room', () => {
  const recent = createRecent(100, () => true)
  for (const seq of [1, 2]) recent.add(message(seq, 40))
  recent.remove(2)
  recent.remove(2)
  recent.add(message(3, 60))
  expect([1, 2, 3].map(seq => recent.get(seq)?.seq)).toEqual([1, undefined, 3])
})

test('what may not go stays until it may', () => {
  let safe = 0
  const recent = createRecent(100, seq => seq <= safe)
  for (const seq of [1, 2, 3]) recent.add(message(seq, 60))
  expect([1, 2, 3].map(seq => recent.get(seq)?.seq)).toEqual([1, 2, 3])
  safe = 2
  recent.add(message(4, 60))
  expect([1, 2, 3, 4].map(seq => recent.get(seq)?.seq)).toEqual([undefined, undefined, 3, 4])
})
