import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Peer } from '../../delivery/delivery.ts'
import type { Parts } from '../method.ts'
import { subscriptionMethods } from './subscriptions.ts'

const topics = ['ab', 'cd'].map(byte => byte.repeat(32))
const ignore = () => undefined
const peer: Peer = {
  client: 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX',
  connection: { isOpen: true, send: ignore, sendBytes: ignore, hasRoom: () => true, charge: () => undefined },
  subscriptions: [],
  unacknowledged: [],
  publishesTo: '',
  payers: NOBODY,
  lastPushId: 0,
  isAwaited: false,
}

const open = vi.fn()
const parts = { hub: { subscribe: async (_: Peer, topic: string) => ({ id: topic, open }) } } as unknown as Parts
const { batchSubscribe } = subscriptionMethods(parts)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  open.mockClear()
})

test('a v2 client that subscribes in a batch gets its backlog 250 ms after the response', async () => {
  const { result, after } = await batchSubscribe(peer, { topics }, 'irn')
  expect(result).toEqual(topics)
  after?.(performance.now())
  vi.advanceTimersByTime(249)
  expect(open).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(open).toHaveBeenCalledTimes(topics.length)
})

test('under relay_ the backlog follows at once', async () => {
  const { after } = await batchSubscribe(peer, { topics }, 'relay')
  after?.(performance.now())
  expect(open).toHaveBeenCalledTimes(topics.length)
})
