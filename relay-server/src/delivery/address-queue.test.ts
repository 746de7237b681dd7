import { NOBODY, type Payers } from '@heliograph/shared/server/limits/shares'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { expect, test } from 'vitest'
import { createAddressQueue } from './address-queue.ts'
import type { Peer } from './delivery.ts'

const ignore = () => undefined

const peerOf = (connection: { isOpen: boolean }, payers: Payers = NOBODY): Peer => ({
  client: 'socket:1',
  connection: { ...connection, send: ignore, sendBytes: ignore, hasRoom: () => true, charge: ignore },
  subscriptions: [],
  unacknowledged: [],
  publishesTo: '',
  payers,
  lastPushId: 0,
  isAwaited: false,
})

test('runs the work of a peer sequentially and in order, even if some of it fails', async () => {
  const inOrder = createAddressQueue()
  const peer = peerOf({ isOpen: true })
  const course: string[] = []
  const work = (name: string) => async () => {
    course.push(`${name} begins`)
    await Promise.resolve()
    course.push(`${name} ends`)
    if (name === 'b') throw new Error(name)
    return name
  }
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(name => inOrder(peer, work(name))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(course).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('peers do not wait for each other, and work of a closed peer is skipped', async () => {
  const inOrder = createAddressQueue()
  const [busy, other, gone] = [peerOf({ isOpen: true }), peerOf({ isOpen: true }), peerOf({ isOpen: false })]
  void inOrder(busy, () => new Promise(() => undefined))
  expect(await inOrder(other, async () => 'done')).toBe('done')
  await expect(inOrder(gone, async () => 'done')).rejects.toMatchObject({ code: -32002 })
})

test('runs the work of an address sequentially', async () => {
  const inOrder = createAddressQueue()
  const { alone } = sharesOf().accountOf('address', '192.0.2.1')
  let release = (): void => undefined
  const first = inOrder(peerOf({ isOpen: true }, alone), () => new Promise<void>(resolve => (release = resolve)))
  let isSecondDone = false
  const second = inOrder(peerOf({ isOpen: true }, alone), async () => {
    isSecondDone = true
  })
  await new Promise(setImmediate)
  expect(isSecondDone).toBe(false)
  release()
  await Promise.all([first, second])
  expect(isSecondDone).toBe(true)
})
