import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import {
  ADDRESS,
  connectedWallet,
  OTHER_SITE,
  recordingWallet,
  reject,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const KAIA = { chainId: '0x2019' }

test('switches only the requesting site', async () => {
  const { wallet, ask, events, state } = await recordingWallet()
  expect(await ask('wallet_switchEthereumChain', KAIA)).toBeNull()
  expect([await ask('eth_chainId'), await ask('net_version')]).toEqual(['0x2019', '8217'])
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_chainId' })).toBe('0x7a69')
  expect(state()?.chainId).toBe(31337)
  expect(events).toEqual([{ event: 'chainChanged', origin: SITE, data: '0x2019' }])
})

test('the user sees both networks and the account', async () => {
  const { ask, seen } = await recordingWallet()
  await ask('wallet_switchEthereumChain', KAIA)
  expect(seen).toMatchObject([
    {
      account: { address: ADDRESS },
      network: { chainId: 31337 },
      effect: { kind: 'switchChain', to: { chainId: 8217, title: 'Kaia' } },
      findings: [{ level: 'caution', name: 'noRpc', values: ['Kaia'] }],
    },
  ])
})

test('the site signs, sends and reads on its new network, even after a restart', async () => {
  const asked: number[] = []
  const { chain } = startNode()
  const { ask, store } = await connectedWallet({
    chain: (network, method, params) => {
      asked.push(network.chainId)
      return chain(network, method, params)
    },
  })
  await ask('wallet_switchEthereumChain', KAIA)
  await ask('eth_gasPrice')
  expect(await ask('klay_sign', ADDRESS, '0x00')).toMatch(/^0x/)
  expect(asked).toEqual([8217])
  const restarted = startWallet({ store, chain })
  expect(await restarted.ask('eth_chainId')).toBe('0x2019')
})

test("a site with its own network keeps it when the wallet's network changes", async () => {
  const { wallet, ask, events } = await recordingWallet()
  await ask('wallet_switchEthereumChain', KAIA)
  events.length = 0
  await wallet.ui.selectNetwork({ chainId: 1 })
  expect(await ask('eth_chainId')).toBe('0x2019')
  expect(events).toEqual([{ event: 'chainChanged', except: [SITE], data: '0x1' }])
})

test('a switch to the current network returns at once, without notifications', async () => {
  const { ask, shown, events } = await recordingWallet()
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).toBeNull()
  expect([shown, events]).toEqual([[], []])
})

test('a rejection changes nothing', async () => {
  const { ask, events } = await connectedWallet({ person: reject })
  await expect(ask('wallet_switchEthereumChain', KAIA)).rejects.toMatchObject({ code: 4001 })
  expect(await ask('eth_chainId')).toBe('0x7a69')
  expect(events).toEqual([])
})

test('an unknown network is 4902 without asking the user', async () => {
  const { ask, shown } = await recordingWallet()
  for (const chainId of ['0x5', '0xffffff'])
    await expect(ask('wallet_switchEthereumChain', { chainId })).rejects.toMatchObject({ code: 4902 })
  expect(shown).toEqual([])
})

test('params without a valid chain id are -32602', async () => {
  const { ask, shown } = await recordingWallet()
  for (const chainId of [undefined, null, 1, '1', '0x01', '0x', '0x0', '-0x1', `0x${'f'.repeat(15)}`, ['0x1']])
    await expect(ask('wallet_switchEthereumChain', { chainId }), String(chainId)).rejects.toMatchObject({
      code: -32602,
    })
  for (const params of [[], [null], ['0x1'], [[KAIA]]])
    await expect(ask('wallet_switchEthereumChain', ...params)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test('two equal requests before the decision are both answered and both notified', async () => {
  const { wallet, events, ask } = await connectedWallet({ person: undecided })
  const answers = [ask('wallet_switchEthereumChain', KAIA), ask('wallet_switchEthereumChain', KAIA)]
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(2)
  for (const { id } of (await wallet.ui.getState(null)).requests)
    await wallet.ui.decide({ id, approve: true, revision: 0 })
  expect(await Promise.all(answers)).toEqual([null, null])
  const told = { event: 'chainChanged', origin: SITE, data: '0x2019' }
  expect(events).toEqual([told, told])
})

test('a network that is removed before the approval is 4902', async () => {
  const { ask, store, wallet } = await connectedWallet({ person: undecided })
  ask('wallet_switchEthereumChain', KAIA).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  const networks = testNetworks.filter(({ chainId }) => chainId !== 8217)
  const after = startWallet({ store, networks })
  const again = { id: 'asked 1', method: 'wallet_switchEthereumChain', params: [KAIA] }
  await expect(after.wallet.request(SITE, again)).rejects.toMatchObject({ code: 4902 })
})
