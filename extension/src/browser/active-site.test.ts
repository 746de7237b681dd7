import { expect, test, vi } from 'vitest'
import { activeSite } from './active-site.ts'
import browser from './browser.fixture.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

test('returns the origin of the active tab if it is a web page', async () => {
  const query = vi.spyOn(browser.tabs, 'query')
  const siteOf = async (...tabs: { url?: string }[]) => {
    query.mockResolvedValueOnce(tabs as never)
    return activeSite()
  }
  expect(await siteOf({ url: 'https://a.example:8443/page?x#y' })).toBe('https://a.example:8443')
  expect(await siteOf({ url: 'http://localhost/' })).toBe('http://localhost')
  for (const url of ['chrome://extensions/', 'file:///tmp/x.html', 'about:blank', ''])
    expect(await siteOf({ url })).toBeNull()
  expect(await siteOf({})).toBeNull()
  expect(await siteOf()).toBeNull()
  expect(query).toHaveBeenCalledWith({ active: true, lastFocusedWindow: true })
})
