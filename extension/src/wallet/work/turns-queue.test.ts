import { expect, test } from 'vitest'
import { createSerialQueue } from './turns.ts'

test('tasks run one at a time in order', async () => {
  const inTurn = createSerialQueue()
  const steps: string[] = []
  const task = (name: string, pauses: number) => async () => {
    steps.push(`${name} begins`)
    for (let pause = 0; pause < pauses; pause++) await Promise.resolve()
    steps.push(`${name} ends`)
    return name
  }
  const results = await Promise.all([inTurn(task('slow', 20)), inTurn(task('quick', 0)), inTurn(task('last', 3))])
  expect(results).toEqual(['slow', 'quick', 'last'])
  expect(steps).toEqual(['slow begins', 'slow ends', 'quick begins', 'quick ends', 'last begins', 'last ends'])
})

test('a failed task rejects, and the next one runs', async () => {
  const inTurn = createSerialQueue()
  const failed = inTurn(async () => {
    throw new Error('broken')
  })
  const next = inTurn(async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
