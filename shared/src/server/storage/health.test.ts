import { expect, test } from 'vitest'
import { eventually } from '../process/eventually.fixture.ts'
import { createHealth } from './health.ts'

test('a failed store is tested until it works', async () => {
  let attempts = 0
  const health = createHealth(async () => {
    attempts += 1
    if (attempts < 4) throw new Error('still full')
  }, 1)
  expect(health.failure()).toBeUndefined()
  health.failed('full')
  health.failed('full up')
  expect(health.failure()).toBe('full up')
  await eventually(() => expect(health.failure()).toBeUndefined())
  expect(attempts).toBe(4)
  health.failed('again')
  expect(health.failure()).toBe('again')
  await eventually(() => expect(health.failure()).toBeUndefined())
  expect(attempts).toBe(5)
  await health.close()
})

test('closing waits for the running test and starts no further test', async () => {
  let finish = (): void => {}
  let attempts = 0
  const health = createHealth(() => {
    attempts += 1
    return new Promise((_, reject) => {
      finish = () => reject(new Error('full'))
    })
  }, 1)
  health.failed('full')
  await eventually(() => expect(attempts).toBe(1))
  const closed = health.close()
  finish()
  await closed
  health.failed('full')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(attempts).toBe(1)
  expect(health.failure()).toBe('full')
})
