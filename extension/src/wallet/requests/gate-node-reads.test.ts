import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { afterEach, expect, test, vi } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { READ_BURST, READS_PER_SECOND } from '../networks/read-rate.ts'
import { createSiteChoices, siteRequester } from '../sites/sites.ts'
import { memoryStore } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, OTHER_SITE, SECOND, SITE, startNode } from '../wallet.fixture.ts'
import { createNodeReads, MAX_CONCURRENT, MAX_QUEUED_READS } from './gate.ts'

const PUBLIC_NODE = 'https://node.example/'
const PAGE = '1 page'

afterEach(() => void vi.useRealTimers())

/** Creates a wallet connected to SITE, and records the requests to its node. */
const start = async (rpcUrl?: string) => {
  const asked: string[] = []
  const chain: Chain = async ({ chainId }, method) => {
    asked.push(method)
    if (method === 'eth_chainId') return encodeQuantity(chainId)
    return method === 'eth_getBlockByNumber'
      ? { number: encodeQuantity(asked.length), hash: `h${asked.length}` }
      : '0x1'
  }
  const headless = await connectedWallet({ chain })
  if (rpcUrl !== undefined) await headless.wallet.ui.setRpcUrls({ chainId: 31337, rpcUrls: [rpcUrl] })
  asked.length = 0
  let id = 0
  const from = (origin: string, method: string, ...params: unknown[]) =>
    headless.wallet.request(origin, { id: `read ${++id}`, method, params, page: PAGE })
  return { ...headless, asked, from }
}

/** Like `start`, with a node that accepts transactions. */
const connectedWithNode = async () => {
  const { chain, sent } = startNode({ eth_getTransactionReceipt: () => null, eth_chainId: () => '0x7a69' })
  const asked: string[] = []
  const headless = await connectedWallet({
    chain: (network, method, ...rest) => {
      asked.push(method)
      return chain(network, method, ...rest)
    },
  })
  return { ...headless, sent, asked }
}

const batch = { version: '2.0.0', id: 'x', chainId: '0x7a69', atomicRequired: false }

const reads: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_call', {}, 'latest'],
  ['chain_getLogs', {}],
  ['eth_newFilter', {}],
  ['eth_getFilterChanges', '0x1'],
  ['eth_subscribe', 'newHeads'],
  ['eth_sendRawTransaction', '0x00'],
  ['net_listening'],
  ['wallet_watchAsset', { type: 'ERC20', options: { address: ADDRESS, symbol: 'TOK', decimals: 6 } }],
]

test.for(reads)('an unconnected site gets 4100 for %s from a local node', async read => {
  const { from, asked, shown } = await start()
  await expect(from(OTHER_SITE, ...read)).rejects.toMatchObject({
    code: 4100,
    message: expect.stringContaining('connected sites'),
  })
  expect([asked, shown]).toEqual([[], []])
})

test('an unconnected site on a public network gets 4100 for a token on a network with a local node', async () => {
  const { wallet, from, asked, shown } = await start(PUBLIC_NODE)
  await wallet.ui.setRpcUrls({ chainId: 8217, rpcUrls: ['http://10.0.0.1:8545/'] })
  asked.length = 0
  const watching = (chainId: number) =>
    [
      'wallet_watchAsset',
      { type: 'ERC20', options: { address: ADDRESS, symbol: 'TOK', decimals: 6, chainId } },
    ] as const
  await expect(from(OTHER_SITE, ...watching(8217))).rejects.toMatchObject({ code: 4100, reason: 'nodeIsPrivate' })
  expect([asked, shown]).toEqual([[], []])
  await wallet.ui.setRpcUrls({ chainId: 31337, rpcUrls: ['http://10.0.0.1:8545/'] })
  await wallet.ui.setRpcUrls({ chainId: 8217, rpcUrls: [PUBLIC_NODE] })
  await expect(from(OTHER_SITE, ...watching(8217))).resolves.toBe(true)
})

test("a disconnected site no longer gets its calls' status from a local node", async () => {
  const { wallet, ask, sent, asked } = await connectedWithNode()
  await ask('wallet_sendCalls', { ...batch, calls: [{ to: SECOND }] })
  expect(sent).toHaveLength(1)
  await wallet.ui.disconnectSite({ origin: SITE })
  asked.length = 0
  await expect(ask('wallet_getCallsStatus', 'x')).rejects.toMatchObject({ code: 4100, reason: 'nodeIsPrivate' })
  expect(asked).toEqual([])
  await wallet.ui.setRpcUrls({ chainId: 31337, rpcUrls: [PUBLIC_NODE] })
  await expect(ask('wallet_getCallsStatus', 'x')).resolves.toMatchObject({ id: 'x' })
})

test('methods without a node are answered, and a connected site can read, even while locked', async () => {
  const { wallet, from, asked } = await start()
  for (const isLocked of [false, true]) {
    if (isLocked) await wallet.ui.lock(null)
    expect(await from(OTHER_SITE, 'eth_chainId')).toBe('0x7a69')
    expect(await from(OTHER_SITE, 'net_version')).toBe('31337')
    expect(await from(OTHER_SITE, 'web3_clientVersion')).toBe('Heliograph/v1.2.3')
    expect(await from(OTHER_SITE, 'eth_accounts')).toEqual([])
    await expect(from(OTHER_SITE, 'eth_blockNumber')).rejects.toMatchObject({ code: 4100 })
    expect(asked).toEqual([])
    expect(await from(SITE, 'eth_blockNumber')).toBe('0x1')
    expect(asked.splice(0)).toEqual(['eth_blockNumber'])
  }
})

test('a site can read and gets subscription messages only while it is connected', async () => {
  const { wallet, from, asked, events } = await start()
  expect(await from(OTHER_SITE, 'eth_requestAccounts')).toEqual([ADDRESS_LOWER])
  expect(await from(OTHER_SITE, 'eth_blockNumber')).toBe('0x1')
  await from(OTHER_SITE, 'eth_subscribe', 'newHeads')
  await wallet.ui.disconnectSite({ origin: OTHER_SITE })
  await expect(from(OTHER_SITE, 'eth_blockNumber')).rejects.toMatchObject({ code: 4100 })
  asked.length = 0
  events.length = 0
  await wallet.tend()
  expect([asked, events]).toEqual([[], []])
})

test("a site's setting lets it read while it is on", async () => {
  const { wallet, from } = await start()
  await wallet.ui.setSiteChoice({ origin: OTHER_SITE, readsLocalNode: true })
  expect(await from(OTHER_SITE, 'eth_blockNumber')).toBe('0x1')
  await expect(from('https://third.example', 'eth_blockNumber')).rejects.toMatchObject({ code: 4100 })
  await wallet.ui.setSiteChoice({ origin: OTHER_SITE, readsLocalNode: false })
  await expect(from(OTHER_SITE, 'eth_blockNumber')).rejects.toMatchObject({ code: 4100 })
})

test('every site can read from a node at a public address', async () => {
  const { from } = await start(PUBLIC_NODE)
  expect(await from(OTHER_SITE, 'eth_blockNumber')).toBe('0x1')
})

test('an unconnected site can read in bursts, then at a limited rate that does not delay other requests', async () => {
  const { from, asked } = await start(PUBLIC_NODE)
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const reads = () => asked.filter(method => method === 'eth_blockNumber').length
  const more = MAX_CONCURRENT + 5
  const all = Array.from({ length: READ_BURST + more }, () => from(OTHER_SITE, 'eth_blockNumber'))
  expect(await from(OTHER_SITE, 'eth_chainId')).toBe('0x7a69')
  expect(await from(SITE, 'eth_gasPrice')).toBe('0x1')
  await expect.poll(reads).toBe(READ_BURST)
  for (let further = 1; further <= more; further++) {
    vi.advanceTimersByTime(1_000 / READS_PER_SECOND)
    await expect.poll(reads, { interval: 5 }).toBe(READ_BURST + further)
  }
  await Promise.all(all)
  expect(asked).toHaveLength(READ_BURST + more + 1)
})

test("reads over the queue limit are -32005, and a closed page's reads are dropped", async () => {
  const store = memoryStore()
  const turns: (() => void)[] = []
  const { read } = createNodeReads({
    grants: { siteOf: async () => undefined },
    choices: createSiteChoices(store),
    rate: () => new Promise(resolve => turns.push(resolve)),
  })
  const network: Network = { ...(testNetworks[0] as Network), rpcUrls: [PUBLIC_NODE] }
  let isThere = true
  const assertWanted = () => {
    if (!isThere) throw rpcError('userRejected')
  }
  let done = 0
  const task = async () => ++done
  const all = Array.from({ length: MAX_CONCURRENT + MAX_QUEUED_READS }, () =>
    read(siteRequester(SITE), network, assertWanted, task),
  )
  await expect(read(siteRequester(SITE), network, assertWanted, task)).rejects.toMatchObject({ code: -32005 })
  await expect.poll(() => turns.length).toBe(MAX_CONCURRENT)
  isThere = false
  const outcomes = Promise.allSettled(all)
  for (const turn of turns.splice(0)) turn()
  expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_CONCURRENT)
  expect([done, turns.length]).toEqual([MAX_CONCURRENT, 0])
})
