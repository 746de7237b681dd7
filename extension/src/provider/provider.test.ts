import { BrowserProvider } from 'ethers'
import { expect, test } from 'vitest'
import { connectWallet } from './connection.ts'
import { openPage } from './page.fixture.ts'
import { createProvider } from './provider.ts'

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const answers: Record<string, unknown> = {
  eth_chainId: '0x7a69',
  eth_accounts: [ACCOUNT],
  eth_requestAccounts: [ACCOUNT],
  personal_sign: '0x1234',
}

const start = () => {
  const page = openPage()
  const provider = createProvider(page.own, connectWallet(page.own))
  return { page, provider }
}
const answering = () => {
  const started = start()
  started.page.answerAll(({ method }) => answers[method] ?? null)
  return started
}
const refusal = (provider: ReturnType<typeof createProvider>, args: unknown) =>
  provider.request(args as { method: string }).catch(error => [error instanceof Error, error.code, error.message])

test('request sends method and params and resolves with the result', async () => {
  const { page, provider } = answering()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([ACCOUNT])
  expect(await provider.request({ method: 'personal_sign', params: ['0x00', ACCOUNT] })).toBe('0x1234')
  expect(await provider.request({ method: 'eth_call', params: {} })).toBeNull()
  expect(page.sent.map(({ method, params }) => [method, params])).toEqual([
    ['eth_chainId', undefined],
    ['eth_accounts', undefined],
    ['eth_accounts', undefined],
    ['personal_sign', ['0x00', ACCOUNT]],
    ['eth_call', {}],
  ])
})

test('refuses invalid requests without contacting the wallet', async () => {
  const { page, provider } = start()
  for (const args of [undefined, null, 'eth_accounts', 5, [], [{ method: 'eth_accounts' }]])
    expect(await refusal(provider, args)).toEqual([true, -32600, 'A request is one object with a method'])
  for (const method of [undefined, null, '', 5, {}, ['eth_accounts']])
    expect(await refusal(provider, { method })).toEqual([true, -32600, 'method must be a string that is not empty'])
  for (const params of [null, 'text', 5, true, () => undefined])
    expect(await refusal(provider, { method: 'eth_call', params })).toEqual([
      true,
      -32600,
      'params must be an array or an object if given',
    ])
  expect(page.sent).toEqual([])
})

test('params that JSON cannot carry are -32602', async () => {
  const { page, provider } = start()
  const circle: unknown[] = []
  circle.push(circle)
  for (const params of [[5n], circle, { toJSON: () => undefined }])
    expect(await refusal(provider, { method: 'eth_call', params })).toEqual([
      true,
      -32602,
      'params must be values that JSON can carry',
    ])
  expect(page.sent).toEqual([])
})

test('copies params at once, so that later changes have no effect', async () => {
  const { page, provider } = start()
  const params = [{ to: '0x1' }]
  provider.request({ method: 'eth_sendTransaction', params }).catch(() => undefined)
  params[0] = { to: '0x2' }
  await Promise.resolve()
  expect(page.sent.at(-1)?.params).toEqual([{ to: '0x1' }])
})

test('params too large for a port are -32005', async () => {
  const { page, provider } = start()
  expect(await refusal(provider, { method: 'eth_call', params: ['x'.repeat(8 << 20)] })).toEqual([
    true,
    -32005,
    'params are longer than 8388608 characters',
  ])
  expect(page.sent).toEqual([])
})

test('properties are read-only, and request works when detached', async () => {
  const { provider } = answering()
  for (const name of ['isHeliograph', 'chainId', 'networkVersion', 'selectedAddress'])
    expect(() => Object.assign(provider, { [name]: 'forged' }), name).toThrow(TypeError)
  const { request } = provider
  expect(await request({ method: 'eth_accounts' })).toEqual([ACCOUNT])
})

const functionNames = Object.entries(start().provider).flatMap(([name, value]) =>
  typeof value === 'function' ? [name] : [],
)

test('a page may wrap the functions of EIP-1193, of Node and of older providers', () => {
  const { provider } = start()
  const older = ['enable', 'isConnected', 'request', 'send', 'sendAsync']
  const listening = ['addListener', 'listenerCount', 'off', 'on', 'once', 'removeAllListeners', 'removeListener']
  expect(functionNames.toSorted()).toEqual([...older, ...listening].toSorted())
  const request = async () => 'wrapped'
  const on = () => provider
  Object.assign(provider, { request, on })
  expect([provider.request, provider.on]).toEqual([request, on])
})

/** Ways in which a page replaces a function of the provider. */
const ways: Record<string, (provider: object, name: string, other: () => unknown) => void> = {
  assigned: (provider, name, other) => Object.assign(provider, { [name]: other }),
  'an accessor': (provider, name, other) => Object.defineProperty(provider, name, { get: () => other }),
  'frozen in': (provider, name, other) => Object.freeze(Object.assign(provider, { [name]: other })),
}
const replaced = Object.keys(ways).flatMap(way => functionNames.map(name => [way, name] as const))

test.each(replaced)('%s: %s is the function of the page, and no other function calls it', async (way, name) => {
  const [wrapped, other] = [answering(), answering()]
  const { page, provider } = wrapped
  let calls = 0
  ways[way]?.(provider, name, () => ++calls)
  expect(Reflect.apply(Reflect.get(provider, name), provider, [])).toBe(1)

  const heard: unknown[] = []
  const listening = ['addListener', 'on', 'once'].filter(known => known !== name)
  for (const known of listening)
    Reflect.apply(Reflect.get(provider, known), provider, ['chainChanged', (id: unknown) => heard.push(id)])
  const used = functionNames.filter(known => known !== name)
  if (used.includes('request')) expect(await provider.request({ method: 'personal_sign' })).toBe('0x1234')
  if (used.includes('enable')) expect(await provider.enable()).toEqual([ACCOUNT])
  if (used.includes('send')) expect(await provider.send('personal_sign', [])).toMatchObject({ result: '0x1234' })
  if (used.includes('sendAsync')) {
    const answer = new Promise(resolve =>
      provider.sendAsync({ id: 1, method: 'eth_chainId' }, (_, got) => resolve(got)),
    )
    expect(await answer).toMatchObject({ id: 1, result: '0x7a69' })
  }
  await expect.poll(() => (name === 'isConnected' ? provider.chainId : provider.isConnected())).toBeTruthy()
  page.reply({ event: 'chainChanged', data: '0x1' })
  await expect.poll(() => provider.chainId).toBe('0x1')
  expect(heard).toEqual(listening.map(() => '0x1'))
  expect(calls).toBe(1)

  expect(await other.provider.request({ method: 'personal_sign' })).toBe('0x1234')
  expect(Reflect.get(other.provider, name)).not.toBe(Reflect.get(provider, name))
})

test('a page may add properties to the provider', () => {
  const { provider } = start()
  expect(Object.assign(provider, { autoRefreshOnNetworkChange: false }).autoRefreshOnNetworkChange).toBe(false)
})

test('request is an async function, by which web3 recognizes EIP-1193', () => {
  expect(start().provider.request.constructor.name).toBe('AsyncFunction')
})

test('works with ethers, which recognizes a rejection', async () => {
  const { page, provider } = answering()
  const library = new BrowserProvider(provider)
  const signer = await library.getSigner()
  expect(signer.address.toLowerCase()).toBe(ACCOUNT)
  expect((await library.getNetwork()).chainId).toBe(31337n)
  expect(await signer.signMessage('hi')).toBe('0x1234')
  expect(page.sent.at(-1)).toMatchObject({ method: 'personal_sign', params: ['0x6869', ACCOUNT] })

  const rejecting = start()
  const other = new BrowserProvider(rejecting.provider)
  const asked = other.send('eth_requestAccounts', []).catch(error => error.code)
  await expect.poll(() => rejecting.page.sent.length).toBeGreaterThan(1)
  for (const { id } of rejecting.page.sent)
    rejecting.page.reply({ id, error: { code: 4001, message: 'The request was rejected' } })
  expect(await asked).toBe('ACTION_REJECTED')
  library.destroy()
  other.destroy()
})
