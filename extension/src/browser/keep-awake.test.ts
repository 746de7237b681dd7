import { beforeEach, expect, test, vi } from 'vitest'
import type { SocketListener, Sockets } from '../wallet/session/relay-client.ts'
import { CALL_INTERVAL, keepAwake, RETRY_TIME } from './keep-awake.ts'

const calls = vi.hoisted(() => ({ count: 0 }))

vi.mock('./api.ts', () => ({
  default: {
    runtime: {
      getPlatformInfo: async () => {
        calls.count += 1
      },
    },
  },
}))

let listeners: SocketListener[]
let sockets: Sockets
const listener: SocketListener = { opened: () => undefined, received: () => undefined, closed: () => undefined }

beforeEach(() => {
  vi.useFakeTimers()
  calls.count = 0
  listeners = []
  sockets = keepAwake({
    open: (_name, _url, given) => {
      listeners.push(given)
      return { send: () => undefined, close: () => undefined }
    },
    closeAll: () => undefined,
  })
})

/** How many calls are made in that time, in ms. */
const callsIn = (time: number): number => {
  const before = calls.count
  vi.advanceTimersByTime(time)
  return calls.count - before
}

test('without a socket nothing is called', () => {
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})

test('while a socket is open the API is called more often than the browser stops an idle page', () => {
  sockets.open('relay', 'ws://relay', listener)
  expect(CALL_INTERVAL).toBeLessThan(30_000)
  expect(callsIn(100 * CALL_INTERVAL)).toBe(100)
})

test('the calls go on while a lost relay is tried again, and end when it is not', () => {
  sockets.open('relay', 'ws://relay', listener)
  vi.advanceTimersByTime(CALL_INTERVAL)
  listeners[0]?.closed(1006, '')
  expect(callsIn(RETRY_TIME - CALL_INTERVAL)).toBeGreaterThan(2)
  sockets.open('relay', 'ws://relay', listener)
  expect(callsIn(2 * RETRY_TIME)).toBe((2 * RETRY_TIME) / CALL_INTERVAL)
  listeners[1]?.closed(1006, '')
  vi.advanceTimersByTime(RETRY_TIME)
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})

test('the calls end after the wallet has closed its last socket', () => {
  const [one, other] = ['one', 'other'].map(name => sockets.open(name, `ws://${name}`, listener))
  one?.close()
  expect(callsIn(2 * RETRY_TIME)).toBeGreaterThan(RETRY_TIME / CALL_INTERVAL)
  other?.close()
  vi.advanceTimersByTime(RETRY_TIME)
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})

test('a socket that was replaced does not end the calls for the one in its place', () => {
  const replaced = sockets.open('relay', 'ws://relay', listener)
  sockets.open('relay', 'ws://relay', listener)
  replaced.close()
  expect(callsIn(10 * RETRY_TIME)).toBe((10 * RETRY_TIME) / CALL_INTERVAL)
})

test('when all sockets are closed at once the calls end at once', () => {
  sockets.open('relay', 'ws://relay', listener)
  sockets.closeAll()
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})
