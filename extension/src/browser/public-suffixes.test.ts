import { afterEach, expect, test, vi } from 'vitest'
import { ORIGIN } from './browser.fixture.ts'
import { publicSuffixes } from './packaged-files.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

afterEach(() => vi.unstubAllGlobals())

test('reads one rule per line of the file', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response('com\n*.ck\n!www.ck')
  })
  expect(await publicSuffixes()).toEqual(new Set(['com', '*.ck', '!www.ck']))
  expect(asked).toEqual([`${ORIGIN}/public-suffixes.txt`])
})
