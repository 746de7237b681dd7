import { afterEach, expect, test, vi } from 'vitest'
import { ORIGIN } from './browser.fixture.ts'
import { listedNetworks } from './packaged-files.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

afterEach(() => vi.unstubAllGlobals())

test('reads the catalogue from a file of the extension', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response('[{"chainId":1}]')
  })
  expect(await listedNetworks()).toEqual([{ chainId: 1 }])
  expect(asked).toEqual([`${ORIGIN}/networks.json`])
})
