import { expect, test, vi } from 'vitest'
import browser from './browser.fixture.ts'
import { browserStores } from './storage.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

test('values are kept by name, in the area they belong to', async () => {
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

test('both areas are closed to content scripts before anything is read', async () => {
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

test('a browser without access levels keeps values all the same', async () => {
  const { setAccessLevel, ...bare } = browser.storage.local
  vi.spyOn(browser, 'storage', 'get').mockReturnValue({ local: bare, session: bare } as never)
  const { local } = browserStores()
  await local.set('vault', 1)
  expect(await local.get('vault')).toBe(1)
  vi.restoreAllMocks()
})

test('a store that is not in the registry cannot be used', async () => {
  const { local, session } = browserStores()
  for (const use of [local.get('mine'), local.set('mine', 1), session.remove('vault')])
    await expect(use).rejects.toThrow('is not in the registry')
})
