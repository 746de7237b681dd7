/**
 * Hostile pages: forged messages, frames, floods, huge and malformed values. The wallet keeps running, other sites are
 * served meanwhile, and the person sees the requesting origin.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { ADDRESS, importWallet, type Person, startPerson } from './person.ts'
import { approved, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const ACCOUNT = ADDRESS.toLowerCase()

/** A frame that forges messages of its parent page in both directions, then makes a request of its own. */
const FORGER = `<script>
  for (const id of ['forged 1', 'forged 2'])
    parent.postMessage({ source: 'heliograph:page', message: { id, method: 'eth_accounts' } }, '*')
  const evil = ['0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead']
  parent.postMessage({ source: 'heliograph:wallet', message: { event: 'accountsChanged', data: evil } }, '*')
  parent.postMessage({ source: 'heliograph:wallet', message: { closed: { code: 1011, reason: 'gone' } } }, '*')
  ethereum.request({ method: 'eth_accounts' })
    .then(result => ({ result }), ({ code }) => ({ code }))
    .then(own => parent.postMessage({ own }, '*'))
</script>`

/** A frame that requests a connection when it gets a message. */
const ASKER = `<script>
  addEventListener('message', ({ data }) => data === 'ask' && ethereum.request({ method: 'eth_requestAccounts' }))
</script>`

let anvil: Anvil
let web: Web
let person: Person
let home: Page
let good: Page
let windows = 0

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<p>A site</p>', '/forger': FORGER, '/asker': ASKER })
  person = await startPerson()
  home = await importWallet(person)
  await callWallet(home, 'setRpcUrl', { chainId: 31337, rpcUrl: anvil.url })
  person.context.on('page', opened => void (opened.url().includes('/approval.html') && windows++))
  good = await openSite('good')
  await approved(person, good, 'eth_requestAccounts', [], 'Connect')
})

afterEach(async () => {
  await callWallet(home, 'rejectAll', null)
  await expect.poll(waiting).toEqual([])
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

const openSite = async (name: string) => {
  const page = await person.context.newPage()
  await page.goto(web.origin(name))
  return page
}
const waiting = async () => (await callWallet(home, 'getState', null)).result.waiting

const othersAreServed = async () => {
  expect(await read(good, 'eth_accounts')).toEqual([ACCOUNT])
  expect(await read(good, 'eth_blockNumber')).toMatch(/^0x/)
}

/** Counts how often another site is served until the attack ends. */
const servedDuring = async (worst: Promise<unknown>): Promise<number> => {
  let isOver = false
  const end = () => {
    isOver = true
  }
  worst.then(end, end)
  for (let times = 0; ; times++) {
    await othersAreServed()
    if (isOver) return times
  }
}

/** Opens a hostile site that the person has connected. */
const openConnected = async (name: string) => {
  const page = await openSite(name)
  const accounts = await read(page, 'eth_accounts')
  if (Array.isArray(accounts) && accounts.length === 0)
    await approved(person, page, 'eth_requestAccounts', [], 'Connect')
  return page
}

/** Adds a frame to the page and resolves with the frame's report. */
const addFrame = (page: Page, src: string, sandbox?: string) =>
  page.evaluate(
    ({ src, sandbox }) =>
      new Promise<unknown>(resolve => {
        addEventListener('message', ({ data }) => data?.own && resolve(data.own))
        const frame = document.createElement('iframe')
        if (sandbox) frame.sandbox.value = sandbox
        frame.src = src
        document.body.append(frame)
      }),
    { src, ...(sandbox && { sandbox }) },
  )

test('a cross-origin frame can impersonate neither its parent page nor the wallet', async () => {
  await good.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    addEventListener('message', ({ source, data }) => source === window && heard.push(data.message?.id))
    const { ethereum } = window as unknown as { ethereum: { on(event: string, listener: () => void): void } }
    for (const event of ['accountsChanged', 'disconnect', 'close']) ethereum.on(event, () => heard.push(event))
  })
  expect(await addFrame(good, `${web.origin('evil')}/forger`)).toEqual({ result: [] })
  expect(await read(good, 'eth_accounts')).toEqual([ACCOUNT])
  const heard = await good.evaluate(() => (window as unknown as { heard: unknown[] }).heard)
  expect(heard.filter(one => /forged|Changed|disconnect|close/.test(String(one)))).toEqual([])
  expect(await good.evaluate(() => Reflect.get(Reflect.get(window, 'ethereum'), 'selectedAddress'))).toBe(ACCOUNT)
})

test('a sandboxed frame of a connected site is another origin, unless it keeps its origin', async () => {
  const own = `${web.origin('good')}/forger`
  expect(await addFrame(good, own, 'allow-scripts')).toEqual({ code: 4100 })
  expect(await addFrame(good, own, 'allow-scripts allow-same-origin')).toEqual({ result: [ACCOUNT] })
})

test('the person sees the origin of the requesting frame and of its top-level page', async () => {
  const page = await openSite('news')
  const src = `${web.origin('evil')}/asker`
  const window = await person.approval(() =>
    page.evaluate(async src => {
      const frame = document.createElement('iframe')
      frame.src = src
      const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      frame.contentWindow?.postMessage('ask', '*')
    }, src),
  )
  await window.getByRole('dialog', { name: web.origin('evil') }).waitFor()
  await window.getByRole('dialog').getByText(web.origin('news')).first().waitFor()
  expect(await waiting()).toMatchObject([{ origin: web.origin('evil'), top: web.origin('news') }])
  await page.close()
})

test('a page that imitates another by name, title and URL is shown by its origin', async () => {
  const page = await openSite('evil')
  const window = await person.approval(() =>
    page.evaluate(good => {
      document.title = good
      history.replaceState(null, '', `/?${good}`)
      const { ethereum } = window as unknown as { ethereum: { request(request: unknown): Promise<unknown> } }
      const request = { method: 'eth_requestAccounts', origin: good, params: [{ origin: good }] }
      ethereum.request(request).catch(() => undefined)
      const message = { id: 'mine', method: 'eth_requestAccounts', origin: good, sender: { origin: good }, page: good }
      postMessage({ source: 'heliograph:page', message }, '*')
    }, web.origin('good')),
  )
  await window.getByRole('dialog', { name: web.origin('evil') }).waitFor()
  expect((await waiting()).map(({ origin, top }) => [origin, top])).toEqual([[web.origin('evil'), null]])
  await page.close()
})

/** Number of requests by response. */
type Tally = Record<string, number>

/** Posts requests directly to the content script as fast as possible. `size` is the length of each request's text. */
const flood = (page: Page, method: string, count: number, size: number): Promise<Tally> =>
  page.evaluate(
    ({ method, count, size, account }) =>
      new Promise<Tally>(resolve => {
        const tally: Tally = {}
        Object.assign(window, { answered: 0 })
        let answered = 0
        addEventListener('message', ({ data }) => {
          const { id, error, result } = data?.source === 'heliograph:wallet' ? data.message : {}
          if (!String(id).startsWith('flood')) return
          const kind = error ? String(error.code) : result === undefined ? 'nothing' : 'result'
          tally[kind] = (tally[kind] ?? 0) + 1
          answered++
          Object.assign(window, { answered })
          if (answered === count) resolve(tally)
        })
        const params = method === 'personal_sign' ? [`text ${'x'.repeat(size)}`, account] : []
        for (let at = 0; at < count; at++)
          postMessage(
            { source: 'heliograph:page', message: { id: `flood ${at} ${Math.random()}`, method, params } },
            '*',
          )
      }),
    { method, count, size, account: ACCOUNT },
  )

test('10,000 requests in a loop open one window, and other sites are served meanwhile', async () => {
  const page = await openConnected('evil')
  const before = windows
  const tally = flood(page, 'personal_sign', 10_000, 10)
  const refused = expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(20)
  const over = page.waitForFunction(() => Reflect.get(window, 'answered') >= 9_980, undefined, { timeout: 60_000 })
  expect(await servedDuring(Promise.all([refused, over]))).toBeGreaterThan(0)
  expect(windows - before).toBe(1)
  await callWallet(home, 'rejectAll', null)
  expect(await tally).toEqual({ '4001': 20, '-32005': 9_980 })
  await page.close()
})

test('10,000 reads in a loop are answered, each once, and other sites are served meanwhile', async () => {
  const page = await openSite('evil')
  const tally = flood(page, 'eth_blockNumber', 10_000, 0)
  expect(await servedDuring(tally)).toBeGreaterThan(0)
  const { result = 0, '-32005': late = 0 } = await tally
  expect(result).toBeGreaterThan(0)
  expect(result + late).toBe(10_000)
  await page.close()
})

/** For 150 MB that a page posts and the worker refuses, in ms: much longer than it takes, since a busy machine is slow. */
const HEAVY = 180_000

test('large open requests delay no other site', { timeout: HEAVY }, async () => {
  const page = await openConnected('heavy')
  const large = flood(page, 'personal_sign', 20, 100_000)
  await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBeGreaterThan(5)
  const small = await openConnected('heavy')
  const over = flood(small, 'personal_sign', 500, 300_000)
  expect(await servedDuring(over)).toBeGreaterThan(5)
  expect(await over).toEqual({ '-32005': 500 })
  await callWallet(home, 'rejectAll', null)
  const { '4001': shown = 0, '-32005': refused = 0 } = await large
  expect(shown + refused).toBe(20)
  await page.close()
  await small.close()
})

test("an oversized request is rejected alone, and the page's next request works", async () => {
  const page = await openSite('evil')
  const text = `'x'.repeat(5 << 20)`
  const huge = [
    `{ method: 'eth_call', params: [${text}] }`,
    `{ method: 'eth_call', params: ['x'.repeat(80 << 20)] }`,
    `{ method: ${text} }`,
    `{ method: 'personal_sign', params: [${text}, '${ACCOUNT}'] }`,
  ]
  for (const request of huge) {
    const code = await page.evaluate(`ethereum.request(${request}).then(() => 'answered', ({ code }) => code)`)
    expect([-32005, -32601], request).toContain(code)
  }
  // Sent directly to the content script: a value and an id that are too large for a port.
  await page.evaluate(() => {
    const large = 'x'.repeat(70 << 20)
    for (const message of [
      { id: 'large', method: large },
      { id: large, method: 'eth_chainId' },
    ])
      postMessage({ source: 'heliograph:page', message }, '*')
  })
  expect(await read(page, 'eth_chainId')).toBe('0x7a69')
  await othersAreServed()
  await page.close()
})

test('values that throw, are circular or pollute prototypes cause at most an error', async () => {
  const page = await openSite('evil')
  const broken = [
    `{ get method() { throw new Error('mine') } }`,
    `{ method: 'eth_call', get params() { throw new Error('mine') } }`,
    `{ method: 'eth_call', params: [{ get to() { throw new Error('mine') } }] }`,
    `{ method: 'eth_call', params: [{ toJSON() { throw new Error('mine') } }] }`,
    `{ method: 'eth_call', params: new Proxy([], { get() { throw new Error('mine') } }) }`,
    `(() => { const params = []; params.push(params); return { method: 'eth_call', params } })()`,
    `{ method: 'eth_call', params: [1n] }`,
    `{ method: 'eth_call', params: [Symbol()] }`,
    `{ method: '__proto__' }`,
    `{ method: 'constructor' }`,
    `{ method: 'toString', params: JSON.parse('{"__proto__":{"polluted":1}}') }`,
    `{ method: 'wallet_watchAsset', params: JSON.parse('{"__proto__":{"type":"ERC20"},"constructor":{"prototype":1}}') }`,
    `{ method: 'eth_call', params: JSON.parse('['.repeat(20000) + ']'.repeat(20000)) }`,
  ]
  for (const request of broken) {
    const outcome = await page.evaluate(
      `Promise.resolve().then(() => ethereum.request(${request})).then(() => 'answered', () => 'error')`,
    )
    expect(outcome, request).toBe('error')
  }
  for (const message of [
    'null',
    '5',
    '[]',
    '{}',
    `{ id: {}, method: 'eth_chainId' }`,
    `{ id: '__proto__', method: 1 }`,
  ])
    await page.evaluate(`postMessage({ source: 'heliograph:page', message: ${message} }, '*')`)
  expect(await read(page, 'eth_chainId')).toBe('0x7a69')
  await othersAreServed()
  await page.close()
})

test('a page that changes its own prototypes affects nothing else', async () => {
  const page = await openSite('evil')
  const reply = await page.evaluate(async () => {
    const spoilt: PropertyDescriptor = {
      configurable: true,
      get() {
        return 'eth_requestAccounts'
      },
      set() {},
    }
    for (const name of ['method', 'params', 'id', 'origin', 'page', 'event', 'error', 'approve'])
      Object.defineProperty(Object.prototype, name, spoilt)
    Object.defineProperty(Array.prototype, 'toJSON', { configurable: true, value: () => ['spoilt'] })
    JSON.stringify = () => '{"method":"eth_requestAccounts"}'
    const { ethereum } = window as unknown as { ethereum: { request(request: unknown): Promise<unknown> } }
    const own = ethereum.request({ method: 'eth_chainId', params: [] }).catch(() => 'error')
    return Promise.race([own, new Promise(resolve => setTimeout(() => resolve('nothing'), 1_000))])
  })
  expect(['0x7a69', 'error', 'nothing']).toContain(reply)
  await othersAreServed()
  expect(await read(good, 'eth_accounts')).toEqual([ACCOUNT])
  await page.close()
})

test('hundreds of frames of one page do not stop events to other sites', async () => {
  const page = await openSite('evil')
  await page.evaluate(async () => {
    const frames = Array.from({ length: 550 }, () => {
      const frame = document.createElement('iframe')
      frame.src = '/asker'
      return frame
    })
    const loaded = frames.map(frame => new Promise(resolve => frame.addEventListener('load', resolve)))
    document.body.append(...frames)
    await Promise.all(loaded)
    const ask = (frame: HTMLIFrameElement) =>
      Reflect.get(frame.contentWindow ?? {}, 'ethereum').request({ method: 'eth_chainId' })
    await Promise.allSettled(frames.map(ask))
  })
  const told = good.evaluate(
    () =>
      new Promise(resolve => {
        const { ethereum } = window as unknown as {
          ethereum: { once(event: string, listener: (value: unknown) => void): void }
        }
        ethereum.once('chainChanged', resolve)
        setTimeout(() => resolve('nothing'), 10_000)
      }),
  )
  await callWallet(home, 'selectNetwork', { chainId: 1 })
  expect(await told).toBe('0x1')
  await callWallet(home, 'selectNetwork', { chainId: 31337 })
  await page.close()
})
