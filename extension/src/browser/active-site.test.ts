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
  expect(await siteOf({ url: 'https://a.example:8443/page?x#y' })).toEqual({ origin: 'https://a.example:8443' })
  expect(await siteOf({ url: 'http://localhost/' })).toEqual({ origin: 'http://localhost' })
  for (const url of ['chrome://extensions/', 'file:///tmp/x.html', 'about:blank', ''])
    expect(await siteOf({ url })).toEqual({ origin: null })
  expect(await siteOf({})).toEqual({ origin: null })
  expect(await siteOf()).toEqual({ origin: null })
  expect(await siteOf({ url: browser.runtime.getURL('popup.html') })).toBeNull()
  expect(query).toHaveBeenCalledWith({ active: true, lastFocusedWindow: true })
})
