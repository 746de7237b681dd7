import type { Network } from '@heliograph/shared/network'
import { AbiCoder, id, zeroPadValue } from 'ethers'
import { expect, test, vi } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { LONGEST_REASON } from '../networks/reverts.ts'
import { CURRENCY } from '../tokens/token-moves.ts'
import { ADDRESS, ADDRESS_LOWER, type Answers, chainOf, SECOND } from '../wallet.fixture.ts'
import { MAX_CHANGES, SIMULATION_TIMEOUT, simulate } from './simulation.ts'

const [network] = testNetworks as [Network]
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const LISTED = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const call = { from: ADDRESS, to: SECOND, value: '0x5', data: '0x' } as const

const noAssets = { list: async () => [] }

const topic = (address: string) => zeroPadValue(address, 32)
const number = (value: bigint | number) => `0x${value.toString(16).padStart(64, '0')}`
const transfer = id('Transfer(address,address,uint256)')
const log20 = (from: string, to: string, amount: number, address = TOKEN) => ({
  address,
  topics: [transfer, topic(from), topic(to)],
  data: number(amount),
})
const log721 = (from: string, to: string, item: number) => ({
  address: TOKEN,
  topics: [transfer, topic(from), topic(to), number(item)],
  data: '0x',
})
const log1155 = (name: string, types: string[], from: string, to: string, ...values: unknown[]) => ({
  address: TOKEN,
  topics: [id(`${name}(address,address,address,${types.join(',')})`), topic(SECOND), topic(from), topic(to)],
  data: AbiCoder.defaultAbiCoder().encode(types, values),
})

const simulated = (logs: unknown, answers: Answers = {}) =>
  simulate(
    {
      network,
      assets: { list: async () => [{ chainId: network.chainId, address: LISTED, symbol: 'USDC', decimals: 6 }] },
      chain: chainOf({
        eth_simulateV1: () => [{ calls: [{ status: '0x1', returnData: '0x', gasUsed: '0x1', logs }] }],
        ...answers,
      }),
    },
    call,
  )
const changes = async (...logs: unknown[]) =>
  (await simulated(logs))?.changes?.map(({ kind, id, direction, amount }) => [
    kind,
    id && Number(id),
    direction,
    Number(amount),
  ])

test('simulates exactly the transaction, with currency transfers', async () => {
  let asked: unknown
  const eth_simulateV1 = (params: readonly unknown[]) => {
    asked = params
    return [{ calls: [{ status: '0x1', logs: [] }] }]
  }
  await simulated([], { eth_simulateV1 })
  expect(asked).toEqual([{ blockStateCalls: [{ calls: [call] }], traceTransfers: true }, 'latest'])
})

test('changes are summed up for the account, outgoing first, without transfers between others', async () => {
  expect(
    await changes(
      log20(SECOND, ADDRESS_LOWER, 7),
      log20(ADDRESS, SECOND, 3),
      log20(SECOND, TOKEN, 100),
      log20(ADDRESS, SECOND, 5, CURRENCY),
      log721(SECOND, ADDRESS, 12),
      log721(ADDRESS, SECOND, 13),
      log1155('TransferSingle', ['uint256', 'uint256'], ADDRESS, SECOND, 4, 9),
      log1155('TransferBatch', ['uint256[]', 'uint256[]'], SECOND, ADDRESS, [4, 5], [10, 2]),
    ),
  ).toEqual([
    ['native', null, 'out', 5],
    ['erc721', 13, 'out', 1],
    ['erc20', null, 'in', 4],
    ['erc721', 12, 'in', 1],
    ['erc1155', 4, 'in', 1],
    ['erc1155', 5, 'in', 2],
  ])
})

test("if the node logs no currency transfers, the transaction's value counts", async () => {
  expect(await changes()).toEqual([['native', null, 'out', 5]])
})

test('non-standard logs are ignored, and the number of changes is limited', async () => {
  const native = log20(ADDRESS, SECOND, 5, CURRENCY)
  const bad = [
    null,
    7,
    {},
    { ...native, data: '0x' },
    { ...native, topics: [transfer] },
    { ...native, topics: [transfer, '0x', '0x'] },
  ]
  expect(await changes(native, ...bad)).toEqual([['native', null, 'out', 5]])
  const many = Array.from({ length: 100 }, (_, item) => log721(ADDRESS, SECOND, item))
  expect(await changes(native, ...many)).toHaveLength(MAX_CHANGES)
})

test("a token's name and decimals are read from it", async () => {
  const eth_call = ([call]: readonly unknown[]) =>
    (call as { data: string }).data === '0x95d89b41'
      ? AbiCoder.defaultAbiCoder().encode(['string'], ['SUN'])
      : number(6)
  const view = await simulated([log20(ADDRESS, SECOND, 3), log20(ADDRESS, SECOND, 5, CURRENCY)], {
    eth_call,
  })
  expect(view?.changes?.[0]).toEqual({
    kind: 'erc20',
    token: TOKEN,
    id: null,
    direction: 'out',
    amount: '0x3',
    symbol: 'SUN',
    decimals: 6,
  })
})

test("a token's symbol and decimals are used only if they are valid", async () => {
  const describedBy = async (symbol: string, decimals: number) => {
    const eth_call = ([call]: readonly unknown[]) =>
      (call as { data: string }).data === '0x95d89b41'
        ? AbiCoder.defaultAbiCoder().encode(['string'], [symbol])
        : number(decimals)
    const view = await simulated([log20(ADDRESS, SECOND, 3), log20(ADDRESS, SECOND, 5, CURRENCY)], { eth_call })
    return [view?.changes?.[0]?.symbol, view?.changes?.[0]?.decimals]
  }
  expect(await describedBy('SUN', 36)).toEqual(['SUN', 36])
  expect(await describedBy('S'.repeat(100_000), 37)).toEqual([null, null])
  expect(await describedBy('S\u202eUN', 255)).toEqual([null, null])
})

test('the listed token needs no query, and tokens with amounts are queried before items', async () => {
  const asked = new Set<string>()
  const eth_call = ([call]: readonly unknown[]) => {
    asked.add((call as { to: string }).to)
    return number(6)
  }
  const contract = (at: number) => `0x${at.toString(16).padStart(40, '0')}`
  const items = Array.from({ length: 9 }, (_, at) => ({ ...log721(SECOND, ADDRESS, at), address: contract(at + 1) }))
  const logs = [...items, log20(SECOND, ADDRESS, 7), log20(SECOND, ADDRESS, 1_000_000, LISTED.toLowerCase())]
  const view = await simulated([...logs, log20(ADDRESS, SECOND, 5, CURRENCY)], { eth_call })
  const tokens = view?.changes?.filter(({ kind }) => kind === 'erc20')
  expect(tokens).toMatchObject([
    { token: TOKEN, decimals: 6 },
    { token: LISTED, symbol: 'USDC', decimals: 6 },
  ])
  expect(asked).not.toContain(LISTED)
  expect(asked.size).toBe(8)
})

test('a failing transaction has a reason and no changes', async () => {
  const failing = (error: unknown, returnData = '0x') =>
    simulated([], { eth_simulateV1: () => [{ calls: [{ status: '0x0', returnData, error }] }] })
  const words = `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], ['too late']).slice(2)}`
  expect(await failing({ code: 3, message: 'execution reverted' }, words)).toEqual({
    by: 'simulate',
    hidden: 0,
    failure: 'too late',
    changes: [],
  })
  expect((await failing({ message: 'out of gas' }))?.failure).toBe('out of gas')
  expect((await failing(undefined))?.failure).toBe('execution reverted')
  expect((await failing({ message: 'x'.repeat(10_000) }))?.failure).toHaveLength(LONGEST_REASON)
})

test('in a trace, failed inner calls and delegatecalls transfer nothing', async () => {
  const frame = (changes: object) => ({ type: 'CALL', from: SECOND, to: ADDRESS, value: '0x1', ...changes })
  const debug_traceCall = () => ({
    ...frame({ from: ADDRESS, to: SECOND, value: '0x5' }),
    logs: [log20(ADDRESS, SECOND, 3)],
    calls: [
      frame({ value: '0x2' }),
      frame({ value: '0x64', error: 'execution reverted', calls: [frame({})], logs: [log20(ADDRESS, SECOND, 9)] }),
      frame({ type: 'DELEGATECALL', value: '0x5', calls: [frame({ value: '0x1' })] }),
      frame({ type: 'STATICCALL', value: undefined }),
    ],
  })
  const view = await simulate({ network, assets: noAssets, chain: chainOf({ debug_traceCall }) }, call)
  expect(view?.by).toBe('trace')
  expect(view?.changes?.map(({ kind, direction, amount }) => [kind, direction, amount])).toEqual([
    ['native', 'out', '0x2'],
    ['erc20', 'out', '0x3'],
  ])
})

test('without simulation and traces, only failure is reported', async () => {
  const byCall = (eth_call: Answers[string]) =>
    simulate({ network, assets: noAssets, chain: chainOf({ eth_call }) }, call)
  expect(await byCall(() => '0x')).toEqual({ by: 'call', failure: null, changes: null, hidden: 0 })
  const refuse = () => {
    throw refusal('invalidInput', 'execution reverted: no')
  }
  expect(await byCall(refuse)).toEqual({ by: 'call', failure: 'execution reverted: no', changes: [], hidden: 0 })
})

test('malformed results are ignored, and an unreachable node has no result', async () => {
  const nonsense: Answers = { eth_simulateV1: () => [{}], debug_traceCall: () => 'x', eth_call: () => '0x' }
  expect(await simulate({ network, assets: noAssets, chain: chainOf(nonsense) }, call)).toMatchObject({ by: 'call' })
  const far = async () => {
    throw unreachable()
  }
  expect(await simulate({ network, assets: noAssets, chain: far }, call)).toBeNull()
})

test('a simulation that takes too long is given up', async () => {
  vi.useFakeTimers()
  try {
    const view = simulate({ network, assets: noAssets, chain: () => new Promise(() => undefined) }, call)
    await vi.advanceTimersByTimeAsync(SIMULATION_TIMEOUT)
    expect(await view).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})
