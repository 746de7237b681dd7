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

test('a page that asks for nothing sends nothing, and knows nothing', () => {
  const { page, provider } = start()
  expect([provider.isConnected(), provider.chainId, provider.networkVersion, provider.selectedAddress]).toEqual([
    false,
    null,
    null,
    null,
  ])
  expect(page.sent).toEqual([])
})

test('with its first request the page learns the chain and its accounts, once, and is connected', async () => {
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

test('a page that only listens begins as well', () => {
  const { page, provider } = start()
  provider.on('chainChanged', () => undefined).on('accountsChanged', () => undefined)
  expect(page.sent.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_accounts'])
})

test('a page whose requests are sent again asks anew for what it may not have been told, once at a time', async () => {
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

test('a wallet that cannot tell its chain is asked again with the next request', async () => {
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

test('another chain and other accounts are told once each, the chain under its old name too', async () => {
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

test('the accounts that a request to connect was answered with are known when it resolves', async () => {
  const { page, provider, heard } = await begun({ eth_accounts: [], eth_requestAccounts: [ACCOUNT] })
  expect(provider.selectedAddress).toBeNull()
  await provider.request({ method: 'eth_requestAccounts' })
  expect(provider.selectedAddress).toBe(ACCOUNT)
  page.reply({ event: 'accountsChanged', data: [ACCOUNT] })
  expect(heard).toEqual([['accountsChanged', [ACCOUNT]]])
})

test('what a page does to the list it was given changes nothing', async () => {
  const { page, provider } = await begun()
  provider.on('accountsChanged', accounts => (accounts as string[]).pop())
  page.reply({ event: 'accountsChanged', data: [OTHER] })
  expect(provider.selectedAddress).toBe(OTHER)
})

test('a page that was kept for going back to hears what it missed', async () => {
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

test('a page that never asked asks for nothing when it comes back', () => {
  const { page } = start()
  page.comeBack()
  expect(page.sent).toEqual([])
})

test('when the wallet is gone the page hears it once, by both names, and is not connected', async () => {
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

test('a wallet that is gone before the page ever reached it is no disconnection', async () => {
  const { page, provider, heard, listen } = start()
  listen()
  const answer = provider.request({ method: 'eth_accounts' })
  page.reply(GONE)
  await expect(answer).rejects.toMatchObject({ code: 4900 })
  expect(heard).toEqual([])
})

test('a listener that throws keeps no other from hearing', async () => {
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
