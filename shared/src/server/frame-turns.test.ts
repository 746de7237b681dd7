import { expect, test } from 'vitest'
import { createFrameTurns } from './frame-turns.ts'
import { endOfTurn, TOKENS_A_TURN } from './turn.ts'

const MIB = 1024 ** 2
const DEAR = TOKENS_A_TURN / 2

/** Frame turns with a fixed cost per frame, and the texts handled so far. */
const turnsOf = (cost: number) => {
  const handled: string[] = []
  const turns = createFrameTurns((to: string, frame: Buffer) => {
    handled.push(`${to}${frame}`)
    return cost
  })
  const take = (address: object, to: string, text: string): boolean => turns.take(address, to, Buffer.from(text))
  return { turns, take, handled, look: () => handled.splice(0) }
}

test('an address gets a slice of each turn, in order, and does not delay another', async () => {
  const { turns, take, look } = turnsOf(DEAR)
  const [busy, other] = [{}, {}]
  for (let count = 1; count <= 5; count++) take(busy, 'a', `${count}`)
  take(other, 'b', '1')
  expect(look()).toEqual(['a1', 'a2', 'b1'])
  await endOfTurn()
  expect(look()).toEqual(['a3', 'a4'])
  take(busy, 'a', '6')
  take(other, 'b', '2')
  expect(look()).toEqual(['b2'])
  await turns.settled()
  expect(look()).toEqual(['a5', 'a6'])
})

test('an expensive frame is paid for in the following turns', async () => {
  const { take, look } = turnsOf(3 * TOKENS_A_TURN)
  const address = {}
  take(address, 'a', '1')
  take(address, 'a', '2')
  expect(look()).toEqual(['a1'])
  await endOfTurn()
  await endOfTurn()
  expect(look()).toEqual([])
  await endOfTurn()
  expect(look()).toEqual(['a2'])
})

test('queued frames are copied, because their buffer is reused', async () => {
  const { turns, take, handled } = turnsOf(TOKENS_A_TURN)
  const address = {}
  const bytes = Buffer.from('kept')
  take(address, 'a', 'first')
  turns.take(address, 'a', bytes)
  bytes.fill(0)
  await turns.settled()
  expect(handled).toEqual(['afirst', 'akept'])
})

test.each([
  ['long', MIB, 15],
  ['short', 1, 32_000],
])('limits queued frames: %s ones', async (_, length, least) => {
  const { turns, take, handled } = turnsOf(TOKENS_A_TURN)
  const address = {}
  const text = 'x'.repeat(length)
  let taken = 0
  while (take(address, 'a', text)) taken += 1
  expect(taken).toBeGreaterThan(least)
  expect(taken * length).toBeLessThan(18 * MIB)
  expect(take({}, 'b', text)).toBe(true)
  await turns.settled()
  expect(handled).toHaveLength(taken + 1)
})
