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

test('everything is restored in order, even after a call with nothing to restore', async () => {
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

test('failed work is retried until it succeeds, and nothing is restored once the server stops', async () => {
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

test('a sign of a loss during a restore starts another restore, and many signs start only one', async () => {
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

test('several signs of one loss count once, and the loss is reported for ten minutes', () => {
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
