import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from '../wallet/storage/store.ts'
import browser, { ORIGIN, world } from './browser.fixture.ts'
import { welcomeNewUser } from './welcome.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  world.tabs.length = 0
  browser.runtime.onInstalled.clear()
})

test('the onboarding opens in a tab after the installation', async () => {
  welcomeNewUser(memoryStore())
  await browser.runtime.onInstalled.fire({ reason: 'install' })
  expect(world.tabs.map(({ url }) => url)).toEqual([`${ORIGIN}/onboarding.html`])
})

test('an update of the extension or of the browser opens no page', async () => {
  welcomeNewUser(memoryStore())
  for (const reason of ['update', 'chrome_update', 'browser_update', 'shared_module_update'])
    await browser.runtime.onInstalled.fire({ reason })
  expect(world.tabs).toEqual([])
})

test('a browser that kept a wallet opens no page', async () => {
  const local = memoryStore()
  await local.set('vault', {})
  welcomeNewUser(local)
  await browser.runtime.onInstalled.fire({ reason: 'install' })
  expect(world.tabs).toEqual([])
})
