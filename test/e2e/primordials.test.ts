/** The provider in pages with replaced built-in functions, and in documents other than HTML. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, serveFiles } from '../dapp/server.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { setUpWallet } from './library-site.ts'
import type { Tally } from './pages/primordials.ts'
import { ADDRESS, isFirefox, type Person, startPerson } from './person.ts'
import { approved } from './provider.ts'

const ACCOUNTS = JSON.stringify([ADDRESS.toLowerCase()])

/** Replaces built-in functions in the page's first script, then sends a request as usual. */
const EARLY = `
  const hostile = () => { throw new Error('hostile') }
  Map.prototype.get = Map.prototype.set = Array.from = Promise.prototype.then = JSON.stringify = hostile
  Function.prototype.call = Function.prototype.apply = Function.prototype.bind = Array.prototype[Symbol.iterator] = hostile
  window.postMessage = EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = hostile
  Object.prototype.toJSON = Array.prototype.toJSON = hostile
  const ask = async () => {
    const params = [{ eth_accounts: {} }]
    const accounts = await ethereum.request({ method: 'eth_accounts', params })
    document.title = accounts[0]
  }
  ask()`

const HTML = '<!doctype html><html lang="en"><title>Site</title>'
const xml = (root: string) => `<?xml version="1.0"?>${root}`
const others: Readonly<Record<string, { type: string; body: string }>> = {
  '/data.xml': { type: 'application/xml', body: xml('<data/>') },
  '/text.xml': { type: 'text/xml', body: xml('<data/>') },
  '/picture.svg': { type: 'image/svg+xml', body: xml('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  // Firefox downloads feeds instead of opening them, so only Chromium gets a feed.
  ...(!isFirefox && { '/feed.rss': { type: 'application/rss+xml', body: xml('<rss version="2.0"><channel/></rss>') } }),
  '/data.json': { type: 'application/json', body: '{}' },
  '/text.txt': { type: 'text/plain', body: 'text' },
}

let anvil: Anvil
let person: Person
let site: Site
let page: Page

beforeAll(async () => {
  const source = await readFile(join(import.meta.dirname, 'pages/primordials.ts'), 'utf8')
  const { code } = await transformWithOxc(source, 'primordials.ts')
  anvil = await startAnvil()
  site = await serveFiles(
    new Map([
      ['/', { type: 'text/html', body: `${HTML}<script type="module" src="/page.js"></script>` }],
      ['/page.js', { type: 'text/javascript', body: code }],
      ['/early', { type: 'text/html', body: `${HTML}<script src="/early.js"></script>` }],
      ['/early.js', { type: 'text/javascript', body: EARLY }],
      [
        '/page.xhtml',
        { type: 'application/xhtml+xml', body: xml('<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>') },
      ],
      ...Object.entries(others),
    ]),
    "default-src 'self'",
  )
  person = await startPerson()
  await setUpWallet(person, anvil.url)
  page = await visit('/')
  await approved(person, page, 'eth_requestAccounts', undefined, 'Connect')
})
afterAll(async () => {
  await person?.leave()
  await Promise.all([site, anvil].map(part => part?.stop()))
})

const visit = async (path: string): Promise<Page> => {
  const opened = await person.context.newPage()
  await opened.goto(`http://hostile.localhost:${new URL(site.url).port}${path}`)
  return opened
}

const replace = async (atOnce: number): Promise<Tally> => {
  const began = performance.now()
  const counted: Tally = await page.evaluate(`replaceAtOnce(${atOnce}, ${JSON.stringify(ACCOUNTS)})`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { primordials, requests, failures } = counted
  console.info(
    `${atOnce} at once: ${primordials} built-ins, ${requests} requests, ${failures.length} failures, ${seconds} s`,
  )
  return counted
}

test('a page that replaces any few built-in functions gets the right response', async () => {
  const { primordials, failures } = await replace(8)
  expect(failures).toEqual([])
  expect(primordials).toBeGreaterThan(5_000)
})

test('a page that replaces all built-in functions at once gets the right response', async () => {
  const { failures } = await replace(Number.POSITIVE_INFINITY)
  expect(failures).toEqual([])
})

test('a page that replaces built-in functions in its first script gets its response', async () => {
  const early = await visit('/early')
  await expect.poll(() => early.title()).toBe(ADDRESS.toLowerCase())
  await early.close()
})

test('an XHTML page has the provider, and documents of other types cannot reach the wallet', async () => {
  const found = async (path: string) => {
    const opened = await visit(path)
    const seen = await opened.evaluate(async () => {
      const heard: string[] = []
      addEventListener('eip6963:announceProvider', () => heard.push('announced'))
      const answered = new Promise<void>(resolve =>
        addEventListener('message', ({ data }) => {
          if (data?.source === 'heliograph:wallet') resolve(void heard.push('answered'))
        }),
      )
      dispatchEvent(new Event('eip6963:requestProvider'))
      postMessage({ source: 'heliograph:page', message: { id: 'mine', method: 'eth_chainId' } }, '*')
      if ('ethereum' in window) await answered
      await new Promise(resolve => setTimeout(resolve, 1_000))
      return [...('ethereum' in window ? ['ethereum'] : []), ...heard]
    })
    await opened.close()
    return [path, seen]
  }
  expect(await found('/page.xhtml')).toEqual(['/page.xhtml', ['ethereum', 'announced', 'answered']])
  const paths = Object.keys(others)
  expect(await Promise.all(paths.map(found))).toEqual(paths.map(path => [path, []]))
})
