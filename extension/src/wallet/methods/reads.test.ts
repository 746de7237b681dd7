import { expect, test } from 'vitest'
import { refusal } from '../networks/node.fixture.ts'
import { type Chain, createChain } from '../networks/node.ts'
import { connectedWallet, OTHER_SITE, SITE, startWallet } from '../wallet.fixture.ts'
import { findMethod } from './index.ts'
import { filterMakers, filterUsers, readNames } from './reads.ts'

const recording = async () => {
  const asked: unknown[] = []
  const chain: Chain = async ({ chainId }, method, params) => {
    asked.push([chainId, method, params])
    return '0x1'
  }
  return { asked, ...(await connectedWallet({ chain })) }
}

test("reads are forwarded to the network's node unchanged, with the node's prefix", async () => {
  const { wallet, ask, asked } = await recording()
  expect(await ask('eth_getBalance', '0x0', 'latest')).toBe('0x1')
  await ask('chain_blockNumber')
  await wallet.ui.selectNetwork({ chainId: 8217 })
  await ask('klay_call', { to: '0x0' }, 'latest', { '0x0': {} })
  expect(asked).toEqual([
    [31337, 'eth_getBalance', ['0x0', 'latest']],
    [31337, 'eth_blockNumber', []],
    [8217, 'eth_call', [{ to: '0x0' }, 'latest', { '0x0': {} }]],
  ])
})

test("no read method signs, sends or returns the node's accounts", () => {
  for (const name of [...readNames, ...filterMakers, ...filterUsers])
    expect(name).not.toMatch(/sign|send|accounts|mine|compile/i)
})

test("returns the node's error", async () => {
  const { ask } = await connectedWallet({
    chain: async () => {
      throw refusal('invalidInput', 'block not found', { block: 1 })
    },
  })
  await expect(ask('eth_getBlockByNumber', '0x1', false)).rejects.toMatchObject({
    code: -32000,
    message: 'block not found',
    data: { block: 1 },
  })
})

test('params that are neither an array nor absent are -32602', async () => {
  const { wallet, asked } = await recording()
  const read = (params: unknown) => wallet.request(SITE, { id: '1', method: 'eth_gasPrice', params })
  for (const params of [null, {}, 'latest', 1]) await expect(read(params)).rejects.toMatchObject({ code: -32602 })
  expect(asked).toEqual([])
  await read(undefined)
  expect(asked).toEqual([[31337, 'eth_gasPrice', []]])
})

test('a network without an RPC URL is 4901', async () => {
  const { wallet, ask } = startWallet({ chain: createChain() })
  await wallet.ui.selectNetwork({ chainId: 1 })
  await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4901 })
})

/**
 * The `eth_` methods in https://github.com/ethereum/execution-apis, including the methods that the wallet answers
 * itself.
 */
const SPECIFIED = [
  ...['accounts', 'baseFee', 'blobBaseFee', 'blockNumber', 'call', 'capabilities', 'chainId', 'coinbase', 'config'],
  ...['createAccessList', 'estimateGas', 'feeHistory', 'fillTransaction', 'gasPrice', 'getBalance'],
  ...['getBlockAccessList', 'getBlockByHash', 'getBlockByNumber', 'getBlockReceipts'],
  ...['getBlockTransactionCountByHash', 'getBlockTransactionCountByNumber', 'getCode', 'getFilterChanges'],
  ...['getFilterLogs', 'getLogs', 'getProof', 'getStorageAt', 'getStorageValues', 'getTransactionByBlockHashAndIndex'],
  ...['getTransactionByBlockNumberAndIndex', 'getTransactionByHash', 'getTransactionCount', 'getTransactionReceipt'],
  ...['maxPriorityFeePerGas', 'newBlockFilter', 'newFilter', 'newPendingTransactionFilter', 'sendRawTransaction'],
  ...['sendTransaction', 'sign', 'signTransaction', 'simulateV1', 'syncing', 'uninstallFilter'],
]

test('every eth_ method in the execution API specification exists', () => {
  for (const name of SPECIFIED) expect(findMethod(`eth_${name}`, ['eth']), name).toBeDefined()
})

test('net_listening is forwarded to the node', async () => {
  const { ask, asked } = await recording()
  await ask('net_listening')
  expect(asked).toEqual([[31337, 'net_listening', []]])
})

test('only the site that created a filter can use it', async () => {
  const { wallet, ask, asked } = await recording()
  await wallet.request(OTHER_SITE, { id: 'connect', method: 'eth_requestAccounts' })
  for (const maker of filterMakers) {
    const id = await ask(`eth_${maker}`)
    asked.length = 0
    const uninstall = (site: string, name: string, params: unknown) =>
      wallet.request(site, { id: `${maker} ${name}`, method: 'eth_uninstallFilter', params })
    expect(await uninstall(OTHER_SITE, 'other', [id])).toBe(false)
    expect(asked).toEqual([])
    for (const method of filterUsers.map(user => `eth_${user}`)) {
      const other = wallet.request(OTHER_SITE, { id: `${maker} ${method}`, method, params: [id] })
      await expect(other).rejects.toMatchObject({ code: -32000, message: 'filter not found' })
      for (const params of [[], [1], ['0x2'], {}]) {
        const own = wallet.request(SITE, { id: `${maker} ${method} ${JSON.stringify(params)}`, method, params })
        await expect(own).rejects.toMatchObject({ code: -32000 })
      }
      expect(asked).toEqual([])
      await ask(method, id, 'latest')
      expect(asked.splice(0)).toEqual([[31337, method, [id]]])
    }
  }
})

const UNKNOWN: readonly unknown[] = [['0x2'], ['0xdeadbeef'], ['nothing'], [''], [1], [null], [], {}, null, '0x2']

test.each(UNKNOWN.map(params => [params]))(
  'eth_uninstallFilter with an unknown id, %j, returns false without a request to the node',
  async params => {
    const { wallet, asked } = await recording()
    for (const method of ['eth_uninstallFilter', 'chain_uninstallFilter'])
      expect(await wallet.request(SITE, { id: method, method, params })).toBe(false)
    for (const user of filterUsers)
      await expect(wallet.request(SITE, { id: user, method: `eth_${user}`, params })).rejects.toMatchObject({
        code: -32000,
      })
    expect(asked).toEqual([])
  },
)

test("eth_uninstallFilter returns the node's result for a site's filter, even after the worker restarted", async () => {
  const known = new Set<unknown>()
  const chain: Chain = async (_, method, [id] = []) => {
    if (method !== 'eth_uninstallFilter') return [...known.add(`0x${known.size + 1}`)].at(-1)
    return known.delete(id)
  }
  const { ask, store } = await connectedWallet({ chain })
  const [first, second] = [await ask('eth_newBlockFilter'), await ask('eth_newFilter', {})]
  expect(await ask('eth_uninstallFilter', first, null)).toBe(true)
  expect(await ask('eth_uninstallFilter', first)).toBe(false)
  const later = startWallet({ store, chain })
  expect(await later.ask('eth_uninstallFilter', second)).toBe(true)
  expect(await later.ask('eth_uninstallFilter', second)).toBe(false)
})

test('eth_uninstallFilter returns false for a filter that the node has dropped, and throws other errors', async () => {
  let error = refusal('invalidInput', 'filter not found')
  const { ask } = await connectedWallet({
    chain: async (_, method) => {
      if (method === 'eth_uninstallFilter') throw error
      return '0x1'
    },
  })
  const id = await ask('eth_newBlockFilter')
  expect(await ask('eth_uninstallFilter', id)).toBe(false)
  await expect(ask('eth_getFilterChanges', id)).resolves.toBe('0x1')
  error = refusal('methodNotFound', 'no filters here')
  await expect(ask('eth_uninstallFilter', id)).rejects.toMatchObject({ code: -32601 })
})
