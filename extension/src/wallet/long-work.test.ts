import { afterEach, expect, test, vi } from 'vitest'
import { longWork } from './long-work.ts'

afterEach(() => vi.unstubAllGlobals())

test('where there is no scheduler, work is simply done', async () => {
  expect(await longWork(async () => 7)).toBe(7)
  const failed = longWork(async () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
})

test('where there is one, work is done at the lowest priority', async () => {
  const priorities: string[] = []
  const postTask = (work: () => Promise<unknown>, { priority }: { priority: string }) => {
    priorities.push(priority)
    return work()
  }
  vi.stubGlobal('scheduler', { postTask })
  expect(await longWork(async () => 7)).toBe(7)
  expect(priorities).toEqual(['background'])
})
