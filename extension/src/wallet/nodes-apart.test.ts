/**
 * Nodes of one's own for two accounts: whatever the wallet does for one account, no request of it reaches the other's
 * node, and no node but its own sees it.
 */
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { localChain } from './networks/networks.fixture.ts'
import { postOf } from './networks/node.fixture.ts'
import { createChain, type Post } from './networks/node.ts'
import { startTokenChain, transferLog } from './tokens/token-chain.fixture.ts'
import { ADDRESS, approve, connectedWallet, OTHER_SITE, SECOND, SITE, startNode } from './wallet.fixture.ts'

const { chainId } = localChain
const THIRD = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const [MAIN, OF_FIRST, CHECKS_FIRST, SENDS_FIRST, OF_SECOND] = ['main', 'first', 'checks', 'sends', 'second'].map(
  name => `https://${name}.example/`,
) as [string, string, string, string, string]
const COIN = `0x${'c1'.repeat(20)}`
const CATS = `0x${'ca'.repeat(20)}`
const FRIEND = `0x${'f1'.repeat(20)}`

const network: Network = {
  ...localChain,
  rpcUrls: [MAIN, OF_FIRST, CHECKS_FIRST, SENDS_FIRST, OF_SECOND],
  nodeUses: {
    [OF_FIRST]: { accounts: [ADDRESS] },
    [CHECKS_FIRST]: { also: 'comparing', accounts: [ADDRESS] },
    [SENDS_FIRST]: { only: 'sending', accounts: [ADDRESS] },
    [OF_SECOND]: { accounts: [SECOND] },
  },
}
const FIRSTS = [OF_FIRST, CHECKS_FIRST, SENDS_FIRST]

const start = async () => {
  const tokens = startTokenChain({
    tokens: { [COIN]: { symbol: 'COIN', decimals: 6, held: 5n }, [CATS]: { name: 'Cats', items: [4] } },
    logs: [transferLog(COIN, ADDRESS, { block: 10 }), transferLog(COIN, SECOND, { block: 11 })],
  })
  const sent: { url: string; body: string }[] = []
  const ofTokens = ['eth_chainId', 'eth_blockNumber', 'eth_getCode', 'eth_getLogs', 'eth_call'].map(method => [
    method,
    (params: readonly unknown[]) => tokens.chain(network, method, params),
  ])
  const node = startNode({
    ...Object.fromEntries(ofTokens),
    eth_getBlockByNumber: ([tag]) => ({
      number: tag === 'latest' ? '0x64' : tag,
      hash: `0x${'64'.repeat(32)}`,
      timestamp: '0x1',
      baseFeePerGas: '0x64',
    }),
    eth_getTransactionReceipt: () => null,
  })
  const chain = postOf(node.chain)
  const post: Post = (url, body, signal) => {
    sent.push({ url, body: body.toLowerCase() })
    return chain(url, body, signal)
  }
  const headless = await connectedWallet({
    chain: createChain(post),
    networks: [network],
    tokenList: async () => ({ [chainId]: [[COIN, 'COIN', 6]] }),
    person: request => ({ ...approve(request), approve: true, accounts: [SECOND] }),
  })
  const { wallet } = headless
  for (const name of ['Second', 'Third']) await wallet.ui.addAccount({ name })
  await wallet.request(OTHER_SITE, { id: 'connect', method: 'eth_requestAccounts' })
  sent.length = 0
  const namesAt = (address: string) =>
    [
      ...new Set(sent.filter(({ body }) => body.includes(address.slice(2).toLowerCase())).map(({ url }) => url)),
    ].toSorted()
  const urls = () => [...new Set(sent.map(({ url }) => url))]
  return { ...headless, node, sent, namesAt, urls }
}

/** Asserts which nodes saw which account since the start. */
const assertApart = ({ namesAt }: Awaited<ReturnType<typeof start>>) => {
  for (const url of namesAt(ADDRESS)) expect(FIRSTS).toContain(url)
  for (const url of namesAt(SECOND)) expect([OF_SECOND]).toContain(url)
  for (const url of namesAt(THIRD)) expect([MAIN]).toContain(url)
}

test('balances, tokens, transfers, allowances and activity of all accounts', async () => {
  const started = await start()
  const { wallet, namesAt } = started
  const all = await wallet.ui.getCoinBalances({ chainId })
  expect(all.map(({ address, wei }) => [address, typeof wei])).toEqual(
    [ADDRESS, SECOND, THIRD].map(one => [one, 'string']),
  )
  for (const address of [ADDRESS, SECOND, THIRD]) {
    const place = { address, chainId }
    await wallet.ui.getBalance(place)
    await wallet.ui.showToken({ ...place, token: COIN })
    await wallet.ui.findTokens(place)
    await wallet.ui.getHoldings(place)
    await wallet.ui.getFoundTokens(place)
    await wallet.ui.describeToken({ ...place, token: CATS })
    await wallet.ui.findAllowances(place)
    await wallet.ui.getActivity(place)
    await wallet.ui.getDelegation(place)
    await wallet.ui.nameOf({ address })
  }
  const balances = await wallet.ui.getBalances({ chainId })
  expect(balances.map(({ tokens: [token] }) => token?.amount)).toEqual(['5', '5', '5'])
  await wallet.ui.findIncoming({ chainId })
  await wallet.ui.readUsed({ addresses: [ADDRESS, SECOND, THIRD] })
  expect([namesAt(ADDRESS), namesAt(SECOND), namesAt(THIRD)]).toEqual([[OF_FIRST], [OF_SECOND], [MAIN]])
  assertApart(started)
})

test("the wallet's own look for tokens", async () => {
  const started = await start()
  const { wallet, namesAt } = started
  await wallet.tend()
  await expect.poll(async () => (await wallet.ui.getState(null)).looks[0]?.status).toBe('done')
  expect([namesAt(ADDRESS), namesAt(SECOND), namesAt(THIRD)]).toEqual([[OF_FIRST], [OF_SECOND], [MAIN]])
})

test('a transfer: its review, its comparison, its sending, its receipt and its replacement', async () => {
  const started = await start()
  const { wallet, node, sent, namesAt } = started
  const input = { from: ADDRESS, chainId, to: FRIEND, token: null, amount: '0x1' }
  const { effect } = await wallet.ui.reviewSend(input)
  expect(effect.checked?.hosts).toEqual(['first.example', 'checks.example'])
  const hash = (await wallet.ui.sendOwn({ ...input, id: 'first' })) as Hex
  await wallet.tend()
  await wallet.ui.getActivity({ address: ADDRESS, chainId })
  await wallet.ui.readReplacement({ hash, purpose: 'speedUp' })
  await wallet.ui.cancelTransaction({ hash })
  await wallet.ui.sendOwn({ ...input, from: SECOND, id: 'second' })
  assertApart(started)
  // The cancellation pays the account itself, so its bytes name the account.
  expect(namesAt(ADDRESS)).toEqual([CHECKS_FIRST, OF_FIRST, SENDS_FIRST])
  const [first = '0x', second = '0x', third = '0x'] = node.sent
  const sentTo = (raw: Hex) => sent.filter(({ body }) => body.includes(raw.slice(2))).map(({ url }) => url)
  expect([sentTo(first), sentTo(second), sentTo(third)]).toEqual([[SENDS_FIRST], [SENDS_FIRST], [OF_SECOND]])
  for (const raw of [first, second]) expect(new Set(namesAt(hashTransaction(raw)))).not.toContain(OF_SECOND)
  expect(namesAt(hashTransaction(first))).toEqual([OF_FIRST])
})

test("a site's reads and requests go to its account's nodes, and a read that mixes accounts to none", async () => {
  const started = await start()
  const { wallet, urls, sent, namesAt } = started
  let asked = 0
  const ask = (origin: string, method: string, ...params: readonly unknown[]) =>
    wallet.request(origin, { id: `read ${++asked}`, method, params })
  await ask(SITE, 'eth_blockNumber')
  await ask(SITE, 'eth_getTransactionReceipt', `0x${'ab'.repeat(32)}`)
  await ask(SITE, 'eth_getBalance', ADDRESS, 'latest')
  expect(urls()).toEqual([OF_FIRST])
  sent.length = 0
  await ask(OTHER_SITE, 'eth_blockNumber')
  await ask(OTHER_SITE, 'eth_sendTransaction', { from: SECOND, to: FRIEND, value: '0x1' })
  expect(urls()).toEqual([OF_SECOND])
  sent.length = 0
  await ask(SITE, 'eth_getBalance', SECOND, 'latest')
  expect(urls()).toEqual([OF_SECOND])
  sent.length = 0
  const topics = [null, [ADDRESS, SECOND].map(one => `0x${one.slice(2).padStart(64, '0')}`)]
  await expect(ask(SITE, 'eth_getLogs', { topics })).rejects.toMatchObject({ code: -32000 })
  await expect(ask(SITE, 'eth_newFilter', { topics })).rejects.toMatchObject({ code: -32000 })
  await expect(ask(SITE, 'eth_newFilter', { topics: [null, topics[1]?.[1]] })).rejects.toMatchObject({ code: -32000 })
  expect(sent).toEqual([])
  await ask('https://stranger.example', 'eth_blockNumber').catch(() => {})
  expect(namesAt(ADDRESS)).toEqual([])
  assertApart(started)
})
