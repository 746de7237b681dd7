import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import { expect, test } from 'vitest'
import { highestFee } from '../fees/filled.ts'
import { createSeenPrices } from '../fees/seen-prices.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal } from '../networks/node.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, type Answers, NOW, SECOND, startNode } from '../wallet.fixture.ts'
import { fillTransaction, toTransaction } from './transaction.ts'

const [network] = testNetworks as [Network]
const withoutBaseFee: Answers = { eth_getBlockByNumber: () => ({}) }

const fill = (request: Partial<TransactionRequest> = {}, answers: Answers = {}) =>
  fillTransaction(
    { chain: startNode(answers).chain, network, seenPrices: createSeenPrices(memoryStore(), () => NOW) },
    { from: ADDRESS, to: SECOND, ...request },
  )
const pricesOf = async (request: Partial<TransactionRequest>, answers?: Answers) => {
  const { transaction, expected } = await fill(request, answers)
  const { type } = transaction
  return transaction.type === '0x2'
    ? [type, Number(transaction.maxFeePerGas), Number(transaction.maxPriorityFeePerGas), Number(expected)]
    : [type, Number(transaction.gasPrice), Number(expected)]
}

test('missing fields except the nonce are filled in', async () => {
  expect(await fill()).toEqual({
    speed: 'normal',
    transaction: {
      type: '0x2',
      chainId: '0x7a69',
      from: ADDRESS,
      to: SECOND,
      value: '0x0',
      data: '0x',
      gas: '0x5208',
      maxFeePerGas: '0xca',
      maxPriorityFeePerGas: '0x2',
    },
    expected: 102n,
    balance: 10n ** 20n,
    needed: 21_000n,
    failure: null,
    ownGas: 21_000n,
    market: {
      fees: { baseFee: 100n, tips: { slow: 2n, normal: 2n, fast: 2n }, recentBaseFees: [], blockGas: null },
      price: { believed: 102n, jumpedFrom: null },
    },
  })
})

test('specified fields stay unchanged', async () => {
  const named = { value: '0x1', data: '0x1234', gas: '0x9999', nonce: '0x0', chainId: '0x7a69' } as const
  expect((await fill(named)).transaction).toMatchObject(named)
})

const list: TransactionRequest['accessList'] & object = [{ address: SECOND, storageKeys: [`0x${'00'.repeat(32)}`] }]

test.each<[string, Partial<TransactionRequest>, unknown[], Answers?]>([
  ['no price: twice the base fee and the tip', {}, ['0x2', 202, 2, 102]],
  ['a gas price: a legacy transaction', { gasPrice: '0x7' }, ['0x0', 7, 7]],
  ['type 0x0 alone: the base fee with room to rise, and the tip', { type: '0x0' }, ['0x0', 127, 127]],
  ['type 0x1 alone', { type: '0x1' }, ['0x1', 127, 127]],
  ['type 0x2 alone', { type: '0x2' }, ['0x2', 202, 2, 102]],
  ['an access list', { accessList: list }, ['0x2', 202, 2, 102]],
  ['an access list and a gas price', { accessList: list, gasPrice: '0x7' }, ['0x1', 7, 7]],
  ['maxFeePerGas alone', { maxFeePerGas: '0x12c' }, ['0x2', 300, 2, 102]],
  ['maxFeePerGas below the tip: it limits the tip', { maxFeePerGas: '0x1' }, ['0x2', 1, 1, 1]],
  ['maxFeePerGas below the base fee: it limits the expected price', { maxFeePerGas: '0x32' }, ['0x2', 50, 2, 50]],
  ['maxPriorityFeePerGas alone: the maximum includes it', { maxPriorityFeePerGas: '0x3e8' }, ['0x2', 1200, 1000, 1100]],
  ['both', { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x1' }, ['0x2', 300, 1, 101]],
  ['both zero', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, ['0x2', 0, 0, 0]],
  ['no base fee: a legacy transaction', {}, ['0x0', 102, 102], withoutBaseFee],
  ['no base fee, an access list', { accessList: list }, ['0x1', 102, 102], withoutBaseFee],
  ['no base fee, but type 0x2', { type: '0x2' }, ['0x2', 102, 102, 102], withoutBaseFee],
  ['no base fee, maxFeePerGas', { maxFeePerGas: '0x7' }, ['0x2', 7, 7, 7], withoutBaseFee],
])('prices with %s', async (_, request, prices, answers) => {
  expect(await pricesOf(request, answers)).toEqual(prices)
})

test('a transaction for another chain is rejected with both chain ids', async () => {
  for (const others of [{}, { nonce: '0x0' }, { gas: '0x5208', gasPrice: '0x1', type: '0x0' }] as const)
    await expect(fill({ chainId: '0x1', ...others })).rejects.toMatchObject({
      code: -32602,
      message: 'The transaction is for chain 1, but the active chain is 31337',
    })
})

test('the estimate covers everything that costs gas', async () => {
  let asked: unknown
  const eth_estimateGas = ([call]: readonly unknown[]) => {
    asked = call
    return '0x5208'
  }
  await fill({ data: '0x12', value: '0x3', accessList: list }, { eth_estimateGas })
  expect(asked).toEqual({ from: ADDRESS, to: SECOND, data: '0x12', value: '0x3', accessList: list })
})

test('a specified gas limit is signed unchanged, but the gas is still estimated', async () => {
  const given = await fill({ gas: '0x5207' })
  expect([given.transaction.gas, given.needed, given.failure]).toEqual(['0x5207', 21_000n, null])
  const eth_estimateGas = () => {
    throw refusal('invalidInput', 'execution reverted')
  }
  const failing = await fill({ gas: '0x5207' }, { eth_estimateGas })
  expect([failing.transaction.gas, failing.needed, failing.failure]).toEqual(['0x5207', null, 'execution reverted'])
})

test('a call gets more gas than estimated, as far as the balance allows', async () => {
  const eth_estimateGas = () => '0xea60'
  expect((await fill({}, { eth_estimateGas })).transaction.gas).toBe(encodeQuantity(90_000))
  const tight = { eth_estimateGas, eth_getBalance: () => encodeQuantity(70_000 * 202 + 3) }
  expect((await fill({ value: '0x3' }, tight)).transaction.gas).toBe(encodeQuantity(70_000))
  const broke = { eth_estimateGas, eth_getBalance: () => '0x2' }
  expect((await fill({ value: '0x3' }, broke)).transaction.gas).toBe(encodeQuantity(60_000))
})

test('the maximum fee is the gas limit times the maximum price', async () => {
  expect(highestFee((await fill()).transaction)).toBe(21_000n * 202n)
  expect(highestFee((await fill({ gasPrice: '0x7' })).transaction)).toBe(21_000n * 7n)
})

test('values out of range are rejected', async () => {
  const wrong: Partial<TransactionRequest>[] = [
    { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    { gas: `0x1${'0'.repeat(16)}` as Hex },
  ]
  for (const request of wrong) {
    const { transaction } = await fill(request)
    expect(() => toTransaction(transaction, 0n)).toThrow(/^transaction\./)
  }
  const answers: Answers = {
    eth_estimateGas: () => `0x1${'0'.repeat(16)}`,
    eth_maxPriorityFeePerGas: () => `0x${'f'.repeat(64)}`,
  }
  for (const [method, answer] of Object.entries(answers))
    await expect(fill({}, { [method]: answer })).rejects.toMatchObject({ code: 4901, values: { method } })
})
