import type { Network } from '@heliograph/shared/network'
import { AbiCoder, getAddress, id, zeroPadValue } from 'ethers'
import { expect, test, vi } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { LONGEST_REASON } from '../networks/reverts.ts'
import { CURRENCY } from '../tokens/token-moves.ts'
import { ADDRESS, ADDRESS_LOWER, type Answers, chainOf, SECOND, USUAL_PRICE } from '../wallet.fixture.ts'
import { MAX_CHANGES } from './balance-changes.ts'
import {
  readGasInOrder,
  SECOND_RUN_TIMEOUT,
  SIMULATION_TIMEOUT,
  type Simulated,
  simulate,
  simulateInOrder,
} from './simulation.ts'

const [network] = testNetworks as [Network]
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const LISTED = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const prices = { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1' } as const
const call = { from: ADDRESS, to: SECOND, value: '0x5', data: '0x', gas: '0x7530', ...prices } as const
const BLOCK = { number: 100n, time: 1_000n, miner: getAddress(`0x${'c0'.repeat(20)}`) as `0x${string}` }
const { market } = USUAL_PRICE
const fees = { ...market.fees, baseFee: 7n, blockGas: 33_000_000n, block: BLOCK }
const draft = (changes: Partial<Simulated['transaction']> = {}, more: Partial<Simulated> = {}): Simulated => ({
  transaction: { ...call, type: '0x2', chainId: '0x7a69', ...changes } as Simulated['transaction'],
  balance: 1_000n,
  failure: null,
  market: { ...market, fees },
  ...more,
})
const drafted = draft()

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

const parts = (answers: Answers) => ({ network, assets: noAssets, chain: chainOf(answers) })
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
    drafted,
  )
const changes = async (...logs: unknown[]) =>
  (await simulated(logs))?.changes?.map(({ kind, id, direction, amount }) => [
    kind,
    id && Number(id),
    direction,
    Number(amount),
  ])

/** Collects the simulation requests of the first and the second run. */
const asks = (answers: (run: number) => unknown, method = 'eth_simulateV1') => {
  const asked: (readonly unknown[])[] = []
  const answer = (params: readonly unknown[]) => answers(asked.push(params))
  return { asked, answers: { [method]: answer } }
}
const succeeding = (...logs: unknown[]) => [{ calls: [{ status: '0x1', logs }] }]
const random = expect.stringMatching(/^0x[0-9a-f]{64}$/)

test('simulates the transaction with its gas, fees and nonce in the next block, then in another one', async () => {
  const { asked, answers } = asks(() => succeeding())
  await simulate(parts(answers), drafted, '0x4')
  const blockOverrides = {
    number: '0x65',
    time: '0x3f4',
    gasLimit: '0x1f78a40',
    baseFeePerGas: '0x7',
    feeRecipient: BLOCK.miner,
    prevRandao: random,
  }
  const inBlock = (overrides: object) => [
    { blockStateCalls: [{ blockOverrides: overrides, calls: [{ ...call, nonce: '0x4' }] }], traceTransfers: true },
    '0x64',
  ]
  const other = {
    number: '0x68',
    time: '0x430',
    gasLimit: '0x1c9c380',
    feeRecipient: expect.not.stringMatching(BLOCK.miner),
  }
  expect(asked).toHaveLength(2)
  expect(asked).toContainEqual(inBlock(blockOverrides))
  expect(asked).toContainEqual(inBlock({ ...blockOverrides, ...other }))
})

test('traces with the same values', async () => {
  const { asked, answers } = asks(() => ({ type: 'CALL' }), 'debug_traceCall')
  const accessList = [{ address: SECOND, storageKeys: [] }] satisfies Simulated['transaction']['accessList']
  const flat = draft({ nonce: '0x2', accessList })
  await simulate(parts(answers), flat, '0x4')
  const blockOverrides = {
    number: '0x65',
    time: '0x3f4',
    gasLimit: '0x1f78a40',
    baseFeePerGas: '0x7',
    feeRecipient: BLOCK.miner,
  }
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true }, blockOverrides }
  expect(asked).toHaveLength(2)
  expect(asked).toContainEqual([{ ...call, accessList, nonce: '0x2' }, '0x64', tracer])
})

test('a gas price is passed along, and unknown block values are left to the node', async () => {
  const { asked, answers } = asks(() => succeeding())
  const { maxFeePerGas, maxPriorityFeePerGas, ...others } = call
  const transaction = { ...others, type: '0x0', chainId: '0x7a69', gasPrice: '0x8' } as const
  const unknown = { ...market.fees, baseFee: null, blockGas: null }
  const view = await simulate(parts(answers), { ...drafted, transaction, market: { ...market, fees: unknown } })
  expect(view?.failure).toBeNull()
  const feeRecipient = expect.stringMatching(/^0x(?!0{40})/)
  const inBlock = (blockOverrides: object) => [
    { blockStateCalls: [{ blockOverrides, calls: [{ ...others, gasPrice: '0x8' }] }], traceTransfers: true },
    'latest',
  ]
  expect(asked).toContainEqual(inBlock({ feeRecipient, prevRandao: random }))
  expect(asked).toContainEqual(inBlock({ feeRecipient, prevRandao: random, gasLimit: '0x2255100' }))
  const recipients = asked.map(([request]) => JSON.stringify(request).match(/"feeRecipient":"(\w+)"/)?.[1])
  expect(new Set(recipients).size).toBe(2)
})

test('the other block has room for the gas of the transaction', async () => {
  const { asked, answers } = asks(() => succeeding())
  await simulate(parts(answers), draft({ gas: '0x1e84800' }))
  const limits = asked.map(([request]) => JSON.stringify(request).match(/"gasLimit":"(\w+)"/)?.[1])
  expect(limits.map(Number).toSorted()).toEqual([33_000_000, 36_300_000])
})

test("if a network's blocks have no fee recipient, a plausible one is used", async () => {
  const { asked, answers } = asks(() => succeeding())
  const block = { ...BLOCK, miner: `0x${'0'.repeat(40)}` } as const
  await simulate(parts(answers), draft({}, { market: { ...market, fees: { ...fees, block } } }))
  expect(JSON.stringify(asked)).not.toContain(block.miner)
})

test('if the node refuses the block, the transaction runs in a block that the node chooses', async () => {
  for (const [method, answer] of [
    ['eth_simulateV1', succeeding()],
    ['debug_traceCall', { type: 'CALL' }],
  ] as const) {
    const refusing = ([first, , options]: readonly unknown[]) => {
      if (JSON.stringify([first, options]).includes('blockOverrides')) throw refusal('invalidParams')
      return answer
    }
    const view = await simulate(parts({ [method]: refusing }), drafted)
    expect(view).toMatchObject({ failure: null, changes: [{ kind: 'native', direction: 'out', amount: '0x5' }] })
    expect(view).not.toHaveProperty('differs')
  }
})

test('a missing method is tried only once per run', async () => {
  const { asked, answers } = asks(() => {
    throw refusal('methodNotFound')
  })
  await simulate(parts(answers), drafted)
  expect(asked).toHaveLength(2)
})

test('blocks that a node inserts before the simulated one are skipped', async () => {
  const eth_simulateV1 = () => [{ calls: [] }, { calls: [] }, ...succeeding(log20(SECOND, ADDRESS, 7))]
  const view = await simulate(parts({ eth_simulateV1 }), drafted)
  expect(view?.changes).toMatchObject([{ kind: 'native' }, { kind: 'erc20', amount: '0x7' }])
})

test('changes are summed up for the account, outgoing first, without transfers between other parties', async () => {
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
  expect(view?.changes?.[1]).toEqual({
    kind: 'erc20',
    token: TOKEN,
    id: null,
    direction: 'out',
    amount: '0x3',
    symbol: 'SUN',
    decimals: 6,
    parties: [SECOND],
    held: '0x6',
  })
})

test("a token's symbol and decimals are used only if they are valid", async () => {
  const describedBy = async (symbol: string, decimals: number) => {
    const eth_call = ([call]: readonly unknown[]) =>
      (call as { data: string }).data === '0x95d89b41'
        ? AbiCoder.defaultAbiCoder().encode(['string'], [symbol])
        : number(decimals)
    const view = await simulated([log20(ADDRESS, SECOND, 3), log20(ADDRESS, SECOND, 5, CURRENCY)], { eth_call })
    return [view?.changes?.[1]?.symbol, view?.changes?.[1]?.decimals]
  }
  expect(await describedBy('SUN', 36)).toEqual(['SUN', 36])
  expect(await describedBy('S'.repeat(100_000), 37)).toEqual(['S'.repeat(64), null])
  expect(await describedBy('S\u202eUN', 255)).toEqual([null, null])
})

test('a listed token needs no query, and tokens with amounts are queried before items', async () => {
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

test('in a trace, failed nested calls and delegatecalls transfer nothing', async () => {
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
  const view = await simulate(parts({ debug_traceCall }), drafted)
  expect(view?.by).toBe('trace')
  expect(view?.changes?.map(({ kind, direction, amount }) => [kind, direction, amount])).toEqual([
    ['native', 'out', '0x5'],
    ['erc20', 'out', '0x3'],
    ['native', 'in', '0x3'],
  ])
})

test('without simulation and traces, only failure is reported', async () => {
  const byCall = (eth_call: Answers[string]) => simulate(parts({ eth_call }), drafted)
  expect(await byCall(() => '0x')).toEqual({ by: 'call', failure: null, changes: null, hidden: 0 })
  const refuse = () => {
    throw refusal('invalidInput', 'execution reverted: no')
  }
  expect(await byCall(refuse)).toEqual({ by: 'call', failure: 'execution reverted: no', changes: [], hidden: 0 })
})

test('numbers in a simulation may be padded, and a simulation without a status is ignored', async () => {
  const answered = (result: object) => ({
    eth_simulateV1: () => [{ calls: [{ logs: [], gasUsed: '0x5208', ...result }] }],
  })
  const tried = (result: object) => simulate(parts({ ...answered(result), eth_call: () => '0x' }), drafted)
  for (const status of ['0x1', '0x01', 1, '1'])
    expect(await tried({ status })).toMatchObject({ by: 'simulate', failure: null })
  for (const status of ['0x0', '0x00', 0, '0'])
    expect(await tried({ status })).toMatchObject({ by: 'simulate', failure: 'execution reverted' })
  expect(await tried({ status: null, error: { message: 'out of gas' } })).toMatchObject({ failure: 'out of gas' })
  for (const status of [null, undefined, 'done', '0x2'])
    expect(await tried({ status })).toMatchObject({ by: 'call', failure: null })
})

test('malformed results are ignored, and an unreachable node has no result', async () => {
  const nonsense: Answers = { eth_simulateV1: () => [{}], debug_traceCall: () => 'x', eth_call: () => '0x' }
  expect(await simulate(parts(nonsense), drafted)).toMatchObject({ by: 'call' })
  const far = async () => {
    throw unreachable()
  }
  expect(await simulate({ network, assets: noAssets, chain: far }, drafted)).toBeNull()
})

test('a simulation that takes too long is aborted', async () => {
  vi.useFakeTimers()
  try {
    const view = simulate({ network, assets: noAssets, chain: () => new Promise(() => undefined) }, drafted)
    await vi.advanceTimersByTimeAsync(SIMULATION_TIMEOUT)
    expect(await view).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

const lines = (view: Awaited<ReturnType<typeof simulate>>) =>
  view?.changes?.map(({ kind, direction, amount }) => [kind, direction, Number(amount)])

test("the transaction's value is a separate change, and other coin transfers are summed up separately", async () => {
  const coins = (from: string, to: string, amount: number) => log20(from, to, amount, CURRENCY)
  const own = coins(ADDRESS, SECOND, 5)
  expect(await changes(own, coins(SECOND, ADDRESS, 14))).toEqual([
    ['native', null, 'out', 5],
    ['native', null, 'in', 14],
  ])
  expect(await changes(own, coins(SECOND, ADDRESS, 5))).toEqual([
    ['native', null, 'out', 5],
    ['native', null, 'in', 5],
  ])
  expect(await changes(own, coins(ADDRESS, TOKEN, 5), coins(SECOND, ADDRESS, 2))).toEqual([
    ['native', null, 'out', 5],
    ['native', null, 'out', 3],
  ])
  expect(await changes(own, coins(ADDRESS, TOKEN, 2), coins(SECOND, ADDRESS, 2))).toEqual([['native', null, 'out', 5]])
})

test('a transfer to the account itself moves nothing', async () => {
  const answers = { eth_simulateV1: () => succeeding(log20(ADDRESS, ADDRESS, 5, CURRENCY)) }
  expect((await simulate(parts(answers), draft({ to: ADDRESS })))?.changes).toEqual([])
  expect((await simulate(parts({ eth_simulateV1: () => succeeding() }), draft({ to: ADDRESS })))?.changes).toEqual([])
})

test('the value sent to a new contract leaves the account', async () => {
  const { to, ...creation } = drafted.transaction
  const created = { ...drafted, transaction: creation }
  const logged = { eth_simulateV1: () => succeeding(log20(ADDRESS, TOKEN, 5, CURRENCY)) }
  const [change] = (await simulate(parts(logged), created))?.changes ?? []
  expect(change).toMatchObject({ kind: 'native', direction: 'out', amount: '0x5', parties: [getAddress(TOKEN)] })
  const unlogged = { eth_simulateV1: () => succeeding() }
  expect((await simulate(parts(unlogged), created))?.changes).toMatchObject([{ amount: '0x5', parties: [] }])
})

test("each change has the counterparties and the account's balance before", async () => {
  const other = (at: number) => `0x${at.toString(16).padStart(40, '0')}`
  const many = [1, 2, 2, 3, 4, 5].map(at => log20(ADDRESS, other(at), 1))
  const view = await simulated([...many, log20(SECOND, ADDRESS, 2, LISTED), log721(ADDRESS, SECOND, 1)], {
    eth_call: ([asked]) => ((asked as { data: string }).data.startsWith('0x70a08231') ? number(77) : '0x'),
  })
  expect(view?.changes?.map(({ kind, parties, held }) => [kind, parties, held])).toEqual([
    ['native', [SECOND], '0x3e8'],
    ['erc20', [1, 2, 3, 4].map(at => getAddress(other(at))), '0x4d'],
    ['erc721', [SECOND], null],
    ['erc20', [SECOND], null],
  ])
})

test('balances that the node does not return are null', async () => {
  const view = await simulated([log20(ADDRESS, SECOND, 1)], {
    eth_call: () => {
      throw unreachable()
    },
  })
  expect(view?.changes?.[1]).toMatchObject({ kind: 'erc20', held: null })
})

const twice = (first: unknown, second: unknown, method = 'eth_simulateV1') => {
  const answer = ([call, , options]: readonly unknown[]) => {
    const isSecond = !JSON.stringify([call, options]).includes(BLOCK.miner)
    const answers = isSecond ? second : first
    return typeof answers === 'function' ? answers() : answers
  }
  return simulate(parts({ [method]: answer }), drafted)
}

test('results that differ in another block are reported', async () => {
  const got = (amount: number) => succeeding(log20(SECOND, ADDRESS, amount))
  const gave = (amount: number) => succeeding(log20(ADDRESS, SECOND, amount))
  const coins = (amount: number) => succeeding(log20(SECOND, ADDRESS, amount, CURRENCY))
  const failing = [{ calls: [{ status: '0x0', returnData: '0x' }] }]
  for (const [first, second] of [
    [got(10_000), got(9_990)],
    [got(10_000), got(10_011)],
    [got(10_000), gave(10_000)],
    [got(1), succeeding()],
    [succeeding(), got(1)],
    [coins(14), succeeding()],
    [coins(14), coins(5)],
    [got(1), failing],
    [failing, succeeding()],
  ])
    expect(await twice(first, second)).toHaveProperty('differs', true)
  for (const [first, second] of [
    [got(10_000), got(10_000)],
    [got(10_000), got(9_991)],
    [got(10_000), got(10_010)],
    [failing, failing],
    [succeeding(), succeeding()],
  ])
    expect(await twice(first, second)).not.toHaveProperty('differs')
})

test('traces are compared too', async () => {
  const traced = (amount: string) => ({
    ...{ type: 'CALL', from: ADDRESS, to: SECOND, value: '0x5' },
    calls: [{ type: 'CALL', from: SECOND, to: ADDRESS, value: amount }],
  })
  expect(await twice(traced('0xe'), traced('0x0'), 'debug_traceCall')).toHaveProperty('differs', true)
  expect(await twice(traced('0xe'), traced('0xe'), 'debug_traceCall')).not.toHaveProperty('differs')
})

test('a second run without a result is ignored', async () => {
  const refuse = () => {
    throw refusal('invalidInput')
  }
  for (const second of [refuse, 'x', []]) {
    const view = await twice(succeeding(), second)
    expect(view).toMatchObject({ failure: null })
    expect(view).not.toHaveProperty('differs')
  }
})

test('a second run that takes too long does not delay the rest', async () => {
  vi.useFakeTimers()
  try {
    const view = twice(succeeding(log20(SECOND, ADDRESS, 1)), () => new Promise(() => undefined))
    await vi.advanceTimersByTimeAsync(SECOND_RUN_TIMEOUT)
    expect(lines(await view)).toEqual([
      ['native', 'out', 5],
      ['erc20', 'in', 1],
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('a failure without revert data does not hide why the gas could not be estimated', async () => {
  const failing = (returnData: string) => ({
    eth_simulateV1: () => [{ calls: [{ status: '0x0', returnData, error: { message: 'out of gas' } }] }],
  })
  const guessed = draft({}, { failure: 'not you' })
  expect((await simulate(parts(failing('0x')), guessed))?.failure).toBe('not you')
  expect((await simulate(parts(failing('0x')), drafted))?.failure).toBe('out of gas')
  const words = `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], ['too late']).slice(2)}`
  expect((await simulate(parts(failing(words)), guessed))?.failure).toBe('too late')
  expect((await simulate(parts({ eth_simulateV1: () => succeeding() }), guessed))?.failure).toBeNull()
})

test("if the node refuses a call's fees, it is executed without them", async () => {
  const asked: unknown[] = []
  const eth_call = ([executed]: readonly unknown[]) => {
    asked.push(executed)
    if ('maxFeePerGas' in (executed as object))
      throw refusal('invalidInput', 'max fee per gas less than block base fee')
    return '0x'
  }
  expect(await simulate(parts({ eth_call }), drafted, '0x4')).toMatchObject({ by: 'call', failure: null })
  const { maxFeePerGas, maxPriorityFeePerGas, ...others } = call
  expect(asked).toEqual([{ ...call, nonce: '0x4' }, others])
})

test('transactions in sequence run in one block, and their own values are summed up', async () => {
  const { asked, answers } = asks(() => [
    {
      calls: [
        { status: '0x1', logs: [log20(ADDRESS, SECOND, 5, CURRENCY)] },
        { status: '0x1', logs: [log20(ADDRESS, TOKEN, 3, CURRENCY), log20(TOKEN, ADDRESS, 9, CURRENCY)] },
        { status: '0x0', returnData: '0x' },
      ],
    },
  ])
  const calls = [drafted, draft({ to: TOKEN, value: '0x3', gas: '0x9c40' }), draft({ value: '0x2' })] as const
  const view = await simulateInOrder(parts(answers), calls, ['0x4', '0x5', '0x6'])
  expect(view).toMatchObject({ by: 'simulate', tried: 3, failed: 2, failure: 'execution reverted' })
  expect(view?.changes?.map(({ direction, amount, parties }) => [direction, Number(amount), parties])).toEqual([
    ['out', 8, [SECOND, getAddress(TOKEN)]],
    ['in', 9, [getAddress(TOKEN)]],
  ])
  const sent = [
    { ...call, nonce: '0x4' },
    { ...call, to: TOKEN, value: '0x3', gas: '0x9c40', nonce: '0x5' },
    { ...call, value: '0x2', nonce: '0x6' },
  ]
  expect(asked[0]).toMatchObject([{ blockStateCalls: [{ calls: sent }] }, '0x64'])
})

test('a different failing call in another block is a difference', async () => {
  const results = (...statuses: string[]) => [
    { calls: statuses.map(status => ({ status, returnData: '0x', logs: [] })) },
  ]
  const eth_simulateV1 = ([request]: readonly unknown[]) =>
    JSON.stringify(request).includes(BLOCK.miner) ? results('0x1', '0x1') : results('0x1', '0x0')
  const nothing = draft({ value: '0x0' })
  const view = await simulateInOrder(parts({ eth_simulateV1 }), [nothing, nothing], [])
  expect(view).toMatchObject({ failed: null, differs: true })
})

test('if the node cannot simulate a sequence, the first transaction is traced', async () => {
  const view = await simulateInOrder(parts({ debug_traceCall: () => ({ type: 'CALL' }) }), [drafted, drafted], [])
  expect(view).toMatchObject({ by: 'trace', tried: 1, failed: null, changes: [{ amount: '0x5' }] })
})

test('the gas of a sequence is measured without gas limits', async () => {
  const { asked, answers } = asks(() => [{ calls: [{ status: '0x1', gasUsed: '0x5208' }, { status: '0x0' }] }])
  const plain = { from: ADDRESS, to: SECOND, value: '0x0', data: '0x' } as const
  expect(await readGasInOrder(parts(answers), [plain, plain])).toEqual([21_000n, null])
  expect(asked).toEqual([[{ blockStateCalls: [{ calls: [plain, plain] }], traceTransfers: true }, 'latest']])
  expect(await readGasInOrder(parts({}), [plain, plain])).toEqual([])
})
