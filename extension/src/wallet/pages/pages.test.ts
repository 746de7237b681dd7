import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, chainOf, connectedWallet, createdWallet, SITE, undecided } from '../wallet.fixture.ts'

const personalSign = { id: '1', method: 'personal_sign', params: ['hello', ADDRESS] }

test('a network change notifies every page without its own network, connected or not', async () => {
  const { wallet, events, ask } = await connectedWallet()
  await wallet.ui.selectNetwork({ chainId: 31337 })
  expect(events).toEqual([])
  await wallet.ui.selectNetwork({ chainId: 8217 })
  expect(events).toEqual([{ event: 'chainChanged', except: [], data: '0x2019' }])
  expect(await ask('eth_chainId')).toBe('0x2019')
  await expect(wallet.ui.selectNetwork({ chainId: 5 })).rejects.toMatchObject({ code: 4902 })
})

test('a node URL is stored after the node returned the chain id', async () => {
  const asked: unknown[] = []
  const { wallet, state } = await createdWallet({
    chain: async ({ rpcUrls }, method) => {
      asked.push([...rpcUrls, method])
      return '0x2019'
    },
  })
  await wallet.ui.setRpcUrls({ chainId: 8217, rpcUrls: ['https://node.example'] })
  expect(asked).toEqual([['https://node.example/', 'eth_chainId']])
  expect(state()?.networks).toContainEqual(
    expect.objectContaining({ chainId: 8217, rpcUrls: ['https://node.example/'] }),
  )
})

test('a node with another chain id, or without a response, changes nothing', async () => {
  const rpcUrl = 'https://node.example/'
  const one = await createdWallet({ chain: chainOf({ eth_chainId: () => '0x1' }) })
  await expect(one.wallet.ui.setRpcUrls({ chainId: 8217, rpcUrls: [rpcUrl] })).rejects.toMatchObject({
    code: -32602,
    message: 'This node reports chain 1, not 8217. Nothing was saved.',
  })
  const silent = await createdWallet({ chain: chainOf({ eth_chainId: () => null }) })
  await expect(silent.wallet.ui.setRpcUrls({ chainId: 8217, rpcUrls: [rpcUrl] })).rejects.toMatchObject({ code: 4901 })
  await expect(silent.wallet.ui.setRpcUrls({ chainId: 5, rpcUrls: [rpcUrl] })).rejects.toMatchObject({ code: 4902 })
  for (const { wallet } of [one, silent])
    expect((await wallet.ui.getState(null)).networks.flatMap(network => network.rpcUrls)).not.toContain(rpcUrl)
})

test('URLs with another scheme or credentials are rejected before any request', async () => {
  const { wallet } = await createdWallet()
  for (const rpcUrl of [
    '',
    'node.example',
    'ftp://node.example',
    'javascript:alert(1)',
    'https://me:word@node.example',
  ])
    await expect(wallet.ui.setRpcUrls({ chainId: 1, rpcUrls: [rpcUrl] })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('A node URL must start with'),
    })
})

test('a balance is requested from the given network', async () => {
  const { wallet } = await createdWallet({
    chain: async ({ chainId }, method, params) => {
      expect([chainId, method, params]).toEqual([8217, 'eth_getBalance', [ADDRESS, 'latest']])
      return '0xde0b6b3a7640000'
    },
  })
  expect(await wallet.ui.getBalance({ address: ADDRESS_LOWER, chainId: 8217 })).toBe('0xde0b6b3a7640000')
})

test('a locked wallet cannot approve requests, but can reject them', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  const answers = ['1', '2'].map(id => wallet.request(SITE, { ...personalSign, id }).catch(({ code }) => code))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(2)
  await wallet.ui.lock(null)
  const [first, second] = (await wallet.ui.getState(null)).waiting
  await expect(wallet.ui.decide({ id: String(first?.id), approve: true, revision: 0 })).rejects.toMatchObject({
    code: 4100,
  })
  expect((await wallet.ui.getState(null)).waiting).toHaveLength(2)
  await wallet.ui.decide({ id: String(second?.id), approve: false })
  expect((await wallet.ui.getState(null)).waiting).toHaveLength(1)
  await wallet.ui.rejectAll(null)
  expect(await Promise.all(answers)).toEqual([4001, 4001])
})

test('rejecting at the unlock screen is 4001, for signatures and for connecting', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  await wallet.ui.lock(null)
  const methods = [
    { method: 'personal_sign', params: ['hello', ADDRESS] },
    { method: 'chain_sign', params: [ADDRESS, '0x00'] },
    { method: 'eth_requestAccounts' },
  ]
  const answers = methods.map(asked =>
    wallet.request(SITE, { id: asked.method, ...asked }).catch(({ code, message }) => `${code} ${message}`),
  )
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(3)
  await wallet.ui.rejectAll(null)
  expect(await Promise.all(answers)).toEqual([
    '4001 The request was rejected',
    '4001 The request was rejected',
    '4001 The request was rejected',
  ])
})

test('a decision about an unknown request is ignored', async () => {
  const { wallet, shown } = await connectedWallet()
  expect(await wallet.ui.decide({ id: 'unknown', approve: true, revision: 0 })).toBeNull()
  expect(await wallet.ui.rejectAll(null)).toBeNull()
  expect(shown).toEqual([])
})
