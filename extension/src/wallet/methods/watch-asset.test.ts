import { AbiCoder } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { refusal } from '../networks/node.fixture.ts'
import { ADDRESS, approve, chainOf, connectedWallet, type Person, reject, SECOND, SITE } from '../wallet.fixture.ts'

const encode = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value])
const token = { address: SECOND, symbol: 'ORE', decimals: 6, image: 'https://ore.example/icon.png' }
const watching = (options: object = {}, more: object = {}) => ({
  type: 'ERC20',
  options: { ...token, ...options },
  ...more,
})

/** Starts a wallet. `says` are the values that the contract returns; null for no response. */
const start = async (says: { symbol: string; decimals: number } | null = token, person: Person = approve) => {
  const seen: RequestView[] = []
  const chain = chainOf({
    eth_call: ([call]) => {
      if (says === null) throw refusal('invalidInput', 'execution reverted')
      const { data } = call as { data: string }
      return data === '0x95d89b41' ? encode('string', says.symbol) : encode('uint8', says.decimals)
    },
  })
  const asked: number[] = []
  const headless = await connectedWallet({
    person: request => {
      seen.push(request)
      return person(request)
    },
    chain: (network, ...rest) => {
      asked.push(network.chainId)
      return chain(network, ...rest)
    },
  })
  const assets = async () => (await headless.wallet.ui.getState(null)).assets
  return { ...headless, seen, asked, assets }
}

test('an approved token is listed, and the site gets true', async () => {
  const { ask, seen, assets } = await start()
  expect(await ask('wallet_watchAsset', watching())).toBe(true)
  expect(await assets()).toEqual([{ chainId: 31337, address: SECOND, symbol: 'ORE', decimals: 6 }])
  expect(seen).toMatchObject([
    { effect: { kind: 'watchAsset', address: SECOND, symbol: 'ORE', decimals: 6 }, findings: [] },
  ])
})

test('the params are an object, or an array with that object', async () => {
  const { wallet, assets } = await start()
  const request = { id: '1', method: 'wallet_watchAsset', params: watching() }
  expect(await wallet.request(SITE, request)).toBe(true)
  expect(await assets()).toHaveLength(1)
})

test('a rejected token is not listed', async () => {
  const { ask, assets } = await start(token, reject)
  await expect(ask('wallet_watchAsset', watching())).rejects.toMatchObject({ code: 4001 })
  expect(await assets()).toEqual([])
})

test("the contract's values take precedence, and complete the site's", async () => {
  const { ask, assets } = await start({ symbol: 'ORE', decimals: 6 })
  for (const options of [
    { symbol: 'ore' },
    { symbol: undefined, decimals: undefined },
    { symbol: null, decimals: '6' },
  ])
    expect(await ask('wallet_watchAsset', watching(options))).toBe(true)
  expect(await assets()).toEqual([{ chainId: 31337, address: SECOND, symbol: 'ORE', decimals: 6 }])
})

test("values that differ from the contract's are rejected, with both in the error", async () => {
  const { ask, shown } = await start({ symbol: 'FAKE', decimals: 18 })
  await expect(ask('wallet_watchAsset', watching({ decimals: 18 }))).rejects.toMatchObject({
    code: -32602,
    message: "The contract's symbol is FAKE, not ORE",
  })
  await expect(ask('wallet_watchAsset', watching({ symbol: 'FAKE' }))).rejects.toMatchObject({
    code: -32602,
    message: "The contract's number of decimals is 18, not 6",
  })
  expect(shown).toEqual([])
})

test('values that the contract does not confirm are a finding', async () => {
  const { ask, seen } = await start(null)
  await ask('wallet_watchAsset', watching())
  expect(seen[0]?.findings).toEqual([{ level: 'caution', name: 'unconfirmedAsset', values: [] }])
  await expect(ask('wallet_watchAsset', watching({ symbol: undefined }))).rejects.toMatchObject({ code: -32602 })
})

test("using the native currency's symbol is a caution, and another listed token's symbol a danger", async () => {
  const { ask, seen } = await start({ symbol: 'ETH', decimals: 6 })
  await ask('wallet_watchAsset', watching({ symbol: 'eth' }))
  expect(seen[0]?.findings).toEqual([{ level: 'caution', name: 'namesakeAsset', values: ['ETH'] }])
  const other = await start()
  await other.ask('wallet_watchAsset', watching())
  await other.ask('wallet_watchAsset', watching())
  await other.ask('wallet_watchAsset', watching({ address: `0x${'11'.repeat(20)}` }))
  const named = other.seen.map(({ findings }) => findings.map(({ level, name }) => `${level} ${name}`))
  expect(named).toEqual([[], [], ['danger namesakeAsset']])
})

test('a token on another network is checked and listed on that network', async () => {
  const { ask, seen, asked, assets } = await start()
  await ask('wallet_watchAsset', watching({ chainId: 8217 }))
  expect(seen[0]?.network.chainId).toBe(8217)
  expect(new Set(asked)).toEqual(new Set([8217]))
  expect(await assets()).toMatchObject([{ chainId: 8217 }])
  await expect(ask('wallet_watchAsset', watching({ chainId: 5 }))).rejects.toMatchObject({ code: 4902 })
})

for (const symbol of ['PT-sUSDe-25SEP2025', 'aArbWETH-USD', 'x'.repeat(64)])
  test(`${symbol}: a symbol of up to 64 characters is shown and listed`, async () => {
    const { ask, seen, assets } = await start({ symbol, decimals: 18 })
    expect(await ask('wallet_watchAsset', watching({ symbol, decimals: 18 }))).toBe(true)
    expect(seen).toMatchObject([{ effect: { symbol, decimals: 18 }, findings: [] }])
    expect(await assets()).toMatchObject([{ symbol }])
  })

test('a short symbol does not match a longer one', async () => {
  const { ask, shown } = await start({ symbol: 'PT-sUSDe-25SEP2025', decimals: 18 })
  for (const symbol of ['USDC', 'PT-sUSDe', 'PT-sUSDe-25SEP2026'])
    await expect(ask('wallet_watchAsset', watching({ symbol, decimals: 18 }))).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test("a contract's symbol with hidden characters is not shown", async () => {
  const { ask, shown } = await start({ symbol: 'O\u202eRE', decimals: 6 })
  await expect(ask('wallet_watchAsset', watching({ symbol: undefined }))).rejects.toMatchObject({ code: -32602 })
  await expect(ask('wallet_watchAsset', watching())).rejects.toMatchObject({
    message: "The contract's symbol is another, not ORE",
  })
  expect(shown).toEqual([])
})

test('an invalid token is -32602 before the node is queried or the user is asked', async () => {
  const { wallet, ask, shown, asked } = await start()
  const wrong: unknown[] = [
    watching({}, { type: 'ERC721' }),
    watching({}, { type: 'erc20' }),
    watching({}, { type: undefined }),
    watching({}, { options: undefined }),
    watching({}, { options: [] }),
    watching({ address: undefined }),
    watching({ address: '0x1234' }),
    watching({ address: SECOND.replace('70997970C', '70997970c') }),
    watching({ symbol: '' }),
    watching({ symbol: 'x'.repeat(65) }),
    watching({ symbol: 'O\u200bRE' }),
    watching({ symbol: 7 }),
    watching({ decimals: -1 }),
    watching({ decimals: 37 }),
    watching({ decimals: 1.5 }),
    watching({ decimals: 'six' }),
    watching({ decimals: '099' }),
    watching({ chainId: '0x1' }),
    watching({ chainId: 1.5 }),
  ]
  for (const params of wrong)
    await expect(ask('wallet_watchAsset', params), JSON.stringify(params)).rejects.toMatchObject({ code: -32602 })
  for (const params of [undefined, null, 'ERC20', [], [null]])
    await expect(wallet.request(SITE, { id: 'x', method: 'wallet_watchAsset', params })).rejects.toMatchObject({
      code: -32602,
    })
  expect([shown, asked]).toEqual([[], []])
})

test('a symbol that imitates a known one with look-alike letters is a danger', async () => {
  for (const [symbol, known] of [
    ['USD\u0421', 'USDC'],
    ['\u0395\u03a4\u0397', 'ETH'],
    ['KA\u0406A', 'KAIA'],
    ['W ETH', 'WETH'],
  ] as const) {
    const { ask, seen } = await start({ symbol, decimals: 6 })
    await ask('wallet_watchAsset', watching({ symbol }))
    expect(seen[0]?.findings).toEqual([{ level: 'danger', name: 'imitatedAsset', values: [symbol, known] }])
  }
})

test("symbols in the user's own list can be imitated, and an equal one is a namesake", async () => {
  const { ask, seen } = await start(null)
  await ask('wallet_watchAsset', watching({ symbol: 'HARBOR' }))
  await ask('wallet_watchAsset', watching({ symbol: 'HARB0R', address: ADDRESS }))
  await ask('wallet_watchAsset', watching({ symbol: 'harbor', address: ADDRESS }))
  expect(seen.slice(1).map(({ findings }) => findings.map(({ name }) => name))).toEqual([
    ['imitatedAsset', 'unconfirmedAsset'],
    ['namesakeAsset', 'unconfirmedAsset'],
  ])
})
