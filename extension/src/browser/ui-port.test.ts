import { expect, test, vi } from 'vitest'
import browser, { portOf, world } from './browser.fixture.ts'
import { connectUi } from './ui-port.ts'

vi.mock('webextension-polyfill', () => import('./browser.fixture.ts'))

test('a page of the wallet opens a port of that name, and hears what comes over it', async () => {
  const port = portOf('ui', {})
  const connect = vi.spyOn(browser.runtime, 'connect').mockReturnValueOnce(port)
  const heard: unknown[] = []
  const ui = connectUi()
  ui.onMessage(message => heard.push(message))
  ui.onDisconnect(() => heard.push('gone'))
  ui.post({ id: 1, method: 'getState', params: null })
  await port.fromPage({ id: 1, result: null })
  await port.leave()
  expect(connect.mock.calls).toEqual([[{ name: 'ui' }]])
  expect(port.posted).toEqual([{ id: 1, method: 'getState', params: null }])
  expect(heard).toEqual([{ id: 1, result: null }, 'gone'])
  expect(world.connected).toEqual([])
})
