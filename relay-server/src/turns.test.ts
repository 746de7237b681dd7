import { NOBODY, type Payers } from '@heliograph/shared/server/shares'
import { sharesOf } from '@heliograph/shared/server/shares.fixture'
import { expect, test } from 'vitest'
import type { Peer } from './delivery.ts'
import { createTurns } from './turns.ts'

const ignore = () => undefined

const peerOf = (connection: { isOpen: boolean }, payers: Payers = NOBODY): Peer => ({
  client: 'socket:1',
  connection: { ...connection, send: ignore, sendBytes: ignore, hasRoom: () => true, charge: ignore },
  subscriptions: [],
  unacknowledged: [],
  publishesTo: '',
  payers,
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

test('peers of one address have one piece of work done at a time', async () => {
  const inTurn = createTurns()
  const { alone } = sharesOf().accountOf('address', '192.0.2.1')
  let release = (): void => undefined
  const first = inTurn(peerOf({ isOpen: true }, alone), () => new Promise<void>(resolve => (release = resolve)))
  let isSecondDone = false
  const second = inTurn(peerOf({ isOpen: true }, alone), async () => {
    isSecondDone = true
  })
  await new Promise(setImmediate)
  expect(isSecondDone).toBe(false)
  release()
  await Promise.all([first, second])
  expect(isSecondDone).toBe(true)
})
