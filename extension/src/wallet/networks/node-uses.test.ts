import type { Network, NodeUse } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { localChain, testNetworks } from './networks.fixture.ts'
import { createNetworks } from './networks.ts'
import { createChain, type Post } from './node.ts'
import { groupsOf, networkOfSite, nodesFor, onBehalfOf, readersOf, toNodeUses } from './node-uses.ts'

const [MAIN, SPARE, CHECK, SENDER, OWN, OTHER] = ['main', 'spare', 'check', 'sender', 'own', 'other'].map(
  name => `https://${name}.example/`,
) as [string, string, string, string, string, string]
const THIRD = `0x${'33'.repeat(20)}`

const networkWith = (uses: Readonly<Record<string, NodeUse>>, urls: readonly string[] = [MAIN, ...Object.keys(uses)]) =>
  ({ ...localChain, rpcUrls: urls, nodeUses: uses }) satisfies Network

const apart = networkWith({ [OWN]: { accounts: [ADDRESS] }, [OTHER]: { accounts: [SECOND] } })

test('without uses, all nodes read and send, and none compares', () => {
  const urls = [MAIN, SPARE]
  expect(nodesFor({ ...localChain, rpcUrls: urls }, ADDRESS)).toEqual({ read: urls, send: urls, compare: [] })
})

test('a node for sending only sends, and a node for comparing reads last', () => {
  const network = networkWith({ [CHECK]: { also: 'comparing' }, [SENDER]: { only: 'sending' }, [SPARE]: {} })
  expect(nodesFor(network, null)).toEqual({ read: [MAIN, SPARE, CHECK], send: [SENDER], compare: [CHECK] })
})

test('an account with nodes of its own uses no others, in any case of its address', () => {
  const network = networkWith({
    [OWN]: { accounts: [ADDRESS] },
    [CHECK]: { also: 'comparing', accounts: [ADDRESS.toLowerCase()] },
    [SPARE]: {},
  })
  expect(nodesFor(network, ADDRESS.toLowerCase())).toEqual({ read: [OWN, CHECK], send: [OWN, CHECK], compare: [CHECK] })
  expect(nodesFor(network, SECOND)).toEqual({ read: [MAIN, SPARE], send: [MAIN, SPARE], compare: [] })
  expect(nodesFor(network, null).compare).toEqual([])
})

test('accounts are grouped by their nodes', () => {
  const groups = groupsOf(apart, [ADDRESS, THIRD, SECOND, `0x${'44'.repeat(20)}`])
  expect(groups.map(({ accounts, network }) => [accounts.length, readersOf(network)])).toEqual([
    [1, [OWN]],
    [2, [MAIN]],
    [1, [OTHER]],
  ])
})

test.each<[name: string, uses: Readonly<Record<string, NodeUse>>, reason: string]>([
  ['the first node', { [MAIN]: { only: 'sending' } }, 'firstNodeReads'],
  ['the first of two nodes, to compare', { [MAIN]: { also: 'comparing' } }, 'firstNodeReads'],
  ['the first node, for an account', { [MAIN]: { accounts: [ADDRESS] } }, 'firstNodeReads'],
  ['an account that could only send', { [OWN]: { only: 'sending', accounts: [ADDRESS] } }, 'accountNeedsReading'],
])('a use is refused for %s', (_, uses, reason) => {
  expect(() => toNodeUses([MAIN, OWN], uses)).toThrow(expect.objectContaining({ code: -32602, reason }))
})

test('uses of nodes that are not in the list, and empty uses, are dropped', () => {
  expect(toNodeUses([MAIN, OWN], { [OWN]: { accounts: [] }, [SPARE]: { only: 'sending' } })).toEqual({})
  expect(toNodeUses([CHECK], { [CHECK]: { also: 'comparing' } })).toEqual({})
})

/** Creates a client for nodes that answer with their own name, and records what each was sent. */
const recordingChain = (dead: readonly string[] = []) => {
  const sent: [url: string, method: string][] = []
  const post: Post = async (url, body) => {
    const asked = [JSON.parse(body)].flat() as { id: number; method: string }[]
    for (const { method } of asked) sent.push([url, method])
    if (dead.includes(url)) throw new Error('unreachable')
    return JSON.stringify(asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: url })))
  }
  const single: Post = async (url, body) => {
    const text = await post(url, body)
    return body.startsWith('[') ? text : JSON.stringify(JSON.parse(text)[0])
  }
  return { chain: createChain(single), sent }
}
const balanceOf = (address: string) => ({ method: 'eth_getBalance', params: [address, 'latest'] })
const rawOf = (address: string) => ({
  method: 'eth_call',
  params: [{ data: `0x70a08231${address.slice(2).padStart(64, '0')}` }],
})

test('a request goes to the nodes of the account that it names, also in calldata, and any other to the first ones', async () => {
  const { chain, sent } = recordingChain()
  for (const { method, params } of [balanceOf(ADDRESS.toLowerCase()), rawOf(SECOND), balanceOf(THIRD)])
    await chain(apart, method, params)
  await chain(apart, 'eth_blockNumber')
  expect(sent.map(([url]) => url)).toEqual([OWN, OTHER, MAIN, MAIN])
})

test('a batch is split by the nodes, and its answers keep their order', async () => {
  const { chain, sent } = recordingChain()
  const asked = [THIRD, ADDRESS, SECOND, ADDRESS, THIRD].map(balanceOf)
  expect(await chain.all?.(apart, asked)).toEqual([MAIN, OWN, OTHER, OWN, MAIN].map(result => ({ result })))
  expect(sent.filter(([url]) => url === OWN)).toHaveLength(2)
})

test("one account's dead node spoils no other account's answers, and is not replaced by another node", async () => {
  const { chain, sent } = recordingChain([OWN])
  const [own, other] = (await chain.all?.(apart, [ADDRESS, SECOND].map(balanceOf))) ?? []
  expect([own, other]).toEqual([{ error: expect.objectContaining({ code: 4901 }) }, { result: OTHER }])
  await expect(chain(apart, 'eth_getBalance', [ADDRESS, 'latest'])).rejects.toMatchObject({ code: 4901 })
  expect(sent.map(([url]) => url)).not.toContain(MAIN)
})

test('a request that names accounts of different nodes reaches no node', async () => {
  const { chain, sent } = recordingChain()
  const mixed = { method: 'eth_getLogs', params: [{ topics: [null, [ADDRESS, SECOND].map(one => one.slice(2))] }] }
  await expect(chain(apart, mixed.method, mixed.params)).rejects.toMatchObject({ code: -32000, reason: 'nodesApart' })
  await expect(chain.all?.(apart, [mixed])).rejects.toMatchObject({ reason: 'nodesApart' })
  expect(sent).toEqual([])
})

test("on an account's behalf, all requests go to its nodes, and transactions to its node for sending", async () => {
  const { chain, sent } = recordingChain()
  const network = networkWith({ [OWN]: { accounts: [ADDRESS] }, [SENDER]: { only: 'sending', accounts: [ADDRESS] } })
  const own = onBehalfOf(network, ADDRESS)
  await chain(own, 'eth_getBalance', [SECOND, 'latest'])
  await chain(own, 'eth_getTransactionReceipt', ['0x1'])
  await chain(own, 'eth_sendRawTransaction', ['0x2'])
  expect(sent).toEqual([
    [OWN, 'eth_getBalance'],
    [OWN, 'eth_getTransactionReceipt'],
    [SENDER, 'eth_sendRawTransaction'],
  ])
})

test("a site's read goes to the nodes of the account that it names, otherwise of the site's first account", () => {
  const of = (params: readonly unknown[], accounts: readonly string[] = [ADDRESS, THIRD]) =>
    readersOf(networkOfSite(apart, accounts, params))
  expect([of([]), of([SECOND]), of([THIRD]), of([], [])]).toEqual([[OWN], [OTHER], [MAIN], [MAIN]])
  for (const mixed of [
    [ADDRESS, SECOND],
    [ADDRESS, THIRD],
  ])
    expect(() => of(mixed)).toThrow(expect.objectContaining({ reason: 'nodesApart' }))
})

test('uses are stored, follow the list of nodes, and are removed with the network', async () => {
  const store = memoryStore()
  const networks = createNetworks(store, testNetworks)
  await networks.setRpcUrls(1, [MAIN, OWN, CHECK])
  await networks.setNodeUse(1, OWN, { accounts: [ADDRESS] })
  await networks.setNodeUse(1, CHECK, { also: 'comparing' })
  const uses = async () => (await createNetworks(store, testNetworks).get(1)).nodeUses
  expect(await uses()).toEqual({ [OWN]: { accounts: [ADDRESS] }, [CHECK]: { also: 'comparing' } })

  await expect(networks.setNodeUse(1, SPARE, {})).rejects.toMatchObject({ code: -32602, reason: 'nodeGone' })
  await expect(networks.setRpcUrls(1, [OWN, MAIN])).rejects.toMatchObject({ code: -32602, reason: 'firstNodeReads' })
  expect(Object.keys((await uses()) ?? {})).toHaveLength(2)

  await networks.setRpcUrls(1, [MAIN, CHECK])
  await networks.setRpcUrls(1, [MAIN, OWN, CHECK])
  expect(await uses()).toEqual({ [CHECK]: { also: 'comparing' } })
  await networks.setNodeUse(1, CHECK, {})
  expect(await uses()).toBeUndefined()
})
