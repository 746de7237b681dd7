import { defaultNetworks } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { createNetworks } from './networks.ts'
import { memoryStore } from './store.ts'

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
