import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { testNetworks } from './networks.fixture.ts'
import { createNetworks } from './networks.ts'

const orbit: Network = {
  chainId: 88_120,
  title: 'Orbit',
  prefixes: ['chain', 'eth'],
  signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
  currency: { symbol: 'OTT', decimals: 18 },
  rpcUrls: ['https://rpc.orbit.example/'],
}

test('a new wallet uses the first network', async () => {
  const networks = createNetworks(memoryStore(), testNetworks)
  expect(await networks.list()).toEqual(testNetworks)
  expect((await networks.selected()).chainId).toBe(31337)
})

test('the selection is stored, and an unknown chain is 4902 and selects nothing', async () => {
  const store = memoryStore()
  await createNetworks(store, testNetworks).select(8217)
  const networks = createNetworks(store, testNetworks)
  await expect(networks.select(5)).rejects.toMatchObject({ code: 4902, message: expect.stringContaining('Chain 5 ') })
  await expect(networks.get(0)).rejects.toMatchObject({ code: 4902 })
  expect((await networks.selected()).title).toBe('Kaia')
})

test('if the selected network was removed, the first one is used', async () => {
  const store = memoryStore()
  await createNetworks(store, testNetworks).select(1)
  const left = testNetworks.filter(({ chainId }) => chainId !== 1)
  expect((await createNetworks(store, left).selected()).chainId).toBe(31337)
})

test('networks and RPC URLs stored by an earlier version, with one URL per network, are kept', async () => {
  const store = memoryStore()
  const { rpcUrls: _, ...described } = orbit
  await store.set('networks', [
    { ...described, rpcUrl: 'https://rpc.orbit.example/' },
    { ...described, chainId: 5 },
  ])
  await store.set('rpc-urls', { 1: 'https://node.example/', 8217: 'https://kaia.example/' })
  const networks = createNetworks(store, testNetworks)
  const urls = async () => (await networks.list()).map(({ chainId, rpcUrls }) => [chainId, rpcUrls])
  expect(await urls()).toEqual([
    [31337, ['http://127.0.0.1:8545']],
    [1, ['https://node.example/']],
    [8217, ['https://kaia.example/']],
    [88_120, ['https://rpc.orbit.example/']],
    [5, []],
  ])
  expect(await networks.list()).toContainEqual(orbit)
  await networks.setRpcUrls(1, ['https://node.example/', 'https://second.example/'])
  expect((await urls())[1]).toEqual([1, ['https://node.example/', 'https://second.example/']])
  expect((await urls())[2]).toEqual([8217, ['https://kaia.example/']])
})

test('of a built-in network, only the RPC URLs are stored, and all else follows updates', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, testNetworks)
  await networks.setRpcUrls(1, ['https://node.example/'])
  expect((await networks.get(1)).rpcUrls).toEqual(['https://node.example/'])
  expect((await networks.get(8217)).rpcUrls).toEqual([])
  await expect(networks.setRpcUrls(5, ['https://node.example/'])).rejects.toMatchObject({ code: 4902 })

  const updated = testNetworks.map(network => ({ ...network, title: `${network.title} 2` }))
  const afterwards = await createNetworks(store, updated).get(1)
  expect([afterwards.title, afterwards.rpcUrls]).toEqual(['Ethereum 2', ['https://node.example/']])
})

test('a wallet without networks throws', async () => {
  await expect(createNetworks(memoryStore(), []).selected()).rejects.toMatchObject({ code: 4900 })
})

test('a network is added, replaced by another with its chain id, and removed with its settings', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, testNetworks)
  await networks.add(orbit)
  await networks.add({ ...orbit, title: 'Orbit 2' })
  expect((await createNetworks(store, testNetworks).list()).slice(testNetworks.length)).toEqual([
    { ...orbit, title: 'Orbit 2' },
  ])
  await networks.setRpcUrls(orbit.chainId, ['https://node.example/'])
  await networks.choose(SITE, orbit.chainId)
  await networks.remove(orbit.chainId)
  expect(await networks.list()).toEqual(testNetworks)
  expect(await networks.sitesApart()).toEqual([])
  await networks.add(orbit)
  expect((await networks.get(orbit.chainId)).rpcUrls).toEqual(orbit.rpcUrls)
})

test('a built-in network cannot be replaced or removed', async () => {
  const networks = createNetworks(memoryStore(), testNetworks)
  for (const attempt of [networks.add({ ...orbit, chainId: 1 }), networks.remove(1)])
    await expect(attempt).rejects.toMatchObject({ code: -32602 })
  expect((await networks.get(1)).title).toBe('Ethereum')
})

test('a network that an update builds in replaces an added one', async () => {
  const store = memoryStore()
  await createNetworks(store, testNetworks).add(orbit)
  const shipped = { ...orbit, title: 'Orbit Mainnet' }
  const networks = await createNetworks(store, [...testNetworks, shipped]).list()
  expect(networks.filter(({ chainId }) => chainId === orbit.chainId)).toEqual([shipped])
})

test("a site uses the wallet's network unless it has its own", async () => {
  const networks = createNetworks(memoryStore(), testNetworks)
  await networks.choose(SITE, 1)
  await networks.select(8217)
  const both = async () => [(await networks.of(SITE)).chainId, (await networks.of(OTHER_SITE)).chainId]
  expect(await both()).toEqual([1, 8217])
  expect(await networks.sitesApart()).toEqual([SITE])
  await networks.choose(SITE, 31337)
  expect(await both()).toEqual([31337, 8217])
  await networks.choose(SITE, null)
  expect(await both()).toEqual([8217, 8217])
  expect(await networks.sitesApart()).toEqual([])
})

test("a site cannot use an unknown network, and uses the wallet's network when its own is removed", async () => {
  const store = memoryStore()
  const networks = createNetworks(store, testNetworks)
  await expect(networks.choose(SITE, 5)).rejects.toMatchObject({ code: 4902 })
  await networks.choose(SITE, 1)
  const left = testNetworks.filter(({ chainId }) => chainId !== 1)
  expect((await createNetworks(store, left).of(SITE)).chainId).toBe(31337)
})

test('the order and the hidden networks are stored, and a removed network is no longer hidden', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, testNetworks)
  expect(await networks.shown()).toEqual({ order: 'added', hidden: [] })
  await networks.add(orbit)
  await networks.setOrder('name')
  await networks.setHidden(1, true)
  await networks.setHidden(1, true)
  await networks.setHidden(orbit.chainId, true)
  expect(await createNetworks(store, testNetworks).shown()).toEqual({ order: 'name', hidden: [1, orbit.chainId] })
  await networks.remove(orbit.chainId)
  await networks.setHidden(1, false)
  expect(await networks.shown()).toEqual({ order: 'name', hidden: [] })
  await expect(networks.setHidden(5, true)).rejects.toMatchObject({ code: 4902 })
})
