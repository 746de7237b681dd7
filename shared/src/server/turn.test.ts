import { expect, test, vi } from 'vitest'
import { atEndOfTurn, createTurnClock, endOfTurn } from './turn.ts'

test('what is to be done at the end of a turn is done in order, and what it asks for in the next', async () => {
  const done: string[] = []
  atEndOfTurn(() => {
    done.push('first')
    atEndOfTurn(() => done.push('next'))
  })
  atEndOfTurn(() => done.push('second'))
  expect(done).toEqual([])
  await endOfTurn()
  expect(done).toEqual(['first', 'second'])
  await endOfTurn()
  expect(done).toEqual(['first', 'second', 'next'])
})

test('the clock stands still within a turn of the event loop, and goes on in the next', async () => {
  const now = createTurnClock(() => performance.now())
  const first = now()
  const until = performance.now() + 2
  while (performance.now() < until);
  expect(now()).toBe(first)
  await endOfTurn()
  await endOfTurn()
  expect(now()).toBeGreaterThan(first)
})

test('an act that throws stops no other act of its turn', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const fault = new Error('broken')
  const done: string[] = []
  atEndOfTurn(() => done.push('before'))
  atEndOfTurn(() => {
    throw fault
  })
  atEndOfTurn(() => done.push('after'))
  await endOfTurn()
  expect(done).toEqual(['before', 'after'])
  expect(warn).toHaveBeenCalledExactlyOnceWith(fault)
  warn.mockRestore()
})
