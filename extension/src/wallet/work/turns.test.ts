import { expect, test, vi } from 'vitest'
import { createFollower } from './turns.ts'

/** Creates a follower, each run of whose work the test completes. */
const start = () => {
  const runs: (() => void)[] = []
  const follower = createFollower(() => new Promise<void>(resolve => void runs.push(resolve)))
  return { follower, runs }
}

test('all changes of one turn have one run, and a change during a run has another', async () => {
  const { follower, runs } = start()
  for (const _ of [1, 2, 3]) follower.changed()
  await expect.poll(() => runs).toHaveLength(1)
  for (const _ of [1, 2]) follower.changed()
  runs[0]?.()
  await expect.poll(() => runs).toHaveLength(2)
  runs[1]?.()
  await new Promise(resolve => setTimeout(resolve))
  expect(runs).toHaveLength(2)
})

test('an action that changes something resolves after the run that began after the change', async () => {
  const { follower, runs } = start()
  follower.changed()
  await expect.poll(() => runs).toHaveLength(1)
  let isDone = false
  const done = follower.after(async () => follower.changed()).then(() => (isDone = true))
  runs[0]?.()
  await expect.poll(() => runs).toHaveLength(2)
  expect(isDone).toBe(false)
  runs[1]?.()
  await done
})

test('an action that changes nothing does not wait, and an error is thrown at once', async () => {
  const { follower, runs } = start()
  follower.changed()
  await expect.poll(() => runs).toHaveLength(1)
  expect(await follower.after(async () => 'read')).toBe('read')
  await expect(follower.after(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('an action that fails after a change throws once the work has run', async () => {
  const { follower, runs } = start()
  let isOver = false
  const failed = follower
    .after(async () => {
      follower.changed()
      throw new Error('no')
    })
    .finally(() => (isOver = true))
  failed.catch(() => undefined)
  await expect.poll(() => runs).toHaveLength(1)
  expect(isOver).toBe(false)
  runs[0]?.()
  await expect(failed).rejects.toThrow('no')
})

test('a failed run is reported and ends nothing', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let runs = 0
  const follower = createFollower(async () => {
    runs++
    throw new Error('no disk')
  })
  await follower.after(async () => follower.changed())
  await follower.after(async () => follower.changed())
  expect(runs).toBe(2)
  expect(log).toHaveBeenCalledTimes(2)
  log.mockRestore()
})
