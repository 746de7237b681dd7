/** Reads by the wallet's pages, and by sites that add networks, from nodes that write numbers in unusual forms. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { beforeAll, expect, test } from 'vitest'
import type { Ui } from '../pages/parts.ts'
import { copyOfStores, mapStores } from '../storage/store.fixture.ts'
import { ADDRESS, type Answers, connectedWallet, type Headless, startNode, startWallet } from '../wallet.fixture.ts'
import { postOf } from './node.fixture.ts'
import { createChain } from './node.ts'
import { spellings, unreadable } from './quantities.fixture.ts'

const connected = mapStores()
beforeAll(async () => void (await connectedWallet({ store: connected.stores })))

const CHAIN = 31337
const ORBIT = {
  chainId: '0x15838',
  chainName: 'Orbit',
  rpcUrls: ['https://rpc.orbit.example/'],
  nativeCurrency: { symbol: 'OTT', decimals: 18 },
}
const WEI = 10n ** 20n
const VALUE = 0x15838n

const start = async (answers: Answers): Promise<Headless> => {
  const { chain } = startNode({ eth_chainId: () => '0x15838', eth_blockNumber: () => '0x15838', ...answers })
  return startWallet({ store: await copyOfStores(connected), chain: createChain(postOf(chain)) })
}

type Place = { method: string; value: bigint; read(headless: Headless): Promise<unknown>; expected: unknown }
const page =
  (read: (ui: Ui) => Promise<unknown>): Place['read'] =>
  ({ wallet }) =>
    read(wallet.ui)
const rpcUrl = 'https://node.example/'

const places: Readonly<Record<string, Place>> = {
  "an account's balance": {
    method: 'eth_getBalance',
    value: WEI,
    read: page(ui => ui.getBalance({ address: ADDRESS, chainId: CHAIN })),
    expected: encodeQuantity(WEI),
  },
  "a node's chain id": {
    method: 'eth_chainId',
    value: VALUE,
    read: page(ui => ui.probeRpc({ rpcUrl })),
    expected: { chainId: Number(VALUE), block: '0x15838' },
  },
  "a node's block number": {
    method: 'eth_blockNumber',
    value: VALUE,
    read: page(ui => ui.probeRpc({ rpcUrl })),
    expected: { chainId: Number(VALUE), block: '0x15838' },
  },
  'the chain id of a network that a site adds': {
    method: 'eth_chainId',
    value: VALUE,
    read: async ({ ask }) => {
      await ask('wallet_addEthereumChain', ORBIT)
      return ask('eth_chainId')
    },
    expected: '0x15838',
  },
  "a network's fees": {
    method: 'eth_maxPriorityFeePerGas',
    value: 7n,
    read: page(ui => ui.getFees({ chainId: CHAIN })),
    expected: expect.objectContaining({
      normal: expect.objectContaining({ fees: { maxFeePerGas: '0xcf', maxPriorityFeePerGas: '0x7' } }),
    }),
  },
}

const answering = (method: string, value: unknown): Answers => ({ [method]: () => value })
const rows = Object.entries(places).flatMap(([name, place]) =>
  Object.entries(spellings).map(([spelling, spell]) => [name, spelling, place, spell] as const),
)

test.for(rows)('%s with %s', async ([, , { method, value, read, expected }, spell]) => {
  expect(await read(await start(answering(method, spell(value))))).toEqual(expected)
})

const refusals = Object.entries(places).flatMap(([name, place]) =>
  Object.entries(unreadable).map(([spelling, value]) => [name, spelling, place, value] as const),
)

test.for(refusals)(
  '%s with %s is an error that says which node answered what',
  async ([, , { method, read }, value]) => {
    const headless = await start(answering(method, value))
    const ended = await read(headless).catch(error => error)
    expect(ended).toMatchObject({
      code: 4901,
      reason: 'nodeUnreadable',
      values: { node: expect.stringMatching(/^[\w.]+(:\d+)?$/), method, answer: JSON.stringify(value) },
    })
    const { networks } = await headless.wallet.ui.getState(null)
    expect(networks.map(({ title }) => title)).not.toContain('Orbit')
  },
)

test('unreadable balances of accounts are shown as unknown', async () => {
  const balances = async (value: unknown) => {
    const { wallet } = await start(answering('eth_getBalance', value))
    return (await wallet.ui.getBalances({ chainId: CHAIN })).map(({ wei }) => wei)
  }
  for (const spell of Object.values(spellings)) expect(await balances(spell(WEI))).toEqual([encodeQuantity(WEI)])
  for (const value of Object.values(unreadable)) expect(await balances(value)).toEqual([null])
})
