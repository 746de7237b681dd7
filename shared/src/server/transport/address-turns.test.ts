import { expect, test } from 'vitest'
import { endOfTurn, TOKENS_A_TURN } from '../process/turn.ts'
import { createAddressTurns } from './address-turns.ts'

const MIB = 1024 ** 2

const onFault = (fault: unknown): never => {
  throw fault
}

/** Does work with this cost in tokens, now if the address is free, and records what was done. */
const turnsOf = (cost: number) => {
  const done: string[] = []
  const turns = createAddressTurns(onFault)
  const take = (address: string | undefined, name: string): void => {
    turns.take(address, name.length, () => {
      done.push(name)
      return cost
    })
  }
  return { turns, take, look: () => done.splice(0) }
}

test('an address gets a slice of each turn, in order, and delays neither other nor exempt addresses', async () => {
  const { turns, take, look } = turnsOf(TOKENS_A_TURN / 2)
  const [busy, other] = ['192.0.2.1', '192.0.2.2']
  for (let count = 1; count <= 5; count++) take(busy, `a${count}`)
  take(other, 'b1')
  expect(look()).toEqual(['a1', 'a2', 'b1'])
  await endOfTurn()
  expect(look()).toEqual(['a3', 'a4'])
  take(busy, 'a6')
  take(other, 'b2')
  expect(look()).toEqual(['b2'])
  for (const name of ['e1', 'e2', 'e3']) take(undefined, name)
  expect(look()).toEqual(['e1', 'e2', 'e3'])
  await turns.settled()
  expect(look()).toEqual(['a5', 'a6'])
})

test('work that costs more than a slice is paid for in the following turns', async () => {
  const { take, look } = turnsOf(3 * TOKENS_A_TURN)
  const address = '192.0.2.1'
  take(address, 'a1')
  take(address, 'a2')
  expect(look()).toEqual(['a1'])
  await endOfTurn()
  await endOfTurn()
  expect(look()).toEqual([])
  await endOfTurn()
  expect(look()).toEqual(['a2'])
})

test.each([
  ['long', MIB, 16],
  ['short', 1, 32_768],
])('queued work has a limit: %s items', async (_, length, most) => {
  const turns = createAddressTurns(onFault)
  const address = '192.0.2.1'
  let done = 0
  const act = () => {
    done += 1
    return TOKENS_A_TURN
  }
  let taken = 0
  while (turns.wait(address, length, act)) taken += 1
  expect(taken).toBe(most)
  expect(turns.wait('192.0.2.2', length, act)).toBe(true)
  await turns.settled()
  expect(done).toBe(most + 1)
})

test('an address has its slice again once later turns have covered its spent tokens', async () => {
  const { turns } = turnsOf(0)
  const address = '192.0.2.1'
  turns.spend(address, TOKENS_A_TURN + 1)
  expect(turns.isFree(address)).toBe(false)
  await endOfTurn()
  expect(turns.isFree(address)).toBe(true)
})

test('work that throws is reported, and the work queued after it is done', async () => {
  const faults: unknown[] = []
  const turns = createAddressTurns(fault => faults.push(fault))
  const fault = new Error('planted')
  const throwing = (): number => {
    throw fault
  }
  const done: string[] = []
  const noting = (name: string) => () => {
    done.push(name)
    return 1
  }
  turns.spend('192.0.2.1', TOKENS_A_TURN)
  turns.wait('192.0.2.1', 1, throwing)
  turns.wait('192.0.2.1', 1, noting('behind'))
  turns.wait('192.0.2.2', 1, noting('other'))
  for (const address of ['192.0.2.3', undefined]) expect(turns.take(address, 1, throwing)).toBe(true)
  await turns.settled()
  expect(done).toEqual(['behind', 'other'])
  expect(faults).toEqual([fault, fault, fault])
})
