import { expect, test, vi } from 'vitest'
import browser from './browser.fixture.ts'
import { browserStores } from './storage.ts'

vi.mock('webextension-polyfill', () => import('./browser.fixture.ts'))

test('values are kept by name, in the area they belong to', async () => {
  const { local, session } = browserStores()
  await local.set('vault', { sealed: '00' })
  await session.set('vault-key', 'ff')
  expect(await local.get('vault')).toEqual({ sealed: '00' })
  expect(await browser.storage.local.get('vault-key')).toEqual({})
  expect(await browser.storage.session.get('vault-key')).toEqual({ 'vault-key': 'ff' })
  await session.remove('vault-key')
  expect(await session.get('vault-key')).toBeUndefined()
  expect(await local.get('never set')).toBeUndefined()
})
