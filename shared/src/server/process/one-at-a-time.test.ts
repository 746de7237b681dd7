import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('starts the work again only after it has finished or failed', async () => {
  const ends: ((err?: Error) => void)[] = []
  const faults: unknown[] = []
  const run = oneAtATime(
    () => new Promise<void>((resolve, reject) => ends.push(err => (err ? reject(err) : resolve()))),
    err => faults.push(err),
  )
  for (let call = 0; call < 3; call++) run()
  expect(ends).toHaveLength(1)
  ends[0]?.(new Error('late'))
  await endOfTurn()
  expect(faults).toEqual([new Error('late')])
  run()
  expect(ends).toHaveLength(2)
})
