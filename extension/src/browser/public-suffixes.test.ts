import { afterEach, expect, test, vi } from 'vitest'
import { ORIGIN } from './browser.fixture.ts'
import { publicSuffixes } from './public-suffixes.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

afterEach(() => vi.unstubAllGlobals())

test('the rules are the lines of their file in the extension', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response('com\n*.ck\n!www.ck')
  })
  expect(await publicSuffixes()).toEqual(['com', '*.ck', '!www.ck'])
  expect(asked).toEqual([`${ORIGIN}/public-suffixes.txt`])
})
