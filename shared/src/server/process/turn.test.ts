import { expect, test, vi } from 'vitest'
import { atEndOfTurn, createTurnClock, endOfTurn, settleInTurns, TOKENS_A_TURN } from './turn.ts'

test('runs callbacks at the end of the turn in order, and nested callbacks in the next turn', async () => {
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

test('the clock is constant within a turn of the event loop', async () => {
  const now = createTurnClock(() => performance.now())
  const first = now()
  const until = performance.now() + 2
  while (performance.now() < until);
  expect(now()).toBe(first)
  await endOfTurn()
  await endOfTurn()
  expect(now()).toBeGreaterThan(first)
})

test('a callback that throws does not stop others', async () => {
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

test('starts a long list over several turns, and reports each failure', async () => {
  const items = Array.from({ length: 2.5 * TOKENS_A_TURN }, (_, index) => index)
  let begun = 0
  const settled = settleInTurns(items, async item => {
    begun += 1
    if (item === 3) throw new Error('three')
    return item
  })
  expect(begun).toBe(TOKENS_A_TURN)
  await endOfTurn()
  expect(begun).toBe(2 * TOKENS_A_TURN)
  const results = await settled
  expect(results).toHaveLength(items.length)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(results.at(-1)).toEqual({ status: 'fulfilled', value: items.length - 1 })
})

test('items that cost more than a slice are paid for in the following turns', async () => {
  const begun: number[] = []
  const begin = async (item: number) => void begun.push(item)
  const settled = settleInTurns([1, 2, 3], begin, () => 2 * TOKENS_A_TURN)
  expect(begun).toEqual([1])
  await endOfTurn()
  expect(begun).toEqual([1])
  await endOfTurn()
  expect(begun).toEqual([1, 2])
  await settled
  expect(begun).toEqual([1, 2, 3])
})
