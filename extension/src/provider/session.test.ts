import { expect, test, vi } from 'vitest'
import { GONE } from '../messages.ts'
import { connectWallet } from './connection.ts'
import { openPage } from './page.fixture.ts'
import { createProvider } from './provider.ts'

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const EVENTS = ['connect', 'disconnect', 'close', 'chainChanged', 'networkChanged', 'accountsChanged', 'message']

const start = (told: Record<string, unknown> = {}) => {
  const page = openPage()
  const provider = createProvider(page.own, connectWallet(page.own))
  const answers: Record<string, unknown> = { eth_chainId: '0x7a69', eth_accounts: [ACCOUNT], ...told }
  const heard: unknown[] = []
  const listen = () => {
    for (const event of EVENTS) provider.on(event, (...values) => heard.push([event, ...values]))
  }
  const answer = () => page.answerAll(({ method }) => answers[method] ?? null)
  return { page, provider, answers, heard, listen, answer }
}
const begun = async (told?: Record<string, unknown>) => {
  const started = start(told)
  started.answer()
  started.listen()
  await expect.poll(started.provider.isConnected).toBe(true)
  started.heard.length = 0
  return started
}

test('sends nothing before the first request', () => {
  const { page, provider } = start()
  expect([provider.isConnected(), provider.chainId, provider.networkVersion, provider.selectedAddress]).toEqual([
    false,
    null,
    null,
    null,
  ])
  expect(page.sent).toEqual([])
})

test('the first request reads chain and accounts once and connects', async () => {
  const { page, provider, heard, listen, answer } = start()
  answer()
  await provider.request({ method: 'eth_blockNumber' })
  listen()
  await expect.poll(() => heard).toEqual([['connect', { chainId: '0x7a69' }]])
  await provider.request({ method: 'eth_blockNumber' })
  expect(provider.isConnected()).toBe(true)
  expect([provider.chainId, provider.networkVersion, provider.selectedAddress]).toEqual(['0x7a69', '31337', ACCOUNT])
  expect(page.sent.map(({ method }) => method)).toEqual([
    'eth_chainId',
    'eth_accounts',
    'eth_blockNumber',
    'eth_blockNumber',
  ])
})

test('adding a listener starts the session', () => {
  const { page, provider } = start()
  provider.on('chainChanged', () => undefined).on('accountsChanged', () => undefined)
  expect(page.sent.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_accounts'])
})

test('reads chain and accounts again after requests were repeated, one read at a time', async () => {
  const { page, provider, answers, heard, listen } = start()
  listen()
  const answerAll = () => {
    for (const { id, method } of page.sent.splice(0)) page.reply({ id, result: answers[method] ?? null })
  }
  const sent = (name: string) => page.sent.filter(({ method }) => method === name)
  answerAll()
  await expect.poll(provider.isConnected).toBe(true)
  heard.length = 0

  const open = provider.request({ method: 'eth_blockNumber' })
  for (const times of [2, 3]) {
    page.reply({ notice: 'resend' })
    await expect.poll(() => sent('eth_blockNumber')).toHaveLength(times)
  }
  expect(new Set(sent('eth_chainId').map(({ id }) => id)).size).toBe(1)
  answers.eth_chainId = '0x1'
  answerAll()
  await open
  await expect
    .poll(() => heard)
    .toEqual([
      ['chainChanged', '0x1'],
      ['networkChanged', '1'],
    ])
})

test('retries a failed read with the next request', async () => {
  const { page, provider, answer } = start()
  const first = provider.request({ method: 'eth_blockNumber' })
  for (const { id, method } of page.sent)
    page.reply(method === 'eth_blockNumber' ? { id, result: '0x1' } : { id, error: { code: 4900, message: 'gone' } })
  expect(await first).toBe('0x1')
  expect(provider.isConnected()).toBe(false)
  answer()
  const again = async () => {
    await provider.request({ method: 'eth_blockNumber' })
    return provider.isConnected()
  }
  await expect.poll(again).toBe(true)
})

test('emits each change once, and the chain also under its legacy event', async () => {
  const { page, provider, heard } = await begun()
  for (const _ of [1, 2]) {
    page.reply({ event: 'chainChanged', data: '0x2019' })
    page.reply({ event: 'accountsChanged', data: [OTHER, ACCOUNT] })
    page.reply({ event: 'message', data: { type: 'eth_subscription' } })
  }
  expect(heard).toEqual([
    ['chainChanged', '0x2019'],
    ['networkChanged', '8217'],
    ['accountsChanged', [OTHER, ACCOUNT]],
    ['message', { type: 'eth_subscription' }],
    ['message', { type: 'eth_subscription' }],
  ])
  expect([provider.chainId, provider.selectedAddress]).toEqual(['0x2019', OTHER])
})

test('knows the accounts when a connect request resolves', async () => {
  const { page, provider, heard } = await begun({ eth_accounts: [], eth_requestAccounts: [ACCOUNT] })
  expect(provider.selectedAddress).toBeNull()
  await provider.request({ method: 'eth_requestAccounts' })
  expect(provider.selectedAddress).toBe(ACCOUNT)
  page.reply({ event: 'accountsChanged', data: [ACCOUNT] })
  expect(heard).toEqual([['accountsChanged', [ACCOUNT]]])
})

test('changes by the page to a returned list have no effect', async () => {
  const { page, provider } = await begun()
  provider.on('accountsChanged', accounts => (accounts as string[]).pop())
  page.reply({ event: 'accountsChanged', data: [OTHER] })
  expect(provider.selectedAddress).toBe(OTHER)
})

test('a page restored from the cache gets missed changes', async () => {
  const { page, answers, heard } = await begun()
  page.comeBack()
  answers.eth_chainId = '0x1'
  answers.eth_accounts = []
  page.comeBack()
  await expect
    .poll(() => heard)
    .toEqual([
      ['chainChanged', '0x1'],
      ['networkChanged', '1'],
      ['accountsChanged', []],
    ])
})

test('a restored page without a session sends nothing', () => {
  const { page } = start()
  page.comeBack()
  expect(page.sent).toEqual([])
})

test('emits disconnect and close once when the wallet was removed', async () => {
  const { page, provider, heard } = await begun()
  page.reply(GONE)
  page.reply(GONE)
  const { code, reason } = GONE.closed
  expect(heard).toEqual([
    ['disconnect', expect.objectContaining({ code, message: reason })],
    ['close', code, reason],
  ])
  expect((heard[0] as unknown[])[1]).toBeInstanceOf(Error)
  expect(provider.isConnected()).toBe(false)
  page.answerAll(() => null)
})

test('emits no disconnect if the page was never connected', async () => {
  const { page, provider, heard, listen } = start()
  listen()
  const answer = provider.request({ method: 'eth_accounts' })
  page.reply(GONE)
  await expect(answer).rejects.toMatchObject({ code: 4900 })
  expect(heard).toEqual([])
})

test('a listener that throws does not stop others', async () => {
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const { page, provider, heard } = await begun()
  provider.on('chainChanged', () => {
    throw new Error('the page is broken')
  })
  page.reply({ event: 'chainChanged', data: '0x1' })
  vi.unstubAllGlobals()
  expect(heard).toHaveLength(2)
  expect(report).toHaveBeenCalledOnce()
})
