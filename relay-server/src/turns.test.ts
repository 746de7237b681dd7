import { NOBODY } from '@heliograph/shared/server/shares'
import { expect, test } from 'vitest'
import type { Peer } from './delivery.ts'
import { createTurns } from './turns.ts'

const ignore = () => undefined

const peerOf = (connection: { isOpen: boolean }): Peer => ({
  client: 'socket:1',
  connection: { ...connection, send: ignore, sendBytes: ignore, hasRoom: () => true },
  subscriptions: new Map(),
  unacknowledged: [],
  publishesTo: '',
  payers: NOBODY,
  lastPushId: 0,
  isOwing: false,
})

test('a peer has its work done piece by piece, in the order of asking, whatever becomes of a piece', async () => {
  const inTurn = createTurns()
  const peer = peerOf({ isOpen: true })
  const course: string[] = []
  const work = (name: string) => async () => {
    course.push(`${name} begins`)
    await Promise.resolve()
    course.push(`${name} ends`)
    if (name === 'b') throw new Error(name)
    return name
  }
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(name => inTurn(peer, work(name))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(course).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('one peer does not wait for another, and nothing is done for one that has gone', async () => {
  const inTurn = createTurns()
  const [busy, other, gone] = [peerOf({ isOpen: true }), peerOf({ isOpen: true }), peerOf({ isOpen: false })]
  void inTurn(busy, () => new Promise(() => undefined))
  expect(await inTurn(other, async () => 'done')).toBe('done')
  await expect(inTurn(gone, async () => 'done')).rejects.toMatchObject({ code: -32002 })
})
