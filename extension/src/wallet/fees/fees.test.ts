import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { ADDRESS, chainOf, SECOND } from '../wallet.fixture.ts'
import { HISTORY_BLOCKS } from './fee-history.ts'
import { estimateGas, offerFor, readFees, withMargin } from './fees.ts'

const [network] = testNetworks as [Network]
const call = { from: ADDRESS, to: SECOND, value: '0x1' } as const
const failing = (code: number, message: string) =>
  chainOf({
    eth_estimateGas: () => {
      throw nodeError({ code, message })
    },
  })

test("the gas limit is the node's estimate for exactly the call that will be sent", async () => {
  let asked: unknown
  const chain = chainOf({
    eth_estimateGas: params => {
      asked = params
      return '0x5208'
    },
  })
  expect(await estimateGas(chain, network, call)).toEqual({ gas: 21_000n, failure: null })
  expect(asked).toEqual([call])
})

test("if the node cannot estimate, the gas limit is 90000 and the node's reason is kept", async () => {
  for (const code of [3, -32000, -32003, -32015, -32601, -32603])
    expect(await estimateGas(failing(code, 'execution reverted: no'), network, call)).toEqual({
      gas: 90_000n,
      failure: 'execution reverted: no',
    })
})

test('an unreachable node, or an invalid estimate, is 4901', async () => {
  await expect(estimateGas(failing(4901, 'far away'), network, call)).rejects.toMatchObject({ code: 4901 })
  await expect(estimateGas(chainOf({ eth_estimateGas: () => 'many' }), network, call)).rejects.toMatchObject({
    code: 4901,
  })
})

test('with a base fee, the fees are the base fee and a tip', async () => {
  const chain = chainOf({
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64', gasLimit: '0x1c9c380' }),
    eth_maxPriorityFeePerGas: () => '0x2',
  })
  expect(await readFees(chain, network)).toEqual({
    baseFee: 100n,
    tips: { slow: 2n, normal: 2n, fast: 2n },
    recentBaseFees: [],
    blockGas: 30_000_000n,
  })
})

test('the latest block has the values that the node states', async () => {
  const blockOf = async (block: object) => {
    const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: '0x0', ...block }) })
    return (await readFees(chain, network)).block
  }
  const whole = { number: '0x64', timestamp: '0x3e8', miner: SECOND.toLowerCase() }
  expect(await blockOf(whole)).toEqual({ number: 100n, time: 1_000n, miner: SECOND })
  expect(await blockOf({ ...whole, timestamp: 'late', miner: 'nobody' })).toEqual({ number: 100n })
  expect(await blockOf({ number: null })).toBeUndefined()
})

test('the default tip is 1 gwei', async () => {
  const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: '0x0' }) })
  expect(await readFees(chain, network)).toMatchObject({ baseFee: 0n, tips: { normal: 1_000_000_000n } })
})

test('if the node knows only a gas price, the tip is its part above the base fee, at least 0', async () => {
  for (const [price, tip] of [
    ['0x69', 5n],
    ['0x64', 0n],
    ['0x32', 0n],
  ] as const) {
    const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }), eth_gasPrice: () => price })
    expect(await readFees(chain, network)).toMatchObject({ baseFee: 100n, tips: { slow: tip, normal: tip, fast: tip } })
  }
})

test('without a base fee, the fee is a gas price', async () => {
  for (const block of [{}, { baseFeePerGas: null }, null]) {
    const chain = chainOf({ eth_getBlockByNumber: () => block, eth_gasPrice: () => '0x19' })
    expect(await readFees(chain, network)).toMatchObject({ baseFee: null, tips: { slow: 25n, normal: 25n, fast: 31n } })
  }
})

test('an invalid base fee is 4901', async () => {
  const chain = chainOf({ eth_getBlockByNumber: () => ({ baseFeePerGas: 'low' }), eth_gasPrice: () => '0x19' })
  await expect(readFees(chain, network)).rejects.toMatchObject({ code: 4901 })
})

const withHistory = (history: unknown) =>
  chainOf({
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }),
    eth_maxPriorityFeePerGas: () => '0x7',
    eth_feeHistory: () => history,
  })

test('the fee history gives the next and recent base fees, and tips by speed', async () => {
  const history = {
    baseFeePerGas: ['0x50', '0x64', '0x60', '0x6a', '0x70'],
    reward: [
      ['0x1', '0x5', '0x9'],
      ['0x0', '0x0', '0x0'],
      ['0x3', '0x7', '0xb'],
      ['0x2', '0x6', '0xa'],
    ],
  }
  expect(await readFees(withHistory(history), network)).toEqual({
    baseFee: 0x70n,
    tips: { slow: 2n, normal: 6n, fast: 10n },
    recentBaseFees: [0x50n, 0x64n, 0x60n, 0x6an],
    blockGas: null,
  })
})

test("if the history has only empty blocks, the node's tip is used", async () => {
  for (const reward of [[['0x0', '0x0', '0x0']], [], undefined, null]) {
    const fees = await readFees(withHistory({ baseFeePerGas: ['0x64', '0x70'], reward }), network)
    expect(fees).toMatchObject({ baseFee: 0x70n, tips: { slow: 7n, normal: 7n, fast: 7n } })
  }
})

test('a malformed fee history is ignored', async () => {
  for (const history of [
    null,
    {},
    { baseFeePerGas: [] },
    { baseFeePerGas: [100] },
    { baseFeePerGas: ['0x1'], reward: [null] },
    { baseFeePerGas: ['0x1', '0x2'], reward: [['0x1', '0x2']] },
    { baseFeePerGas: ['0x1', '0x2'], reward: [['0x1', '0x2', '0x3', '0x4']] },
    {
      baseFeePerGas: ['0x1', '0x2'],
      reward: [
        ['0x1', '0x2', '0x3'],
        ['0x1', '0x2', '0x3'],
      ],
    },
    { baseFeePerGas: ['0x1', '0x2', '0x3'], reward: [['0x1', '0x2', '0x3']] },
    { baseFeePerGas: Array(HISTORY_BLOCKS + 2).fill('0x1') },
  ])
    expect(await readFees(withHistory(history), network)).toMatchObject({ baseFee: 100n, tips: { normal: 7n } })
})

test('a call gets half of its estimate as a margin, up to the gas limits of a block and a transaction', () => {
  expect(withMargin(21_000n, null)).toBe(21_000n)
  expect(withMargin(100_000n, null)).toBe(150_000n)
  expect(withMargin(5_000_000n, 6_721_975n)).toBe(6_721_975n)
  expect(withMargin(16_000_000n, 60_000_000n)).toBe(16_777_216n)
  expect(withMargin(20_000_000n, 60_000_000n)).toBe(20_000_000n)
})

test('each speed has its own tip and base fee headroom, and the currently expected fee', () => {
  const fees = { baseFee: 100n, tips: { slow: 1n, normal: 2n, fast: 3n }, recentBaseFees: [], blockGas: null }
  expect(offerFor(fees, 'slow')).toEqual({
    fees: { maxFeePerGas: 126n, maxPriorityFeePerGas: 1n },
    expected: 101n,
  })
  expect(offerFor(fees, 'normal').fees).toEqual({ maxFeePerGas: 202n, maxPriorityFeePerGas: 2n })
  expect(offerFor(fees, 'fast').fees).toEqual({ maxFeePerGas: 303n, maxPriorityFeePerGas: 3n })
  expect(offerFor({ ...fees, baseFee: null }, 'fast')).toEqual({ fees: { gasPrice: 3n }, expected: 3n })
})
