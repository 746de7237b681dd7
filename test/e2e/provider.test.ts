/** The provider of the built extension in pages with different policies, frames and load orders. */
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider } from '../../extension/src/provider/provider.ts'
import { type Site, serveFiles } from '../dapp/server.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { setUpWallet } from './library-site.ts'
import { ADDRESS, decide, isFirefox, type Person, startPerson } from './person.ts'
import { approved, asking, call, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'

const LOWER = ADDRESS.toLowerCase()
const RDNS = 'org.heliograph.wallet'

/** A policy that forbids all scripts, resources and evaluation. */
const STRICT =
  "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts allow-same-origin"
const OPEN = "default-src 'self'; frame-src *"

const EARLY = `
  window.early = Promise.all([
    window.ethereum.request({ method: 'eth_chainId' }),
    window.ethereum.request({ method: 'eth_accounts' }),
  ])`
/** A module that replaces functions of the provider, as web3-onboard does, and calls the originals from its own. */
const WRAPPER = `
  const { ethereum } = window
  const { request, on } = ethereum
  window.heard = []
  ethereum.request = async args => {
    window.heard.push(args.method)
    return args.method === 'eth_accounts' ? ['0xwrapped'] : request(args)
  }
  ethereum.on = (event, listener) => on(event, value => listener(['wrapped', value]))
  for (const name of ['sendAsync', 'isConnected', 'removeListener'])
    Object.defineProperty(ethereum, name, { get: () => { throw new Error(name) } })
  ethereum.on('chainChanged', value => window.heard.push(value))`

const files = new Map([
  ['/', { type: 'text/html', body: '<!doctype html><title>Site</title>' }],
  ['/early', { type: 'text/html', body: '<!doctype html><title>Early</title><script src="/early.js"></script>' }],
  [
    '/wrapped',
    { type: 'text/html', body: '<!doctype html><title>W</title><script type=module src="/wrapped.js"></script>' },
  ],
  ['/wrapped.js', { type: 'text/javascript', body: WRAPPER }],
  ['/early.js', { type: 'text/javascript', body: EARLY }],
])

let anvil: Anvil
let person: Person
let open: Site
let strict: Site

/** Opens a page on the site of that name. Each name is a separate site. */
const visit = async (name: string, path = '/', site = open): Promise<Page> => {
  const page = await person.context.newPage()
  await page.goto(`http://${name}.localhost:${new URL(site.url).port}${path}`)
  return page
}
const connected = async (name: string): Promise<Page> => {
  const page = await visit(name)
  expect(await approved(person, page, 'eth_requestAccounts', undefined, 'Connect')).toEqual([LOWER])
  return page
}

/** The page's window as the page's own scripts see it. */
type Own = Window & { ethereum: Provider; heard: unknown[]; early: Promise<unknown> }
declare const window: Own

beforeAll(async () => {
  anvil = await startAnvil()
  open = await serveFiles(files, OPEN)
  strict = await serveFiles(files, STRICT)
  person = await startPerson()
  await setUpWallet(person, anvil.url)
})
afterAll(async () => {
  await person?.leave()
  await Promise.all([open, strict, anvil].map(part => part?.stop()))
})

test('every EIP-6963 announcement has window.ethereum as its provider', async () => {
  const page = await visit('announced')
  const found = await page.evaluate(() => {
    const seen: CustomEvent<{ info: Record<string, string>; provider: unknown }>[] = []
    window.addEventListener('eip6963:announceProvider', event => void seen.push(event as (typeof seen)[number]))
    for (let time = 0; time < 2; time++) window.dispatchEvent(new Event('eip6963:requestProvider'))
    return seen.map(({ detail }) => ({
      ...detail.info,
      isFrozen: Object.isFrozen(detail) && Object.isFrozen(detail.info),
      isSame: detail.provider === window.ethereum,
    }))
  })
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const icon = expect.stringMatching(/^data:image\/svg\+xml,/)
  const announced = { uuid, name: 'Heliograph', icon, rdns: RDNS, isFrozen: true, isSame: true }
  expect(found).toEqual([announced, announced])
  expect(found[0]).toEqual(found[1])
})

test('window.ethereum can be replaced by a page or another wallet, and does not replace an existing one', async () => {
  const page = await visit('replaced')
  const { writable, configurable, enumerable } = await page.evaluate(
    () => Object.getOwnPropertyDescriptor(window, 'ethereum') as PropertyDescriptor,
  )
  expect({ writable, configurable, enumerable }).toEqual({ writable: true, configurable: true, enumerable: true })
  await page.addInitScript(() => Object.assign(window, { ethereum: { isOther: true } }))
  await page.reload()
  expect(await page.evaluate(() => ({ ...window.ethereum }))).toEqual({ isOther: true })
})

test('dispatches ethereum#initialized', async () => {
  const page = await visit('waiting')
  await page.addInitScript(() => {
    window.heard = []
    window.addEventListener('ethereum#initialized', () => window.heard.push(typeof window.ethereum.request))
  })
  await page.reload()
  expect(await page.evaluate(() => window.heard)).toEqual(['function'])
})

test('appears as MetaMask on the sites that the user chose', async () => {
  const page = await visit('chosen')
  const home = await person.open('popup.html')
  const choose = (asMetaMask: boolean, asEthereum: boolean) =>
    callWallet(home, 'setSiteChoice', { origin: new URL(page.url()).origin, asMetaMask, asEthereum })
  const seen = () =>
    page.evaluate(() => [Reflect.get(window.ethereum, 'isMetaMask'), Reflect.get(window.ethereum, 'isOther')])
  const reload = async () => {
    await page.reload()
    return seen()
  }
  expect(await seen()).toEqual([undefined, undefined])
  await choose(true, false)
  expect(await reload()).toEqual([true, undefined])
  const elsewhere = await visit('elsewhere')
  expect(await elsewhere.evaluate(() => 'isMetaMask' in window.ethereum)).toBe(false)
  await choose(false, false)
  expect(await reload()).toEqual([undefined, undefined])
  await home.close()
})

// The provider and the errors come from the same code in Firefox.
if (!isFirefox) {
  test('a page that replaces functions of the provider affects only itself', async () => {
    const plain = await connected('wrapping')
    const page = await visit('wrapping', '/wrapped')
    expect(await read(page, 'eth_accounts')).toEqual(['0xwrapped'])
    expect(await read(page, 'eth_chainId')).toBe('0x7a69')
    expect(await read(plain, 'eth_accounts')).toEqual([LOWER])
    expect(await read(await addFrame(page, { src: '/' }), 'eth_accounts')).toEqual([LOWER])
    await approved(person, plain, 'wallet_switchEthereumChain', [{ chainId: '0x1' }])
    await expect
      .poll(() => page.evaluate(() => window.heard))
      .toEqual(['eth_accounts', 'eth_chainId', ['wrapped', '0x1']])
    expect(await read(page, 'eth_chainId')).toBe('0x1')
  })

  test('rejections have their standard codes', async () => {
    const page = await connected('codes')
    const codeOf = async (method: string, params?: unknown) => {
      const reply = await call(page, method, params)
      return 'error' in reply ? reply.error.code : reply
    }
    const elsewhere = { from: `0x${'11'.repeat(20)}`, to: ADDRESS }
    expect(await codeOf('personal_sign', ['0x00', elsewhere.from])).toBe(4100)
    expect(await codeOf('eth_sendTransaction', [elsewhere])).toBe(4100)
    expect(await codeOf('eth_decrypt', ['0x00', LOWER])).toBe(4200)
    expect(await codeOf('eth_noSuchMethod')).toBe(-32601)
    expect(await codeOf('eth_sendTransaction', [{ from: LOWER, to: 'me' }])).toBe(-32602)
    expect(await codeOf('wallet_switchEthereumChain', [{ chainId: '0x539' }])).toBe(4902)
    expect(await codeOf('wallet_getCallsStatus', ['0x01'])).toBe(5730)
    // This error comes from the node.
    expect(await codeOf('eth_getBlockByNumber', ['no block', false])).toBe(-32602)
    const { window, reply } = await asking(person, page, 'wallet_requestPermissions', [{ eth_accounts: {} }])
    expect(await codeOf('wallet_requestPermissions', [{ eth_accounts: {} }])).toBe(-32002)
    await decide(window, 'Reject')
    expect(await reply).toMatchObject({ error: { code: 4001 } })
    // This network has no RPC URL.
    await approved(person, page, 'wallet_switchEthereumChain', [{ chainId: '0x1' }])
    expect(await codeOf('eth_blockNumber')).toBe(4901)
  })
}

test('a page with the strictest policy gets the provider', async () => {
  const page = await visit('strict', '/', strict)
  expect(await approved(person, page, 'eth_requestAccounts', undefined, 'Connect')).toEqual([LOWER])
  expect(await read(page, 'eth_chainId')).toBe('0x7a69')
})

test("a request in a page's first script is answered, even if it starts the worker", async () => {
  await connected('early')
  await person.killWorker()
  const page = await visit('early', '/early')
  expect(await page.evaluate(() => window.early)).toEqual(['0x7a69', [LOWER]])
})

/** Adds a frame to a page and waits until it is loaded. */
const addFrame = async (page: Page, attributes: Readonly<Record<string, string>>): Promise<Frame> => {
  const element = await page.evaluateHandle(
    attributes =>
      new Promise<HTMLIFrameElement>(resolve => {
        const frame = document.createElement('iframe')
        frame.addEventListener('load', () => resolve(frame))
        for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
        document.documentElement.append(frame)
      }),
    attributes,
  )
  const frame = await element.contentFrame()
  if (!frame) throw new Error('the frame was not loaded')
  return frame
}

test('a frame has its own origin, and a sandboxed frame has none', async () => {
  const page = await connected('top')
  const own = await addFrame(page, { src: '/' })
  expect(await read(own, 'eth_accounts')).toEqual([LOWER])

  const other = await addFrame(page, { src: `http://inner.localhost:${new URL(open.url).port}/` })
  expect(await read(other, 'eth_accounts')).toEqual([])
  const { window, reply } = await asking(person, other, 'eth_requestAccounts')
  const who = window.getByRole('dialog')
  await who.getByText('inner.localhost').first().waitFor()
  await who.getByText('top.localhost').first().waitFor()
  await decide(window, 'Connect')
  expect(await reply).toEqual({ result: [LOWER] })

  const sandboxed = await addFrame(page, { src: '/', sandbox: 'allow-scripts' })
  expect(await call(sandboxed, 'eth_accounts')).toMatchObject({ error: { code: 4100 } })
  expect(await call(sandboxed, 'eth_requestAccounts')).toMatchObject({ error: { code: 4100 } })
})
