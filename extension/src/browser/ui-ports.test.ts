import { RpcError } from '@heliograph/shared/errors'
import { beforeEach, expect, test, vi } from 'vitest'
import { ADDRESS, chainOf, startWallet } from '../wallet/wallet.fixture.ts'
import browser, { ORIGIN, portOf, type TestPort } from './browser.fixture.ts'
import { serveUi } from './ui-ports.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

const own = { id: browser.runtime.id, url: `${ORIGIN}/popup.html` }
const { wallet } = startWallet({ chain: chainOf({ eth_getBalance: () => '0x1' }) })
const used = vi.fn(async () => {})
const opened = vi.fn(async () => {})
const { push } = serveUi(() => wallet.ui, used, opened)

beforeEach(() => {
  used.mockClear()
  opened.mockClear()
})

const connect = async (sender: TestPort['sender'] = own, name = 'ui') => {
  const port = portOf(name, sender)
  await browser.runtime.onConnect.fire(port)
  return port
}
const call = async (port: TestPort, method: string, params: unknown = null) => {
  await port.fromPage({ id: 7, method, params })
  return port.posted.at(-1)
}

test('wallet pages can call methods and get results and errors', async () => {
  const port = await connect()
  expect(await call(port, 'getState')).toMatchObject({ id: 7, result: { phase: 'empty' } })
  expect(await call(port, 'checkPhrase', { phrase: 'no' })).toMatchObject({ result: { valid: false } })
  expect(await call(port, 'unlock', { password: 'x' })).toMatchObject({ id: 7, error: { code: 4100 } })
  expect(await call(port, 'selectAccount', { address: 'me' })).toMatchObject({ error: { code: -32602 } })
})

test('does not call anything outside the method table', async () => {
  const port = await connect()
  for (const method of ['request', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])
    expect(await call(port, method)).toMatchObject({ error: { code: -32601 } })
})

test('ignores web pages, other extensions and ports with other names', async () => {
  for (const [sender, name] of [
    [{ ...own, url: 'https://site.example/' }, 'ui'],
    [{ ...own, url: `${ORIGIN}.example/popup.html` }, 'ui'],
    [{ ...own, url: `https://site.example/?${ORIGIN}/` }, 'ui'],
    [{ ...own, id: 'another' }, 'ui'],
    [{ id: browser.runtime.id }, 'ui'],
    [{}, 'ui'],
    [own, 'page'],
  ] as const) {
    const port = await connect(sender, name)
    expect(await call(port, 'getState')).toBeUndefined()
  }
})

test('sends the state to a page that connects', async () => {
  const port = await connect()
  await expect.poll(() => port.posted).toEqual([{ state: await wallet.ui.getState(null) }])
})

test('pushes the parts of the state that changed to every open page, and not to closed ones', async () => {
  const [one, other] = [await connect(), await connect()]
  await expect.poll(() => [one.posted.length, other.posted.length]).toEqual([1, 1])
  await other.leave()
  const state = await wallet.ui.getState(null)
  push(state)
  push({ ...state, selected: ADDRESS, contacts: [] })
  expect(one.posted.slice(2)).toEqual([{ state: { selected: ADDRESS, contacts: [] } }])
  expect(other.posted).toHaveLength(1)
})

test('automatic reads do not count as user activity, other calls do', async () => {
  const port = await connect()
  await call(port, 'getState')
  expect(await call(port, 'getBalance', { address: ADDRESS, chainId: 1 })).toMatchObject({ result: '0x1' })
  await call(port, 'getHoldings', { address: ADDRESS, chainId: 1 })
  await call(port, 'reviewAddress', { address: ADDRESS, chainId: 1 })
  expect(used).not.toHaveBeenCalled()
  await call(port, 'newPhrase', { words: 12 })
  expect(used).toHaveBeenCalledOnce()
})

test('posts no response to a closed page', async () => {
  const port = await connect()
  const answered = port.fromPage({ id: 1, method: 'getState', params: null })
  await port.leave()
  await answered
  expect(port.posted).toEqual([])
})

test('reports opening the popup, but not pages that a site can open', async () => {
  for (const page of ['approval.html', 'settings.html', 'onboarding.html'])
    await connect({ ...own, url: `${ORIGIN}/${page}` })
  await connect({ ...own, url: `https://site.example/popup.html` })
  expect(opened).not.toHaveBeenCalled()
  await connect()
  expect(opened).toHaveBeenCalledTimes(1)
})

test('tells a page that its data belongs to a newer version', async () => {
  const refusal = { code: 4100, reason: 'dataNewer', values: { version: '2.0.0' } }
  vi.spyOn(wallet.ui, 'getState').mockRejectedValueOnce(new RpcError({ ...refusal, message: 'newer' }))
  const port = await connect()
  await expect.poll(() => port.posted).toEqual([{ refusal }])
})
