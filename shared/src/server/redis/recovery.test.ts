import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../process/eventually.fixture.ts'
import { createLog } from '../process/log.ts'
import { createRecovery, type Recovery } from './recovery.ts'

const MINUTE = 60_000
let time: number
let recovery: Recovery

beforeEach(() => {
  time = 1_700_000_000_000
  recovery = createRecovery(createLog('test', 'silent'), () => time)
})

test('everything is put back in order, also if nothing was registered before', async () => {
  recovery.restore()
  const made: string[] = []
  for (const name of ['a', 'b'])
    recovery.onRestore(async () => {
      made.push(name)
    })
  recovery.restore()
  await turn()
  expect([made, recovery.losses(), recovery.degraded()]).toEqual([['a', 'b'], 0, []])
})

test('what fails is repeated until it succeeds, and nothing is put back once the server stops', async () => {
  const work = vi.fn().mockRejectedValueOnce(new Error('no answer')).mockResolvedValue(undefined)
  recovery.onRestore(work)
  recovery.restore()
  await eventually(() => expect(work).toHaveBeenCalledTimes(2))
  await turn()
  recovery.close()
  recovery.restore()
  await turn()
  expect(work).toHaveBeenCalledTimes(2)
})

test('a sign that comes while something is put back starts it again, and many start it once', async () => {
  const ends: (() => void)[] = []
  recovery.onRestore(() => new Promise<void>(resolve => ends.push(resolve)))
  recovery.restore()
  for (let sign = 0; sign < 5; sign++) recovery.restore()
  ends[0]?.()
  await turn()
  ends[1]?.()
  await turn()
  expect(ends).toHaveLength(2)
})

test('signs of one loss count once, and it is said for ten minutes', () => {
  for (let sign = 0; sign < 256; sign++) recovery.lost()
  expect([recovery.losses(), recovery.degraded()]).toEqual([
    1,
    ['Redis lost stored messages, noticed at 2023-11-14T22:13:20.000Z'],
  ])
  time += 10 * MINUTE
  expect(recovery.degraded()).toEqual([])
  recovery.lost()
  expect(recovery.losses()).toBe(2)
})
