import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { each } from './each.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('runs the work for every item, at most 16 at a time', async () => {
  let running = 0
  let most = 0
  const seen: number[] = []
  await each(numbers(50), async item => {
    running += 1
    most = Math.max(most, running)
    await pause(1)
    seen.push(item)
    running -= 1
  })
  expect(seen.toSorted((a, b) => a - b)).toEqual(numbers(50))
  expect(most).toBe(16)
})

test('rejects with the first error once the running work has settled, and starts no more', async () => {
  const started: number[] = []
  let ended = 0
  const work = each(numbers(100), async item => {
    started.push(item)
    await pause(item === 3 ? 1 : 5)
    ended += 1
    if (item === 3) throw new Error('the fourth')
  })
  await expect(work).rejects.toThrow('the fourth')
  expect(started.length).toBeLessThan(30)
  expect(ended).toBe(started.length)
})
