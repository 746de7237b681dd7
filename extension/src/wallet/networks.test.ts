import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { createNetworks } from './networks.ts'
import { memoryStore } from './store.ts'
import { OTHER_SITE, SITE } from './wallet.fixture.ts'

const orbit: Network = {
  chainId: 88_120,
  title: 'Orbit',
  prefixes: ['chain', 'eth'],
  signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
  currency: { symbol: 'OTT', decimals: 18 },
  rpcUrl: 'https://rpc.orbit.example/',
}

test('a fresh wallet is on the first network', async () => {
  const networks = createNetworks(memoryStore(), defaultNetworks)
  expect(await networks.list()).toEqual(defaultNetworks)
  expect((await networks.selected()).chainId).toBe(31337)
})

test('the selection is kept, and an unknown chain is 4902 and selects nothing', async () => {
  const store = memoryStore()
  await createNetworks(store, defaultNetworks).select(8217)
  const networks = createNetworks(store, defaultNetworks)
  await expect(networks.select(5)).rejects.toMatchObject({ code: 4902, message: expect.stringContaining('Chain 5 ') })
  await expect(networks.get(0)).rejects.toMatchObject({ code: 4902 })
  expect((await networks.selected()).title).toBe('Kaia')
})

test('a network that is no longer there gives way to the first', async () => {
  const store = memoryStore()
  await createNetworks(store, defaultNetworks).select(1)
  const left = defaultNetworks.filter(({ chainId }) => chainId !== 1)
  expect((await createNetworks(store, left).selected()).chainId).toBe(31337)
})

test('an RPC URL belongs to its network alone; all else stays what the wallet ships, also after an update', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, defaultNetworks)
  await networks.setRpcUrl(1, 'https://node.example/')
  expect((await networks.get(1)).rpcUrl).toBe('https://node.example/')
  expect((await networks.get(8217)).rpcUrl).toBeUndefined()
  await expect(networks.setRpcUrl(5, 'https://node.example/')).rejects.toMatchObject({ code: 4902 })

  const updated = defaultNetworks.map(network => ({ ...network, title: `${network.title} 2` }))
  const afterwards = await createNetworks(store, updated).get(1)
  expect([afterwards.title, afterwards.rpcUrl]).toEqual(['Ethereum 2', 'https://node.example/'])
})

test('a wallet without networks says so', async () => {
  await expect(createNetworks(memoryStore(), []).selected()).rejects.toMatchObject({ code: 4900 })
})

test('a network is added once, replaced by its chain id, and taken away again with all that was chosen for it', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, defaultNetworks)
  await networks.add(orbit)
  await networks.add({ ...orbit, title: 'Orbit 2' })
  expect((await createNetworks(store, defaultNetworks).list()).slice(defaultNetworks.length)).toEqual([
    { ...orbit, title: 'Orbit 2' },
  ])
  await networks.setRpcUrl(orbit.chainId, 'https://node.example/')
  await networks.choose(SITE, orbit.chainId)
  await networks.remove(orbit.chainId)
  expect(await networks.list()).toEqual(defaultNetworks)
  expect(await networks.sitesApart()).toEqual([])
  await networks.add(orbit)
  expect((await networks.get(orbit.chainId)).rpcUrl).toBe(orbit.rpcUrl)
})

test('a network that the wallet comes with is neither overwritten nor taken away', async () => {
  const networks = createNetworks(memoryStore(), defaultNetworks)
  for (const attempt of [networks.add({ ...orbit, chainId: 1 }), networks.remove(1)])
    await expect(attempt).rejects.toMatchObject({ code: -32602 })
  expect((await networks.get(1)).title).toBe('Ethereum')
})

test('a network that the wallet comes with later takes the place of the one that was added', async () => {
  const store = memoryStore()
  await createNetworks(store, defaultNetworks).add(orbit)
  const shipped = { ...orbit, title: 'Orbit Mainnet' }
  const networks = await createNetworks(store, [...defaultNetworks, shipped]).list()
  expect(networks.filter(({ chainId }) => chainId === orbit.chainId)).toEqual([shipped])
})

test('a site follows the wallet until it is put on a network of its own, and again when that is taken back', async () => {
  const networks = createNetworks(memoryStore(), defaultNetworks)
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

test('a site is not put on a network that is not there, and one that goes away leaves it with the wallet', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, defaultNetworks)
  await expect(networks.choose(SITE, 5)).rejects.toMatchObject({ code: 4902 })
  await networks.choose(SITE, 1)
  const left = defaultNetworks.filter(({ chainId }) => chainId !== 1)
  expect((await createNetworks(store, left).of(SITE)).chainId).toBe(31337)
})
