import { expect, test, vi } from 'vitest'
import browser from './browser.fixture.ts'
import { browserStores } from './storage.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

test('stores values by name in their storage area', async () => {
  const { local, session } = browserStores()
  await local.set('vault', { sealed: '00' })
  await session.set('vault-key', 'ff')
  expect(await local.get('vault')).toEqual({ sealed: '00' })
  expect(await browser.storage.local.get('vault-key')).toEqual({})
  expect(await browser.storage.session.get('vault-key')).toEqual({ 'vault-key': 'ff' })
  await session.remove('vault-key')
  expect(await session.get('vault-key')).toBeUndefined()
  expect(await local.get('sites')).toBeUndefined()
})

test('restricts both areas to trusted contexts before the first read', async () => {
  const { local, session } = browser.storage
  for (const area of [local, session]) {
    const order: string[] = []
    vi.spyOn(area, 'setAccessLevel').mockImplementation(async ({ accessLevel }) => {
      await Promise.resolve()
      order.push(accessLevel)
    })
    vi.spyOn(area, 'get').mockImplementation(async () => {
      order.push('read')
      return {}
    })
    await browserStores()[area === local ? 'local' : 'session'].get(area === local ? 'vault' : 'vault-key')
    expect(order).toEqual(['TRUSTED_CONTEXTS', 'read'])
    vi.restoreAllMocks()
  }
})

test('works in a browser without access levels', async () => {
  const { setAccessLevel, ...bare } = browser.storage.local
  vi.spyOn(browser, 'storage', 'get').mockReturnValue({ local: bare, session: bare } as never)
  const { local } = browserStores()
  await local.set('vault', 1)
  expect(await local.get('vault')).toBe(1)
  vi.restoreAllMocks()
})

test('refuses a store that is not in the registry', async () => {
  const { local, session } = browserStores()
  for (const use of [local.get('mine'), local.set('mine', 1), session.remove('vault')])
    await expect(use).rejects.toThrow('is not in the registry')
})
