import { expect, test } from 'vitest'
import { createInProgress } from './in-progress.ts'

test('a request with the key of one in progress joins it, and starts anew after that', async () => {
  const { join } = createInProgress()
  let started = 0
  const start = async () => {
    started += 1
    return started
  }
  expect(await Promise.all([join('a', start), join('a', start), join('b', start)])).toEqual([1, 1, 2])
  expect(await join('a', start)).toBe(3)
})

test('a failed request fails for all who joined it, and can be repeated', async () => {
  const { join } = createInProgress()
  const fail = async () => Promise.reject(new Error('no'))
  const both = await Promise.allSettled([join('a', fail), join('a', async () => 1)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await join('a', async () => 1)).toBe(1)
})

test('only a request in progress can be withdrawn, until it ends', async () => {
  const { join, withdraw, assertWanted } = createInProgress()
  withdraw('a')
  assertWanted('a')
  const withdrawn = join('a', async () => {
    await Promise.resolve()
    assertWanted('a')
  })
  withdraw('a')
  await expect(withdrawn).rejects.toMatchObject({ code: 4001 })
  assertWanted('a')
})
