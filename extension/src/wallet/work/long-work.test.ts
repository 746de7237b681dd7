import { afterEach, expect, test, vi } from 'vitest'
import { longWork } from './long-work.ts'

afterEach(() => vi.unstubAllGlobals())

test('without a scheduler, the work runs directly', async () => {
  expect(await longWork(async () => 7)).toBe(7)
  const failed = longWork(async () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
})

test('with a scheduler, the work runs at the lowest priority', async () => {
  const priorities: string[] = []
  const postTask = (work: () => Promise<unknown>, { priority }: { priority: string }) => {
    priorities.push(priority)
    return work()
  }
  vi.stubGlobal('scheduler', { postTask })
  expect(await longWork(async () => 7)).toBe(7)
  expect(priorities).toEqual(['background'])
})
