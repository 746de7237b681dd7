import { expect, test } from 'vitest'
import { createRecent, type RecentItem } from './recent.ts'

const place = { chunk: { id: 1, messages: 1, live: 1, changes: 0, isSafe: true }, at: 0 }
const item = (size: number, isStored = true): RecentItem => ({
  size,
  isOpen: false,
  place: isStored ? place : undefined,
  message: {
    seq: 1,
    topic: 't',
    publisher: 'socket:1',
    message: 'x'.repeat(size),
    publishedAt: 0,
    expiresAt: 0,
    tag: 0,
    attestation: '',
  },
})
const kept = (items: readonly RecentItem[]): boolean[] => items.map(({ message }) => message !== undefined)

test('the oldest make room for the newest', () => {
  const recent = createRecent(100)
  const items = [item(40), item(40), item(40)]
  for (const one of items) recent.add(one)
  expect(kept(items)).toEqual([false, true, true])
})

test('what is removed makes room', () => {
  const recent = createRecent(100)
  const [first, second, third] = [item(40), item(40), item(60)]
  recent.add(first)
  recent.add(second)
  recent.remove(second)
  recent.remove(second)
  recent.add(third)
  expect(kept([first, second, third])).toEqual([true, false, true])
})

test('what is not stored stays until it is', () => {
  const recent = createRecent(100)
  const items = [item(60, false), item(60, false), item(60, false)]
  for (const one of items) recent.add(one)
  expect(kept(items)).toEqual([true, true, true])
  for (const one of items.slice(0, 2)) one.place = place
  const last = item(60, false)
  recent.add(last)
  expect(kept([...items, last])).toEqual([false, false, true, true])
})

test('however short they are, they are not kept without end', () => {
  const recent = createRecent(1_000_000)
  const items = Array.from({ length: 200_000 }, () => item(1))
  for (const one of items) recent.add(one)
  expect(kept(items).filter(Boolean)).toHaveLength(65_536)
  expect(kept(items).at(-1)).toBe(true)
})
