/**
 * Hostile pages: forged messages, frames and malformed values. The wallet keeps running, other sites still get
 * responses, and the user sees the requesting origin.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, ASKER, type AttackedWallet, startAttackedWallet } from './attacked-wallet.ts'
import { read } from './provider.ts'

/**
 * A frame that forges messages between its parent page and the wallet, in both directions, then sends a request of its
 * own.
 */
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

let wallet: AttackedWallet

beforeAll(async () => {
  wallet = await startAttackedWallet({ '/forger': FORGER, ...ASKER })
})
afterEach(() => wallet.rejectAll())
afterAll(() => wallet?.stop())

/** Adds a frame to the page and resolves with the response that the frame reports. */
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

test('a cross-origin frame cannot impersonate its parent page or the wallet', async () => {
  await wallet.good.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    addEventListener('message', ({ source, data }) => source === window && heard.push(data.message?.id))
    const { ethereum } = window as unknown as { ethereum: { on(event: string, listener: () => void): void } }
    for (const event of ['accountsChanged', 'disconnect', 'close']) ethereum.on(event, () => heard.push(event))
  })
  expect(await addFrame(wallet.good, `${wallet.web.origin('evil')}/forger`)).toEqual({ result: [] })
  expect(await read(wallet.good, 'eth_accounts')).toEqual([ACCOUNT])
  const heard = await wallet.good.evaluate(() => (window as unknown as { heard: unknown[] }).heard)
  expect(heard.filter(one => /forged|Changed|disconnect|close/.test(String(one)))).toEqual([])
  expect(await wallet.good.evaluate(() => Reflect.get(Reflect.get(window, 'ethereum'), 'selectedAddress'))).toBe(
    ACCOUNT,
  )
})

test('a sandboxed frame of a connected site has another origin, unless allow-same-origin is set', async () => {
  const own = `${wallet.web.origin('good')}/forger`
  expect(await addFrame(wallet.good, own, 'allow-scripts')).toEqual({ code: 4100 })
  expect(await addFrame(wallet.good, own, 'allow-scripts allow-same-origin')).toEqual({ result: [ACCOUNT] })
})

test('the user sees the origin of the requesting frame and of its top-level page', async () => {
  const page = await wallet.openSite('news')
  const src = `${wallet.web.origin('evil')}/asker`
  const window = await wallet.person.approval(() =>
    page.evaluate(async src => {
      const frame = document.createElement('iframe')
      frame.src = src
      const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      frame.contentWindow?.postMessage('ask', '*')
    }, src),
  )
  await window.getByRole('dialog', { name: wallet.web.origin('evil') }).waitFor()
  await window.getByRole('dialog').getByText(wallet.web.origin('news')).first().waitFor()
  expect(await wallet.waiting()).toMatchObject([{ origin: wallet.web.origin('evil'), top: wallet.web.origin('news') }])
  await page.close()
})

test('a page that imitates another by name, title and URL is shown with its own origin', async () => {
  const page = await wallet.openSite('evil')
  const window = await wallet.person.approval(() =>
    page.evaluate(good => {
      document.title = good
      history.replaceState(null, '', `/?${good}`)
      const { ethereum } = window as unknown as { ethereum: { request(request: unknown): Promise<unknown> } }
      const request = { method: 'eth_requestAccounts', origin: good, params: [{ origin: good }] }
      ethereum.request(request).catch(() => undefined)
      const message = { id: 'mine', method: 'eth_requestAccounts', origin: good, sender: { origin: good }, page: good }
      postMessage({ source: 'heliograph:page', message }, '*')
    }, wallet.web.origin('good')),
  )
  await window.getByRole('dialog', { name: wallet.web.origin('evil') }).waitFor()
  expect((await wallet.waiting()).map(({ origin, top }) => [origin, top])).toEqual([[wallet.web.origin('evil'), null]])
  await page.close()
})

test('values that throw, are circular or pollute prototypes cause at most an error', async () => {
  const page = await wallet.openSite('evil')
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
  await wallet.othersAreServed()
  await page.close()
})

test('a page that changes its own prototypes affects nothing else', async () => {
  const page = await wallet.openSite('evil')
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
  await wallet.othersAreServed()
  expect(await read(wallet.good, 'eth_accounts')).toEqual([ACCOUNT])
  await page.close()
})
