import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { FROM_PAGE, FROM_WALLET, GONE, PING } from './messages.ts'

const listenersOf = <Value>() => {
  const listeners: ((value: Value) => void)[] = []
  return {
    addListener: (listener: (value: Value) => void) => void listeners.push(listener),
    fire: (value: Value) => {
      for (const listener of listeners) listener(value)
    },
  }
}

/** Returns the page's end of a port, and the messages posted to it. */
const openPort = () => ({
  posted: [] as unknown[],
  isOpen: true,
  disconnect() {
    this.isOpen = false
  },
  postMessage(message: unknown) {
    this.posted.push(message)
  },
  onMessage: listenersOf<unknown>(),
  onDisconnect: listenersOf<undefined>(),
})

const ports: ReturnType<typeof openPort>[] = []
const events = listenersOf<unknown>()
const runtime: { id: string | undefined; connect(): unknown; onMessage: typeof events } = {
  id: 'heliograph',
  connect: () => connect(),
  onMessage: events,
}
const connect = () => {
  if (runtime.id === undefined) throw new Error('Extension context invalidated.')
  const port = openPort()
  ports.push(port)
  return port
}

/** Messages that the page received. */
const heard: unknown[] = []
const page = Object.assign(new EventTarget(), {
  postMessage: ({ source, message }: { source: string; message: unknown }) => {
    if (source === FROM_WALLET) heard.push(message)
  },
})
const post = (source: unknown, data: unknown) =>
  page.dispatchEvent(Object.assign(new Event('message'), { source, data }))
const ask = (id: string) => post(page, { source: FROM_PAGE, message: { id, method: 'eth_accounts' } })
const comeBack = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))

beforeAll(async () => {
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', { contentType: 'text/html' })
  vi.stubGlobal('chrome', { runtime })
  await import('./content.ts')
})
beforeEach(() => {
  ports.at(-1)?.onDisconnect.fire(undefined)
  ports.length = 0
  heard.length = 0
  runtime.id = 'heliograph'
})

test('a page closes its port when hidden, also for the back/forward cache, and repeats its requests when shown again', () => {
  ask('1')
  expect(ports.map(({ isOpen }) => isOpen)).toEqual([true])
  page.dispatchEvent(new Event('pagehide'))
  expect(ports.map(({ isOpen }) => isOpen)).toEqual([false])
  comeBack(true)
  expect(heard).toEqual([{ notice: 'resend' }])
  ask('1')
  expect(ports.map(({ isOpen }) => isOpen)).toEqual([false, true])
})

test('the first request opens the port, which carries all requests, responses and events', () => {
  expect(ports).toEqual([])
  ask('1')
  ask('2')
  expect(ports.map(({ posted }) => posted)).toEqual([
    [
      { id: '1', method: 'eth_accounts' },
      { id: '2', method: 'eth_accounts' },
    ],
  ])
  ports[0]?.onMessage.fire({ id: '1', result: [] })
  events.fire({ event: 'chainChanged', data: '0x1' })
  expect(heard).toEqual([
    { id: '1', result: [] },
    { event: 'chainChanged', data: '0x1' },
  ])
})

test('accepts messages from this window only', () => {
  for (const source of [null, new EventTarget()]) post(source, { source: FROM_PAGE, message: { id: '1' } })
  for (const data of [null, 'text', { source: FROM_WALLET, message: {} }, { message: {} }]) post(page, data)
  expect(ports).toEqual([])
})

test('notifies the page of a broken port, and opens another for the next request', () => {
  ask('1')
  ports[0]?.onDisconnect.fire(undefined)
  expect(heard).toEqual([{ notice: 'resend' }])
  ask('1')
  expect(ports).toHaveLength(2)
})

test('a page restored from the cache has lost its port without an event', () => {
  ask('1')
  comeBack(false)
  expect(heard).toEqual([])
  comeBack(true)
  expect(heard).toEqual([{ notice: 'resend' }])
  ask('1')
  ports[0]?.onDisconnect.fire(undefined)
  ask('2')
  expect(ports.map(({ posted }) => posted.length)).toEqual([1, 2])
})

test('notifies the page at once that the extension was removed, and again on each request', () => {
  ask('1')
  runtime.id = undefined
  ports[0]?.onDisconnect.fire(undefined)
  expect(heard).toEqual([GONE])
  ask('2')
  expect(heard).toEqual([GONE, GONE])
})

test('detects the removal of the extension by polling, and then stops polling', () => {
  vi.useFakeTimers()
  ask('1')
  vi.advanceTimersByTime(10_000)
  expect(heard).toEqual([])
  runtime.id = undefined
  vi.advanceTimersByTime(10_000)
  expect(heard).toEqual([GONE])
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('replaces a port that broke without an event', () => {
  ask('1')
  const [broken] = ports
  if (!broken) throw new Error('no port was opened')
  broken.postMessage = () => {
    throw new Error('Attempting to use a disconnected port object')
  }
  ask('2')
  expect(heard).toEqual([{ notice: 'resend' }])
  ask('2')
  expect(ports[1]?.posted).toEqual([{ id: '2', method: 'eth_accounts' }])
})

test('does not forward a ping', () => {
  events.fire(PING)
  expect(heard).toEqual([])
})
