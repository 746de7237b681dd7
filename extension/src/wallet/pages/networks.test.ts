import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import type { NetworkInput } from '../../messages.ts'
import { ADDRESS, chainOf, createdWallet } from '../wallet.fixture.ts'

const input: NetworkInput = {
  chainId: 88_120,
  title: ' Orbit ',
  symbol: 'OTT',
  rpcUrls: [' https://rpc.orbit.example '],
  explorerUrl: '',
  prefix: 'orbit',
  signedMessageName: 'Orbit',
  testnet: true,
}
const node = (chainId: string) => chainOf({ eth_chainId: () => chainId, eth_blockNumber: () => '0x10' })

test('a network can be added with its own signing prefix, and edited', async () => {
  const { wallet, state, ask } = await createdWallet({ chain: node('0x15838') })
  await wallet.ui.saveNetwork(input)
  expect(state()?.networks.at(-1)).toMatchObject({
    chainId: 88_120,
    title: 'Orbit',
    symbol: 'OTT',
    testnet: true,
    added: true,
    rpcUrls: ['https://rpc.orbit.example/'],
  })
  await wallet.ui.saveNetwork({ ...input, rpcUrls: ['https://other.example/'], explorerUrl: 'https://scan.example' })
  expect(await wallet.ui.describeNetwork({ chainId: 88_120 })).toEqual({
    ...input,
    title: 'Orbit',
    rpcUrls: ['https://other.example/'],
    explorerUrl: 'https://scan.example/',
  })
  await wallet.ui.selectNetwork({ chainId: 88_120 })
  await ask('eth_requestAccounts')
  expect(await ask('orbit_accounts')).toEqual([ADDRESS.toLowerCase()])
})

test('invalid fields are rejected by name, and a node with another chain id is rejected too', async () => {
  const { wallet, state } = await createdWallet({ chain: node('0x1') })
  const before = state()?.networks
  for (const [change, reason] of [
    [{ title: '' }, 'networkTitleForm'],
    [{ symbol: 'x'.repeat(12) }, 'networkSymbolForm'],
    [{ chainId: 1.5 }, 'notChainIdNumber'],
    [{ prefix: 'no prefix' }, 'networkPrefixForm'],
    [{ signedMessageName: 'a\u202eb' }, 'networkMessageNameForm'],
    [{ rpcUrls: ['ftp://x'] }, 'notRpcUrl'],
    [{ explorerUrl: 'javascript:alert(1)' }, 'notExplorerUrl'],
    [{}, 'rpcOtherChain'],
    [{ chainId: 1 }, 'builtInNetwork'],
  ] as const)
    await expect(wallet.ui.saveNetwork({ ...input, ...change })).rejects.toMatchObject({ code: -32602, reason })
  expect(state()?.networks).toEqual(before)
})

test('a node can be tested before its network is added', async () => {
  const { wallet } = await createdWallet({ chain: node('0x2019') })
  expect(await wallet.ui.probeRpc({ rpcUrl: 'http://127.0.0.1:1' })).toEqual({ chainId: 8217, block: '0x10' })
  await expect(wallet.ui.probeRpc({ rpcUrl: 'nowhere' })).rejects.toMatchObject({ code: -32602 })
  const { wallet: other } = await createdWallet({ chain: chainOf({}) })
  await expect(other.ui.probeRpc({ rpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow()
})

test('a network in the catalogue is added without a node and without a request', async () => {
  const asked: string[] = []
  const { wallet, state } = await createdWallet({
    chain: async (_, method) => {
      asked.push(method)
      return null
    },
  })
  const listed = await wallet.ui.getListedNetworks(null)
  const base = listed.find(({ chainId }) => chainId === 8453)
  await wallet.ui.addListedNetwork({ chainId: 8453 })
  expect(state()?.networks.at(-1)).toEqual({
    chainId: 8453,
    title: base?.title,
    symbol: base?.symbol,
    decimals: 18,
    testnet: false,
    rpcUrls: [],
    added: true,
    listed: true,
  })
  expect((await wallet.ui.describeNetwork({ chainId: 8453 })).explorerUrl).toBe(base?.explorerUrl)
  const before = state()?.networks
  await wallet.ui.addListedNetwork({ chainId: 8453 })
  await wallet.ui.addListedNetwork({ chainId: 1 })
  expect(state()?.networks).toEqual(before)
  await expect(wallet.ui.addListedNetwork({ chainId: 88_120 })).rejects.toMatchObject({
    code: 4902,
    reason: 'notInCatalogue',
  })
  expect(asked).toEqual([])
})

/** Creates a wallet whose nodes report the chains of the offer, except the nodes in `broken`. Records asked nodes. */
const offeredWallet = async (broken: (url: string) => boolean = () => false) => {
  const asked: string[] = []
  const created = await createdWallet({
    chain: async ({ chainId, rpcUrls: [url = ''] }) => {
      asked.push(url)
      if (broken(url)) throw new Error('no connection')
      return encodeQuantity(chainId)
    },
  })
  const offered = await created.wallet.ui.getPublicNodes(null)
  return { ...created, asked, offered }
}

test('one call sets public nodes for six networks, and no node is asked before it', async () => {
  const { wallet, state, asked, offered } = await offeredWallet()
  expect(offered.map(({ chainId }) => chainId)).toEqual([1, 8453, 42_161, 10, 137, 56])
  expect(asked).toEqual([])
  expect(await wallet.ui.usePublicNodes(null)).toEqual([])
  expect(asked.toSorted()).toEqual(offered.flatMap(({ nodes }) => nodes.map(({ url }) => url)).toSorted())
  const urlsOf = (id: number) => state()?.networks.find(({ chainId }) => chainId === id)?.rpcUrls
  for (const { chainId, nodes } of offered) expect(urlsOf(chainId)).toEqual(nodes.map(({ url }) => url))
  expect(state()?.networks.map(({ chainId }) => chainId)).toEqual([31_337, 1, 8217, 8453, 42_161, 10, 137, 56])
})

test("the user's own nodes are kept, and their networks are not asked", async () => {
  const { wallet, state, asked } = await offeredWallet()
  await wallet.ui.setRpcUrls({ chainId: 1, rpcUrls: ['https://own.example/'] })
  asked.length = 0
  expect(await wallet.ui.usePublicNodes(null)).toEqual([])
  expect(state()?.networks.find(({ chainId }) => chainId === 1)?.rpcUrls).toEqual(['https://own.example/'])
  expect(asked).toHaveLength(10)
})

test('a public node that does not respond is left out, and a network without any is named and not added', async () => {
  const { wallet, state } = await offeredWallet(url => url.includes('base') || url === 'https://eth.drpc.org/')
  expect(await wallet.ui.usePublicNodes(null)).toEqual(['Base'])
  expect(state()?.networks.find(({ chainId }) => chainId === 1)?.rpcUrls).toEqual([
    'https://ethereum-rpc.publicnode.com/',
  ])
  expect(state()?.networks.some(({ chainId }) => chainId === 8453)).toBe(false)
})

test('a public node of another chain is not used', async () => {
  const { wallet, state } = await createdWallet({ chain: node('0x2') })
  const titles = (await wallet.ui.getPublicNodes(null)).map(({ title }) => title)
  const before = state()?.networks
  expect(await wallet.ui.usePublicNodes(null)).toEqual(titles)
  expect(state()?.networks).toEqual(before)
})

test('only a built-in network, or a network that the user added from the catalogue and did not rename, counts as listed', async () => {
  const { wallet, ask } = await createdWallet({ chain: chainOf({ eth_chainId: () => '0x89' }) })
  const networks = async () => (await wallet.ui.getState(null)).networks
  const listedIds = async () => (await networks()).flatMap(({ chainId, listed }) => (listed ? [chainId] : []))
  const builtIn = await listedIds()
  const polygon = (await wallet.ui.getListedNetworks(null)).find(({ chainId }) => chainId === 137)
  const save = (title: string, more: Partial<NetworkInput> = {}) =>
    wallet.ui.saveNetwork({
      ...{ chainId: 137, title, symbol: 'POL', rpcUrls: ['https://rpc.example/'], explorerUrl: '', prefix: 'eth' },
      ...{ signedMessageName: 'Ethereum', testnet: false, ...more },
    })

  await ask('wallet_addEthereumChain', {
    ...{ chainId: '0x89', chainName: polygon?.title, rpcUrls: ['https://rpc.example/'] },
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  })
  expect((await networks()).at(-1)?.title).toBe(polygon?.title)
  expect(await listedIds()).toEqual(builtIn)
  await save(polygon?.title ?? '')
  await wallet.ui.addListedNetwork({ chainId: 137 })
  expect(await listedIds()).toEqual(builtIn)

  await wallet.ui.removeNetwork({ chainId: 137 })
  await wallet.ui.addListedNetwork({ chainId: 137 })
  expect(await listedIds()).toEqual([...builtIn, 137])
  await save(polygon?.title ?? '', { explorerUrl: 'https://scan.example/' })
  expect(await listedIds()).toEqual([...builtIn, 137])
  for (const [title, more] of [
    ['Ethereum', {}],
    [polygon?.title ?? '', { symbol: 'ETH' }],
    [polygon?.title ?? '', { testnet: true }],
  ] as const) {
    await wallet.ui.removeNetwork({ chainId: 137 })
    await wallet.ui.addListedNetwork({ chainId: 137 })
    await save(title, more)
    expect(await listedIds(), title).toEqual(builtIn)
  }
})

test('of several nodes, only new ones are queried for their chain id', async () => {
  const asked: string[] = []
  const answers: Record<string, string> = { 'https://other.example/': '0x2' }
  const { wallet, state } = await createdWallet({
    chain: async ({ rpcUrls }) => {
      asked.push(...rpcUrls)
      return answers[rpcUrls[0] ?? ''] ?? '0x1'
    },
  })
  const set = (...rpcUrls: readonly string[]) => wallet.ui.setRpcUrls({ chainId: 1, rpcUrls })
  const urls = () => state()?.networks.find(({ chainId }) => chainId === 1)?.rpcUrls
  await set('https://a.example', 'https://b.example')
  expect(asked.splice(0)).toEqual(['https://a.example/', 'https://b.example/'])
  await set('https://b.example/', 'https://a.example/', ' https://b.example')
  expect(urls()).toEqual(['https://b.example/', 'https://a.example/'])
  expect(asked).toEqual([])
  await expect(set('https://b.example/', 'https://other.example/')).rejects.toMatchObject({ reason: 'rpcOtherChain' })
  expect(asked.splice(0)).toEqual(['https://other.example/'])
  expect(urls()).toEqual(['https://b.example/', 'https://a.example/'])
  await expect(set(...'abcdef'.split('').map(host => `https://${host}.example`))).rejects.toMatchObject({
    reason: 'tooManyNodes',
    values: { limit: 5 },
  })
  await set()
  expect(urls()).toEqual([])
  expect(asked).toEqual([])
})

test('lists of networks are sorted and shortened as the user chose', async () => {
  const { wallet, state } = await createdWallet()
  await wallet.ui.setNetworkOrder({ order: 'name' })
  await wallet.ui.setNetworkHidden({ chainId: 8217, hidden: true })
  expect(state()?.networkList).toEqual({ order: 'name', hidden: [8217] })
  await expect(wallet.ui.setNetworkOrder({ order: 'size' as 'name' })).rejects.toMatchObject({
    code: -32602,
    reason: 'notOffered',
  })
})

test('a node gets a use, which is hidden while the wallet is locked, because it names accounts', async () => {
  const [first, second] = ['https://first.example/', 'https://second.example/']
  const { wallet, state } = await createdWallet({ chain: node('0x1') })
  await wallet.ui.setRpcUrls({ chainId: 1, rpcUrls: [first, second] })
  const at = { chainId: 1, rpcUrl: second }
  const usesOf = () => state()?.networks.find(({ chainId }) => chainId === 1)?.nodeUses
  await wallet.ui.setNodeUse({ ...at, use: { also: 'comparing', accounts: [ADDRESS.toLowerCase(), ADDRESS] } })
  expect(usesOf()).toEqual({ [second]: { also: 'comparing', accounts: [ADDRESS] } })
  for (const [asked, reason] of [
    [{ ...at, rpcUrl: first, use: { only: 'sending' } }, 'firstNodeReads'],
    [{ ...at, use: { only: 'sending', accounts: [ADDRESS] } }, 'accountNeedsReading'],
    [{ ...at, use: { accounts: [`0x${'77'.repeat(20)}`] } }, 'unknownAccount'],
    [{ ...at, rpcUrl: 'https://third.example/', use: {} }, 'nodeGone'],
  ] as const)
    await expect(wallet.ui.setNodeUse(asked)).rejects.toMatchObject({ reason })
  await expect(wallet.ui.setRpcUrls({ chainId: 1, rpcUrls: [second, first] })).rejects.toMatchObject({
    reason: 'firstNodeReads',
  })
  expect(usesOf()).toEqual({ [second]: { also: 'comparing', accounts: [ADDRESS] } })
  await wallet.ui.lock(null)
  expect(JSON.stringify(state()?.networks)).not.toContain(ADDRESS)
  await expect(wallet.ui.setNodeUse({ ...at, use: {} })).rejects.toMatchObject({ code: 4100 })
})
