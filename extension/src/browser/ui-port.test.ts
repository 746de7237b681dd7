import { afterEach, expect, test, vi } from 'vitest'
import { watchPresses } from '../hardening/presses.ts'
import browser, { portOf, world } from './browser.fixture.ts'
import { createConnect } from './ui-port.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a wallet page receives the messages of its first port, and opens another one after a disconnect', async () => {
  const [port, next] = [portOf('ui', {}), portOf('ui', {})]
  const connect = vi.spyOn(browser.runtime, 'connect').mockReturnValueOnce(next)
  const heard: unknown[] = []
  const connectUi = createConnect(port)
  const ui = connectUi()
  ui.onMessage(message => heard.push(message))
  ui.onDisconnect(() => heard.push('gone'))
  ui.post({ id: 1, method: 'getState', params: null })
  await port.fromPage({ id: 1, result: null })
  await port.leave()
  expect(connect).not.toHaveBeenCalled()
  connectUi().post({ id: 2, method: 'getState', params: null })
  expect(next.posted).toEqual([{ id: 2, method: 'getState', params: null }])
  expect(connect.mock.calls).toEqual([[{ name: 'ui' }]])
  expect(port.posted).toEqual([{ id: 1, method: 'getState', params: null }])
  expect(heard).toEqual([{ id: 1, result: null }, 'gone'])
  expect(world.connected).toEqual([])
})

test('a signing call needs user activation in the page, and synthetic events do not count', () => {
  vi.useFakeTimers()
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  watchPresses()
  const click = (isTrusted: boolean) => {
    const event = new Event('click')
    Object.defineProperty(event, 'isTrusted', { value: isTrusted })
    page.dispatchEvent(event)
  }
  const port = portOf('ui', {})
  const ui = createConnect(port)()
  const approval = { id: 1, method: 'decide', params: { id: '0', approve: true, revision: 0 } }
  const rejection = { id: 2, method: 'decide', params: { id: '0', approve: false } }

  expect(() => ui.post(approval)).toThrow('press')
  click(false)
  expect(() => ui.post(approval)).toThrow('press')
  expect(() => ui.post({ id: 3, method: 'sendOwn', params: {} })).toThrow('press')
  ui.post(rejection)
  click(true)
  ui.post(approval)
  const sending = { id: 4, method: 'sendOwn', params: { id: '1' } }
  ui.post(sending)
  vi.advanceTimersByTime(1_000)
  // A decision that is sent again after the worker stopped needs no new press. Any other call needs its own press.
  ui.post(approval)
  expect(() => ui.post({ ...approval, id: 5 })).toThrow('press')
  expect(() => ui.post({ ...approval, params: { ...approval.params, revision: 1 } })).toThrow('press')
  expect(() => ui.post(sending)).toThrow('press')
  expect(port.posted).toEqual([rejection, approval, sending, approval])
})
