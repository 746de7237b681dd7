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

/** Returns the number of API calls within `time` ms. */
const callsIn = (time: number): number => {
  const before = calls.count
  vi.advanceTimersByTime(time)
  return calls.count - before
}

test('in Firefox the background is stopped as usual while no session or link needs a relay', () => {
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})

test('with an open socket, calls the API more often than the idle timeout', () => {
  sockets.open('relay', 'ws://relay', listener)
  expect(CALL_INTERVAL).toBeLessThan(30_000)
  expect(callsIn(100 * CALL_INTERVAL)).toBe(100)
})

test('in Firefox the background is kept running while it has sockets, and for 90 s after the last one closed', () => {
  expect(RETRY_TIME).toBe(90_000)
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

test('stops after the wallet has closed its last socket', () => {
  const [one, other] = ['one', 'other'].map(name => sockets.open(name, `ws://${name}`, listener))
  one?.close()
  expect(callsIn(2 * RETRY_TIME)).toBeGreaterThan(RETRY_TIME / CALL_INTERVAL)
  other?.close()
  vi.advanceTimersByTime(RETRY_TIME)
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})

test('closing a replaced socket does not stop the calls for its replacement', () => {
  const replaced = sockets.open('relay', 'ws://relay', listener)
  sockets.open('relay', 'ws://relay', listener)
  replaced.close()
  expect(callsIn(10 * RETRY_TIME)).toBe((10 * RETRY_TIME) / CALL_INTERVAL)
})

test('stops at once when all sockets are closed together', () => {
  sockets.open('relay', 'ws://relay', listener)
  sockets.closeAll()
  expect(callsIn(10 * CALL_INTERVAL)).toBe(0)
})
