import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { memoryStore, observing } from '../storage/store.ts'
import { ADDRESS, chainOf } from '../wallet.fixture.ts'
import type { Activity } from './activity.ts'
import { createChainResets } from './chain-resets.ts'

const [local, mainnet] = testNetworks as [Network, Network]

const start = (records: Partial<Activity>[] = []) => {
  const node: Record<string, unknown> = {
    genesis: '0xaa',
    second: '0xa1',
    receipt: {},
    count: '0x9',
    head: '0x7',
    syncing: false,
  }
  const told: string[] = []
  const asked: string[] = []
  const chain = chainOf({
    eth_getBlockByNumber: ([number]) => {
      if (number === '0x0') return { hash: node.genesis }
      return node.second === null ? null : { hash: node.second }
    },
    eth_blockNumber: () => node.head,
    eth_syncing: () => {
      if (node.syncing === 'unknown') throw refusal('methodNotFound')
      return node.syncing
    },
    eth_getTransactionReceipt: () => node.receipt,
    eth_getTransactionCount: () => node.count,
  })
  const store = observing(memoryStore(), new Set())
  store.observe(() => told.push('change'))
  const create = () =>
    createChainResets({
      store,
      chain: async (network, method, params) => {
        asked.push(method)
        return chain(network, method, params)
      },
      activity: { list: async () => records as Activity[] },
    })
  return { chainResets: create(), create, node, told, asked }
}
const mined = { chainId: local.chainId, account: ADDRESS, hash: '0x12', nonce: '0x4', block: '0x7' } as const

test('a different genesis block is a reset, notified once and stored until it is cleared', async () => {
  const { chainResets, create, node, told } = start()
  await chainResets.look(local)
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([])
  node.genesis = '0xbb'
  told.length = 0
  await chainResets.look(local)
  await chainResets.look(local)
  expect([await create().list(), told]).toEqual([[local.chainId], ['change']])
  await chainResets.forget(local.chainId)
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([])
})

test('a chain that lost a mined transaction and its nonce was reset', async () => {
  const { chainResets, node } = start([mined])
  await chainResets.look(local)
  node.receipt = null
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([])
  node.count = '0x4'
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([local.chainId])
})

test('a different second block is a reset, even with the same genesis block', async () => {
  const { chainResets, node } = start()
  node.second = null
  await chainResets.look(local)
  node.second = '0xa1'
  await chainResets.look(local)
  node.second = null
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([])
  node.second = '0xb1'
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([local.chainId])
})

test('a node that lags or is syncing is not a reset', async () => {
  const { chainResets, node } = start([mined])
  await chainResets.look(local)
  Object.assign(node, { receipt: null, count: '0x0' })
  for (const behind of [
    { head: '0x6', syncing: false },
    { head: '0x0', syncing: false, second: null },
    { head: '0x9', syncing: { currentBlock: '0x9', highestBlock: '0xff' } },
    { head: '0x0', syncing: { currentBlock: '0x0', highestBlock: '0xff' } },
  ]) {
    Object.assign(node, behind)
    await chainResets.look(local)
    expect(await chainResets.list(), JSON.stringify(behind)).toEqual([])
  }
  Object.assign(node, { head: '0x7', syncing: 'unknown', second: '0xa1' })
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([local.chainId])
})

test('a node that does not return its first block, or is unreachable, is not a reset', async () => {
  const { chainResets, node } = start()
  await chainResets.look(local)
  Object.assign(node, { genesis: undefined, second: null })
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([])
  node.genesis = '0xbb'
  await chainResets.look(local)
  expect(await chainResets.list()).toEqual([local.chainId])
})

test('only development chains are checked: testnets and local nodes', async () => {
  const { chainResets, asked } = start()
  for (const rpcUrl of [undefined, 'https://rpc.example', 'http://192.0.2.7:8545', 'https://localhost.example'])
    await chainResets.look({ ...mainnet, rpcUrls: rpcUrl === undefined ? [] : [rpcUrl] })
  await chainResets.look({ ...local, rpcUrls: [] })
  await chainResets.look({ ...mainnet, rpcUrls: ['http://127.0.0.1:8545', 'https://rpc.example'] })
  expect(asked).toEqual([])
  for (const rpcUrl of ['http://127.0.0.1:8545', 'http://localhost:1/', 'http://[::1]:8545', 'http://a.localhost/'])
    await chainResets.look({ ...mainnet, rpcUrls: [rpcUrl] })
  await chainResets.look({ ...mainnet, testnet: true, rpcUrls: ['https://rpc.example'] })
  expect(asked).toHaveLength(10)
})

test('errors of the node are thrown, and nothing is stored', async () => {
  const failing = createChainResets({
    store: memoryStore(),
    chain: async () => {
      throw unreachable()
    },
    activity: { list: async () => [] },
  })
  await expect(failing.look(local)).rejects.toMatchObject({ code: 4901 })
  expect(await failing.list()).toEqual([])
})
