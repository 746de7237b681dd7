import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import {
  ADDRESS,
  type Answers,
  approve,
  chainOf,
  connectedWallet,
  OTHER_SITE,
  type Person,
  reject,
  SITE,
  undecided,
} from '../wallet.fixture.ts'

const orbit = {
  chainId: '0x15838',
  chainName: 'Orbit Testnet',
  rpcUrls: ['https://rpc.orbit.example/v1'],
  nativeCurrency: { name: 'Orbit', symbol: 'OTT', decimals: 18 },
  blockExplorerUrls: ['https://scan.orbit.example'],
  iconUrls: ['https://orbit.example/icon.png'],
}

const start = async (answers: Answers = { eth_chainId: () => '0x15838' }, person: Person = approve) => {
  const seen: RequestView[] = []
  const asked: unknown[] = []
  const chain = chainOf(answers)
  const headless = await connectedWallet({
    person: request => {
      seen.push(request)
      return person(request)
    },
    chain: (network, method, params) => {
      asked.push([...network.rpcUrls, method])
      return chain(network, method, params)
    },
  })
  const networks = async () => (await headless.wallet.ui.getState(null)).networks
  return { ...headless, seen, asked, networks }
}

test('an approved network is added, and only the requesting site is switched to it', async () => {
  const { wallet, ask, events, networks } = await start()
  expect(await ask('wallet_addEthereumChain', orbit)).toBeNull()
  expect(await networks()).toContainEqual({
    chainId: 88_120,
    title: 'Orbit Testnet',
    symbol: 'OTT',
    decimals: 18,
    testnet: false,
    rpcUrls: ['https://rpc.orbit.example/v1'],
    added: true,
  })
  expect(await ask('eth_chainId')).toBe('0x15838')
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_chainId' })).toBe('0x7a69')
  expect(events).toEqual([{ event: 'chainChanged', origin: SITE, data: '0x15838' }])
})

test('the user sees the whole request, and the node is contacted only after the approval', async () => {
  let askedBefore: unknown
  const { ask, seen, asked } = await start(undefined, request => {
    askedBefore = [...asked]
    return approve(request)
  })
  await ask('wallet_addEthereumChain', orbit)
  expect(seen).toMatchObject([
    {
      network: { chainId: 31337 },
      effect: {
        kind: 'addChain',
        known: false,
        network: { chainId: 88_120, title: 'Orbit Testnet', rpcUrls: ['https://rpc.orbit.example/v1'] },
        explorerUrl: 'https://scan.orbit.example/',
      },
      findings: [{ level: 'caution', name: 'unlistedNetwork' }],
    },
  ])
  expect(askedBefore).toEqual([])
  expect(asked).toEqual([['https://rpc.orbit.example/v1', 'eth_chainId']])
})

test('a rejected network is neither contacted nor added', async () => {
  const { ask, asked, networks } = await start(undefined, reject)
  await expect(ask('wallet_addEthereumChain', orbit)).rejects.toMatchObject({ code: 4001 })
  expect(asked).toEqual([])
  expect(await networks()).toHaveLength(3)
})

test('if the node has another chain id, or does not respond, nothing is added or switched', async () => {
  const wrong: [Answers, object][] = [
    [{ eth_chainId: () => '0x1' }, { code: -32602, message: expect.stringContaining('reports chain 1, not 88120') }],
    [{ eth_chainId: () => 'orbit' }, { code: 4901 }],
    [{}, { code: -32601 }],
  ]
  for (const [answers, error] of wrong) {
    const { ask, networks, events } = await start(answers)
    await expect(ask('wallet_addEthereumChain', orbit)).rejects.toMatchObject(error)
    expect(await networks()).toHaveLength(3)
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(events).toEqual([])
  }
})

test('for a known network with an RPC URL, the request is a switch and changes no settings', async () => {
  const { ask, seen, networks } = await start()
  await ask('wallet_addEthereumChain', orbit)
  const before = await networks()
  await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })
  await ask('wallet_addEthereumChain', { ...orbit, chainName: 'Fake', rpcUrls: ['https://evil.example'] })
  expect(seen.map(({ effect }) => effect.kind)).toEqual(['addChain', 'switchChain', 'switchChain'])
  expect(await networks()).toEqual(before)
  expect(await ask('wallet_addEthereumChain', orbit)).toBeNull()
  expect(seen).toHaveLength(3)
})

test('a built-in network keeps its name, and only a missing RPC URL is added', async () => {
  const { ask, seen, networks } = await start({ eth_chainId: () => '0x1' })
  const claim = { chainId: '0x1', chainName: 'Free Money', nativeCurrency: { name: 'x', symbol: 'FREE', decimals: 2 } }
  await ask('wallet_addEthereumChain', { ...claim, rpcUrls: ['https://eth.example'] })
  expect(seen[0]).toMatchObject({
    effect: { kind: 'addChain', known: true, network: { title: 'Ethereum', symbol: 'ETH', decimals: 18 } },
    findings: [{ name: 'suggestedRpc' }],
  })
  expect(await networks()).toContainEqual(
    expect.objectContaining({ chainId: 1, title: 'Ethereum', symbol: 'ETH', rpcUrls: ['https://eth.example/'] }),
  )
  expect(await ask('eth_chainId')).toBe('0x1')
})

test('a known network without RPC URLs in the request is a switch', async () => {
  const { ask, seen } = await start()
  await ask('wallet_addEthereumChain', { chainId: '0x1' })
  expect(seen[0]?.effect.kind).toBe('switchChain')
})

test("using another network's name is a finding", async () => {
  const { ask, seen } = await start()
  await ask('wallet_addEthereumChain', { ...orbit, chainName: 'ethereum' })
  expect(seen[0]?.findings.map(({ name }) => name)).toEqual(['namesakeNetwork', 'unlistedNetwork'])
})

test('missing and unusual but harmless params are accepted', async () => {
  for (const change of [
    { blockExplorerUrls: null, iconUrls: null },
    { blockExplorerUrls: [], iconUrls: undefined },
    { blockExplorerUrls: undefined },
    { rpcUrls: ['wss://rpc.orbit.example', 'https://rpc.orbit.example'] },
    { rpcUrls: ['http://rpc.orbit.example', 'https://rpc.orbit.example'] },
    { rpcUrls: [`https://rpc.orbit.example/${'x'.repeat(2_048 - 26)}`] },
    { blockExplorerUrls: ['http://scan.orbit.example'] },
    { rpcUrls: ['http://127.0.0.1:8545'] },
    { rpcUrls: ['http://localhost:8545'] },
    { more: 'words' },
    { nativeCurrency: { symbol: 'OTT', decimals: 18 } },
    { nativeCurrency: { name: null, symbol: 'OTT', decimals: 18 } },
    { nativeCurrency: { name: 7, symbol: 'OTT', decimals: '18', more: null } },
    { iconUrls: 'none' },
    { iconUrls: ['', null] },
    { blockExplorerUrls: [''] },
    { blockExplorerUrls: [null] },
    { blockExplorerUrls: ['javascript:alert(1)'] },
    { blockExplorerUrls: 'https://scan.orbit.example' },
    { blockExplorerUrls: {} },
    { blockExplorerUrls: [`https://scan.orbit.example/${'x'.repeat(2_048)}`] },
  ]) {
    const { ask, networks } = await start()
    expect(await ask('wallet_addEthereumChain', { ...orbit, ...change }), JSON.stringify(change)).toBeNull()
    expect(await networks()).toHaveLength(4)
  }
})

test('hosts of nodes and explorers are shown in ASCII, so that imitating letters are visible', async () => {
  const { ask, seen } = await start()
  const imitating = {
    rpcUrls: ['https://rpc.\u043erbit.example'],
    blockExplorerUrls: ['https://\u0455can.orbit.example'],
  }
  await ask('wallet_addEthereumChain', { ...orbit, ...imitating })
  expect(seen[0]?.effect).toMatchObject({
    network: { rpcUrls: ['https://rpc.xn--rbit-45d.example/'] },
    explorerUrl: 'https://xn--can-ehd.orbit.example/',
  })
})

test('the first valid RPC URL is used', async () => {
  const { ask, seen } = await start()
  const rpcUrls = [
    'wss://rpc.orbit.example',
    'http://rpc.orbit.example',
    'https://rpc.orbit.example/v2',
    'https://b.example',
  ]
  await ask('wallet_addEthereumChain', { ...orbit, rpcUrls, blockExplorerUrls: ['http://scan.orbit.example'] })
  expect(seen[0]?.effect).toMatchObject({ network: { rpcUrls: ['https://rpc.orbit.example/v2'] }, explorerUrl: null })
})

test('invalid params are rejected with their path before the user is asked', async () => {
  const { ask, shown, asked } = await start()
  const wrong: [object, string][] = [
    [{ chainId: 88_120 }, 'chainId'],
    [{ chainId: '88120' }, 'chainId'],
    [{ chainId: '0x0' }, 'chainId'],
    [{ chainId: '0x015838' }, 'chainId'],
    [{ chainId: `0x${'f'.repeat(14)}` }, 'chainId'],
    [{ chainName: undefined }, 'chainName'],
    [{ chainName: '   ' }, 'chainName'],
    [{ chainName: 7 }, 'chainName'],
    [{ chainName: 'x'.repeat(51) }, 'chainName'],
    [{ chainName: 'Orb\u202eit' }, 'chainName'],
    [{ chainName: 'Orbit\nNo warnings' }, 'chainName'],
    [{ chainName: 'Orbit\u200b' }, 'chainName'],
    [{ rpcUrls: undefined }, 'rpcUrls'],
    [{ rpcUrls: [] }, 'rpcUrls'],
    [{ rpcUrls: 'https://rpc.orbit.example' }, 'rpcUrls'],
    [{ rpcUrls: ['wss://rpc.orbit.example'] }, 'rpcUrls'],
    [{ rpcUrls: ['http://rpc.orbit.example'] }, 'rpcUrls'],
    [{ rpcUrls: [`https://rpc.orbit.example/${'x'.repeat(2_048 - 25)}`] }, 'rpcUrls'],
    [{ rpcUrls: ['https://me:word@rpc.orbit.example'] }, 'rpcUrls'],
    [{ rpcUrls: ['javascript:alert(1)'] }, 'rpcUrls'],
    [{ rpcUrls: ['rpc.orbit.example'] }, 'rpcUrls'],
    [{ rpcUrls: [7] }, 'rpcUrls'],
    [{ rpcUrls: ['', 'ftp://rpc.orbit.example/'] }, 'rpcUrls'],
    [{ rpcUrls: [null, ''] }, 'rpcUrls'],
    [{ rpcUrls: Array(1_001).fill('https://rpc.orbit.example') }, 'rpcUrls'],
    [{ nativeCurrency: undefined }, 'nativeCurrency'],
    [{ nativeCurrency: 'OTT' }, 'nativeCurrency'],
    [{ nativeCurrency: { symbol: '', decimals: 18 } }, 'nativeCurrency.symbol'],
    [{ nativeCurrency: { symbol: 'TWELVELETTER', decimals: 18 } }, 'nativeCurrency.symbol'],
    [{ nativeCurrency: { symbol: 'OTT' } }, 'nativeCurrency.decimals'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: '6' } }, 'nativeCurrency.decimals: must be 18'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: '18 ' } }, 'nativeCurrency.decimals'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: null } }, 'nativeCurrency.decimals'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: 0 } }, 'nativeCurrency.decimals: must be 18'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: 6 } }, 'nativeCurrency.decimals: must be 18'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: 37 } }, 'nativeCurrency.decimals'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: 1.5 } }, 'nativeCurrency.decimals'],
    [{ nativeCurrency: { symbol: 'OTT', decimals: -1 } }, 'nativeCurrency.decimals'],
  ]
  for (const [change, place] of wrong)
    await expect(ask('wallet_addEthereumChain', { ...orbit, ...change }), JSON.stringify(change)).rejects.toMatchObject(
      { code: -32602, message: expect.stringContaining(`params[0].${place}`) },
    )
  for (const params of [[], [null], ['0x15838'], [[orbit]]])
    await expect(ask('wallet_addEthereumChain', ...params)).rejects.toMatchObject({ code: -32602 })
  expect([shown, asked]).toEqual([[], []])
})

/** As chainlist.org's button sends it: the account after the network, all nodes, and an explorer that may be empty. */
const polygon = {
  chainId: '0x89',
  chainName: 'Polygon',
  rpcUrls: ['https://rpc.example/'],
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  blockExplorerUrls: ['https://scan.example/'],
}
const many = Array.from({ length: 25 }, (_, at) => `https://rpc${at}.example/`)

test.each<[string, unknown[], { rpcUrls?: string[]; explorerUrl?: null; told?: string[] }]>([
  ['[chain, account]', [polygon, ADDRESS], {}],
  ['[chain, null]', [polygon, null], {}],
  ['[chain, chain]', [polygon, orbit], {}],
  ['25 rpcUrls', [{ ...polygon, rpcUrls: many }], { rpcUrls: ['https://rpc0.example/'] }],
  [
    'an empty explorer',
    [{ ...polygon, blockExplorerUrls: [''] }],
    { explorerUrl: null, told: ['explorersLeftOut 1 1'] },
  ],
  ['an empty node', [{ ...polygon, rpcUrls: ['https://rpc.example/', ''] }], { told: ['nodesLeftOut 1 2'] }],
  [
    'nodes of other kinds',
    [{ ...polygon, rpcUrls: ['wss://rpc.example/', null, 'https://rpc.example/{KEY}', 'https://rpc.example/'] }],
    { told: ['nodesLeftOut 3 4'] },
  ],
  [
    'nodes with placeholders',
    [
      {
        ...polygon,
        rpcUrls: [
          'https://a.example/<key>',
          'https://a.example/%7BKEY%7d',
          'https://$%7bKEY}.a.example/',
          ...polygon.rpcUrls,
        ],
      },
    ],
    { told: ['nodesLeftOut 3 4'] },
  ],
  ['decimals as text', [{ ...polygon, nativeCurrency: { name: null, symbol: 'POL', decimals: '18' } }], {}],
])('wallet_addEthereumChain with %s is shown and added', async (_, params, expected) => {
  const { ask, seen, networks } = await start({ eth_chainId: () => '0x89' })
  expect(await ask('wallet_addEthereumChain', ...params)).toBeNull()
  const { rpcUrls = polygon.rpcUrls, explorerUrl = 'https://scan.example/', told = [] } = expected
  expect(seen).toMatchObject([{ effect: { kind: 'addChain', network: { title: 'Polygon', rpcUrls }, explorerUrl } }])
  const notes = (seen[0]?.findings ?? []).filter(({ name }) => name.endsWith('LeftOut'))
  expect(notes.map(({ level, name, values }) => [level, name, ...values].join(' '))).toEqual(
    told.map(note => `none ${note}`),
  )
  expect(await networks()).toContainEqual(expect.objectContaining({ chainId: 137, rpcUrls }))
})

test('for any list of nodes, the first usable one is added, and the number of unusable ones is shown', async () => {
  const good = fc.constantFrom('https://a.example/', 'https://b.example/x', 'http://localhost:8545/')
  const bad = fc.constantFrom(
    '',
    ' ',
    'wss://a.example',
    'http://a.example',
    'ftp://a.example',
    'a.example',
    'https://a.example/{KEY}',
    'https://a.example/%3CKEY%3E',
    null,
    7,
    {},
    [],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(good, bad), { minLength: 1, maxLength: 30 }), async rpcUrls => {
      const { ask, seen } = await start({ eth_chainId: () => '0x89' }, reject)
      const answer = await ask('wallet_addEthereumChain', { ...polygon, rpcUrls }).catch(error => error.code)
      const usable = rpcUrls.filter(url => typeof url === 'string' && /^(?:https:|http:\/\/localhost)[^{%]*$/.test(url))
      expect(answer).toBe(usable.length > 0 ? 4001 : -32602)
      expect(seen).toHaveLength(usable.length > 0 ? 1 : 0)
      if (usable.length === 0) return
      expect(seen[0]?.effect).toMatchObject({ network: { rpcUrls: [usable[0]] } })
      const told = seen[0]?.findings.find(({ name }) => name === 'nodesLeftOut')?.values
      const leftOut = rpcUrls.length - usable.length
      expect(told).toEqual(leftOut === 0 ? undefined : [String(leftOut), String(rpcUrls.length)])
    }),
    { numRuns: 40 },
  )
})

test('for a known network, members that are not needed may be invalid', async () => {
  const { ask, seen } = await start({ eth_chainId: () => '0x1' })
  const odd = { chainName: '', nativeCurrency: { symbol: 'a symbol that is too long' }, blockExplorerUrls: 7 }
  await ask('wallet_addEthereumChain', { chainId: '0x1', ...odd, rpcUrls: ['', 'https://eth.example'] }, ADDRESS)
  expect(seen[0]).toMatchObject({
    effect: { kind: 'addChain', known: true, network: { title: 'Ethereum', rpcUrls: ['https://eth.example/'] } },
    findings: [{ name: 'suggestedRpc' }, { level: 'none', name: 'nodesLeftOut', values: ['1', '2'] }],
  })
  await ask('wallet_addEthereumChain', { chainId: '0x7a69', ...odd })
  expect(seen[1]?.effect.kind).toBe('switchChain')
})

test.each([[], [''], ['ftp://eth.example', null], ['http://eth.example']])(
  'a known network whose RPC URLs are %j, none usable, is a switch',
  async (...rpcUrls) => {
    const { ask, seen } = await start()
    expect(await ask('wallet_addEthereumChain', { chainId: '0x1', rpcUrls })).toBeNull()
    expect(seen).toMatchObject([{ effect: { kind: 'switchChain', to: { chainId: 1, rpcUrls: [] } } }])
    expect(await ask('eth_chainId')).toBe('0x1')
  },
)

const mainnet = { chainId: '0x1', rpcUrls: ['https://eth.example'] }

/** Starts a request that waits for the decision. Returns functions to view and to approve it. */
const startWaiting = async (chainId: string, params: object) => {
  const headless = await start({ eth_chainId: () => chainId }, undecided)
  const { wallet } = headless
  const answer = headless.ask('wallet_addEthereumChain', params)
  const waiting = async () => (await wallet.ui.getState(null)).requests
  await expect.poll(waiting).toHaveLength(1)
  const approveShown = async () => {
    const [request] = await waiting()
    await wallet.ui.decide({ id: request?.id ?? '', approve: true, revision: request?.revision ?? 0 })
  }
  return { ...headless, answer, waiting, approveShown }
}

test('if the user chooses a node in the meantime, it is kept, and the request is shown again as a switch', async () => {
  const { wallet, ask, answer, waiting, approveShown, networks } = await startWaiting('0x1', mainnet)
  await wallet.ui.setRpcUrls({ chainId: 1, rpcUrls: ['https://own.example/'] })
  await approveShown()
  expect(await waiting()).toMatchObject([
    { effect: { kind: 'switchChain', to: { chainId: 1, rpcUrls: ['https://own.example/'] } } },
  ])
  await approveShown()
  expect(await answer).toBeNull()
  expect(await ask('eth_chainId')).toBe('0x1')
  expect(await networks()).toContainEqual(expect.objectContaining({ chainId: 1, rpcUrls: ['https://own.example/'] }))
})

test('if the network is added in the meantime, it is kept, whether its node is the same or another one', async () => {
  for (const [own, again] of [
    ['https://own.example/', ['switchChain']],
    [orbit.rpcUrls[0], []],
  ] as const) {
    const { wallet, ask, answer, waiting, approveShown, networks } = await startWaiting('0x15838', orbit)
    const other = { ...orbit, chainName: 'My Orbit', rpcUrls: [own] }
    wallet.request(OTHER_SITE, { id: 'other', method: 'wallet_addEthereumChain', params: [other] }).catch(() => {})
    await expect.poll(waiting).toHaveLength(2)
    const ofOther = (await waiting()).find(({ origin }) => origin === OTHER_SITE)
    await wallet.ui.decide({ id: ofOther?.id ?? '', approve: true, revision: 0 })
    await expect.poll(waiting).toHaveLength(1)
    await approveShown()
    expect((await waiting()).map(({ effect }) => effect.kind)).toEqual(again)
    if (again.length > 0) await approveShown()
    expect(await answer).toBeNull()
    expect(await ask('eth_chainId')).toBe('0x15838')
    expect(await networks()).toContainEqual(
      expect.objectContaining({ chainId: 88_120, title: 'My Orbit', rpcUrls: [own] }),
    )
  }
})

test("a network added without a node in the meantime gets the site's node only after that was shown", async () => {
  const { wallet, answer, waiting, approveShown, networks } = await startWaiting('0x15838', orbit)
  const other = { ...orbit, chainName: 'My Orbit', rpcUrls: ['https://own.example/'] }
  wallet.request(OTHER_SITE, { id: 'other', method: 'wallet_addEthereumChain', params: [other] }).catch(() => {})
  await expect.poll(waiting).toHaveLength(2)
  const ofOther = (await waiting()).find(({ origin }) => origin === OTHER_SITE)
  await wallet.ui.decide({ id: ofOther?.id ?? '', approve: true, revision: 0 })
  await wallet.ui.setRpcUrls({ chainId: 88_120, rpcUrls: [] })
  await approveShown()
  expect(await waiting()).toMatchObject([{ effect: { kind: 'addChain', known: true, network: { title: 'My Orbit' } } }])
  await approveShown()
  expect(await answer).toBeNull()
  expect(await networks()).toContainEqual(
    expect.objectContaining({ chainId: 88_120, title: 'My Orbit', rpcUrls: orbit.rpcUrls }),
  )
})
