import { afterEach, expect, test, vi } from 'vitest'
import { ORIGIN } from './browser.fixture.ts'
import { wordLists } from './packaged-files.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

afterEach(() => vi.unstubAllGlobals())

test('reads one word per line of the file', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response('あいこくしん\nあいさつ')
  })
  expect(await wordLists('japanese')).toEqual(['あいこくしん', 'あいさつ'])
  expect(asked).toEqual([`${ORIGIN}/words/japanese.txt`])
})
