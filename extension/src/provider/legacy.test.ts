import { expect, test, vi } from 'vitest'
import { connectWallet } from './connection.ts'
import { openPage } from './page.fixture.ts'
import { createProvider } from './provider.ts'

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const answers: Record<string, unknown> = {
  eth_chainId: '0x7a69',
  eth_accounts: [ACCOUNT],
  eth_requestAccounts: [ACCOUNT],
  eth_blockNumber: '0x5',
}

const start = () => {
  const page = openPage()
  const provider = createProvider(page.own, connectWallet(page.own))
  const respond = () => {
    page.answerAll(({ method }) => answers[method] ?? null)
  }
  return { page, provider, respond }
}
const answering = () => {
  const started = start()
  started.respond()
  return started
}
/** Returns a provider whose every request fails. */
const refusing = () => {
  const { page, provider } = start()
  page.refuseAll({ code: 4001, message: 'no', data: { why: 1 } })
  return provider
}
const called = (run: (callback: (...values: unknown[]) => void) => void) =>
  new Promise<unknown[]>(resolve => run((...values) => resolve(values)))

test('enable requests the accounts', async () => {
  const { page, provider } = answering()
  expect(await provider.enable()).toEqual([ACCOUNT])
  expect(page.sent.at(-1)?.method).toBe('eth_requestAccounts')
})

test('send with a method returns a response', async () => {
  const { provider } = answering()
  expect(await provider.send('eth_blockNumber')).toEqual({ id: undefined, jsonrpc: '2.0', result: '0x5' })
  expect(await provider.send('eth_accounts', [])).toMatchObject({ result: [ACCOUNT] })
  await expect(refusing().send('eth_blockNumber')).rejects.toMatchObject({ code: 4001 })
  await expect(provider.send('eth_call', 'latest')).rejects.toMatchObject({ code: -32600 })
})

test.each(['send', 'sendAsync'] as const)('%s with a payload calls back with the response under its id', async name => {
  const { provider } = answering()
  const payload = { id: 7, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }
  expect(await called(callback => provider[name](payload, callback))).toEqual([
    null,
    { id: 7, jsonrpc: '2.0', result: '0x5' },
  ])
})

test.each([
  ['without params', { id: 1, jsonrpc: '2.0', method: 'eth_blockNumber' }],
  ['with params of null', { id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: null }],
  ['with params of undefined', { id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: undefined }],
  ['of JSON-RPC 1.0', { id: null, method: 'eth_blockNumber', params: null }],
  ['without an id', { method: 'eth_blockNumber', params: null }],
])('a payload %s is answered by every legacy function, alone and in a list', async (_, payload) => {
  const { page, provider } = answering()
  const response = { id: 'id' in payload ? payload.id : undefined, jsonrpc: '2.0', result: '0x5' }
  for (const name of ['send', 'sendAsync'] as const) {
    expect(await called(callback => provider[name](payload, callback))).toEqual([null, response])
    expect(await called(callback => provider[name]([payload], callback))).toEqual([null, [response]])
  }
  expect(await provider.send(payload.method, 'params' in payload ? payload.params : undefined)).toMatchObject({
    result: '0x5',
  })
  expect(provider.send({ ...payload, method: 'net_version' })).toMatchObject({ result: '31337' })
  expect(page.sent.filter(({ method }) => method === 'eth_blockNumber').map(({ params }) => params)).toEqual(
    Array(5).fill(undefined),
  )
})

test('params that are neither a list, an object nor null stay -32600', async () => {
  const { provider } = answering()
  for (const params of ['latest', 0, false, true]) {
    const [error] = await called(callback => provider.sendAsync({ id: 1, method: 'eth_call', params }, callback))
    expect(error, String(params)).toMatchObject({ code: -32600 })
  }
})

test.each(['send', 'sendAsync'] as const)('%s with a list calls back with the responses in its order', async name => {
  const { provider } = answering()
  const list = [
    { id: 2, method: 'eth_blockNumber' },
    { id: 'a', method: 'eth_accounts' },
    { id: 3, method: '' },
  ]
  const [error, responses] = await called(callback => provider[name](list, callback))
  expect(error).toBeNull()
  expect(responses).toEqual([
    { id: 2, jsonrpc: '2.0', result: '0x5' },
    { id: 'a', jsonrpc: '2.0', result: [ACCOUNT] },
    { id: 3, jsonrpc: '2.0', error: expect.objectContaining({ code: -32600 }) },
  ])
})

test('an error is the first argument of the callback, and in the response', async () => {
  const provider = refusing()
  const [error, response] = await called(callback => provider.sendAsync({ id: 1, method: 'eth_sign' }, callback))
  expect(error).toMatchObject({ code: 4001, message: 'no' })
  expect(error).toBeInstanceOf(Error)
  expect(response).toEqual({ id: 1, jsonrpc: '2.0', error: { code: 4001, message: 'no', data: { why: 1 } } })
})

test('an invalid payload calls back with -32600', async () => {
  const { provider, page } = answering()
  for (const payload of [undefined, null, 5, 'eth_accounts', {}]) {
    const [error] = await called(callback => provider.sendAsync(payload, callback))
    expect(error, String(payload)).toMatchObject({ code: -32600 })
  }
  expect(page.sent).toEqual([])
})

test('sendAsync without a callback sends nothing and rejects', async () => {
  const { provider, page } = answering()
  for (const payload of [{ id: 1, method: 'eth_blockNumber' }, [{ id: 1, method: 'eth_blockNumber' }]]) {
    const sent: unknown = Reflect.apply(provider.sendAsync, provider, [payload])
    await expect(sent).rejects.toMatchObject({ code: -32600 })
  }
  expect(page.sent).toEqual([])
})

test('a callback that throws is reported and called once', async () => {
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const { provider } = answering()
  const callback = vi.fn(() => {
    throw new Error('the page is broken')
  })
  provider.sendAsync({ id: 1, method: 'eth_blockNumber' }, callback)
  await expect.poll(() => report.mock.calls.length).toBe(1)
  vi.unstubAllGlobals()
  expect(callback).toHaveBeenCalledOnce()
})

test('send with only a payload returns known values synchronously and starts the session', async () => {
  const { provider, page, respond } = start()
  const now = (method: string) => provider.send({ id: 1, method })
  expect(now('eth_accounts')).toEqual({ id: 1, jsonrpc: '2.0', result: [] })
  expect(now('eth_coinbase')).toMatchObject({ result: null })
  expect(now('net_version')).toMatchObject({ result: null })
  expect(page.sent.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_accounts'])
  respond()
  for (const { id, method } of [...page.sent]) page.reply({ id, result: answers[method] })
  await expect.poll(provider.isConnected).toBe(true)
  expect(now('eth_accounts')).toMatchObject({ result: [ACCOUNT] })
  expect(now('eth_coinbase')).toMatchObject({ result: ACCOUNT })
  expect(now('net_version')).toMatchObject({ result: '31337' })
  expect(now('eth_uninstallFilter')).toMatchObject({ result: true })
  expect(page.sent.at(-1)?.method).toBe('eth_uninstallFilter')
})

test('send with only a payload is 4200 for other methods and -32600 for an invalid payload', () => {
  const { provider } = answering()
  expect(() => provider.send({ id: 1, method: 'eth_blockNumber' })).toThrow(expect.objectContaining({ code: 4200 }))
  for (const nothing of [undefined, null, 5])
    expect(() => provider.send(nothing)).toThrow(expect.objectContaining({ code: -32600 }))
})
