import { beforeEach, expect, test, vi } from 'vitest'
import browser, { world } from './browser.fixture.ts'
import { createPageScripts } from './page-scripts.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => world.scripts.clear())

const site = (origin: string, asMetaMask: boolean, asEthereum: boolean) => ({ origin, asMetaMask, asEthereum })
const registered = () => [...world.scripts.values()].map(({ id, matches }) => [id, matches])

test('each script is registered for the sites that it was chosen for, and for no others', async () => {
  const register = createPageScripts()
  await register([site('https://a.example', true, false), site('http://127.0.0.1:5173', true, true)])
  expect(registered()).toEqual([
    ['as-metamask', ['https://a.example/*', 'http://127.0.0.1:5173/*']],
    ['as-ethereum', ['http://127.0.0.1:5173/*']],
  ])
  expect(world.scripts.get('as-metamask')).toMatchObject({
    js: ['as-metamask.js'],
    world: 'MAIN',
    runAt: 'document_start',
    allFrames: true,
  })
  await register([site('https://a.example', true, false)])
  expect(registered()).toEqual([['as-metamask', ['https://a.example/*']]])
  await register([])
  expect(registered()).toEqual([])
})

test('of concurrent changes, the last one takes effect', async () => {
  const register = createPageScripts()
  await Promise.all([
    register([site('https://a.example', true, true)]),
    register([]),
    register([site('https://b.example', true, false)]),
  ])
  expect(registered()).toEqual([['as-metamask', ['https://b.example/*']]])
})

test('a script that the browser refuses is reported, and the other one is still registered', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(browser.scripting, 'registerContentScripts').mockRejectedValueOnce(new Error('no such pattern'))
  await createPageScripts()([site('https://a.example', true, true)])
  expect(registered()).toEqual([['as-ethereum', ['https://a.example/*']]])
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

test('in Firefox, whose patterns have no ports, a site with a port is registered by its host', async () => {
  Object.assign(browser.runtime, { getBrowserInfo: async () => ({ name: 'Firefox' }) })
  await createPageScripts()([site('https://a.example', true, false), site('http://127.0.0.1:5173', true, false)])
  Reflect.deleteProperty(browser.runtime, 'getBrowserInfo')
  expect(registered()).toEqual([['as-metamask', ['https://a.example/*', 'http://127.0.0.1/*']]])
})
