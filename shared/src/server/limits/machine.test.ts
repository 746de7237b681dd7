import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { boundsOf, fitted, readMachine } from './machine.ts'

const [MIB, GIB] = [1024 ** 2, 1024 ** 3]

test('limits grow with memory, heap and disk', () => {
  const small = boundsOf({ memory: GIB, heap: 288 * MIB, disk: 20 * GIB })
  const large = boundsOf({ memory: 32 * GIB, heap: 4 * GIB, disk: 200 * GIB })
  for (const [name, bound] of Object.entries(small)) {
    expect(bound, name).toBeGreaterThan(1000)
    expect(large[name as keyof typeof large], name).toBeGreaterThan(bound)
  }
})

test('on the smallest machine all stored data fits into the heap', () => {
  const heap = 288 * MIB
  const { subscriptions, messages, webhookTopics, webhookCalls, webhookBytes } = boundsOf({
    memory: GIB,
    heap,
    disk: 20 * GIB,
  })
  const kept = subscriptions * 600 + messages * 400 + webhookTopics * 1000 + webhookBytes + webhookCalls * 1500
  expect(kept).toBeLessThan(heap * 0.6)
})

test('a setting overrides the computed limit', () => {
  expect([fitted(undefined, 500, 1000), fitted(undefined, 5000, 1000), fitted(7, 500, 1000)]).toEqual([500, 1000, 7])
})

test('reads memory, heap and disk of this machine', () => {
  for (const size of Object.values(readMachine(tmpdir()))) expect(size).toBeGreaterThan(10 * MIB)
})
