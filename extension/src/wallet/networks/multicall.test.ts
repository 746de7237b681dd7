import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import type { Outcome } from './answers.ts'
import { MULTICALL, READS_AT_ONCE, type Read, readTogether } from './multicall.ts'
import { refusal, unreachable } from './node.fixture.ts'
import type { Chain } from './node.ts'

const [network] = defaultNetworks as [Network]
const TOKEN = `0x${'5a'.repeat(20)}`
const AGGREGATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const reads: Read[] = [{ balanceOf: ADDRESS }, { to: TOKEN, data: '0x70a08231aa' }, { balanceOf: SECOND }]

type Called = { target: string; allowFailure: boolean; callData: string }

/**
 * Creates a node whose Multicall3 answers with `aggregate`, and which answers each other call with its method's name.
 */
const nodeWith = (aggregate: (calls: Called[], data: string) => unknown) => {
  const asked: string[] = []
  const chain: Chain = async (_network, method, params = []) => {
    const [call] = params as [{ to: string; data: string }]
    if (method !== 'eth_call' || call.to !== MULTICALL) {
      asked.push(method)
      return method
    }
    const [calls] = AGGREGATE.decodeFunctionData('aggregate3', call.data)
    asked.push('aggregate')
    return aggregate(calls, call.data)
  }
  return { chain, asked }
}

const answerWith = (results: readonly [boolean, string][]) => AGGREGATE.encodeFunctionResult('aggregate3', [results])
const resultsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map(outcome => ('result' in outcome ? outcome.result : outcome.error.message))
const inOrder = (calls: readonly Called[]) => answerWith(calls.map(({ callData }) => [true, callData]))

test('reads balances and contracts with one eth_call', async () => {
  const called: Called[] = []
  const { chain, asked } = nodeWith(calls => {
    called.push(...calls)
    return inOrder(calls)
  })
  const outcomes = await readTogether(chain, network, reads)
  expect(asked).toEqual(['aggregate'])
  expect(called.map(({ target, allowFailure }) => [target.toLowerCase(), allowFailure])).toEqual([
    [MULTICALL.toLowerCase(), true],
    [TOKEN, true],
    [MULTICALL.toLowerCase(), true],
  ])
  const balanceCall = (address: string) => `0x4d2301cc${address.slice(2).toLowerCase().padStart(64, '0')}`
  expect(resultsOf(outcomes)).toEqual([balanceCall(ADDRESS), '0x70a08231aa', balanceCall(SECOND)])
})

test('the call is encoded as by another library, for data of any length', async () => {
  for (const length of [0, 4, 31, 32, 33, 100]) {
    const data = `0x${'ab'.repeat(length)}`
    const { chain } = nodeWith((calls, sent) => {
      expect(sent).toBe(AGGREGATE.encodeFunctionData('aggregate3', [[...calls]]))
      return inOrder(calls)
    })
    const twice = await readTogether(chain, network, [{ to: TOKEN, data }, reads[0] as Read, { to: TOKEN, data }])
    expect(resultsOf(twice)).toMatchObject([data, expect.any(String), data])
  }
})

test('many reads take several calls', async () => {
  const { chain, asked } = nodeWith(inOrder)
  const many = Array.from({ length: READS_AT_ONCE * 2 + 1 }, (_, at) => ({ to: TOKEN, data: `0x${at + 1_000_000}0` }))
  expect(resultsOf(await readTogether(chain, network, many))).toEqual([
    ...many.slice(0, -1).map(({ data }) => data),
    'eth_call',
  ])
  // A single read does not need Multicall3.
  expect(asked).toEqual(['aggregate', 'aggregate', 'eth_call'])
})

test('on a network without Multicall3, each value is queried separately', async () => {
  const without = ['0x', '0x1234', null, answerWith([[true, '0x01']])]
  for (const answer of without) {
    const { chain, asked } = nodeWith(() => answer)
    expect(resultsOf(await readTogether(chain, network, reads))).toEqual([
      'eth_getBalance',
      'eth_call',
      'eth_getBalance',
    ])
    expect(asked).toHaveLength(4)
  }
  const { chain } = nodeWith(() => {
    throw refusal('internal', 'out of gas')
  })
  expect(resultsOf(await readTogether(chain, network, reads))).toEqual(['eth_getBalance', 'eth_call', 'eth_getBalance'])
})

test('only the failed calls are repeated', async () => {
  const { chain, asked } = nodeWith(() =>
    answerWith([
      [true, '0x01'],
      [false, '0x'],
      [true, '0x02'],
    ]),
  )
  expect(resultsOf(await readTogether(chain, network, reads))).toEqual(['0x01', 'eth_call', '0x02'])
  expect(asked).toEqual(['aggregate', 'eth_call'])
})

test('an unreachable node is 4901', async () => {
  const chain: Chain = async () => {
    throw unreachable()
  }
  await expect(readTogether(chain, network, reads)).rejects.toMatchObject({ code: 4901 })
  expect(await readTogether(chain, network, [])).toEqual([])
})
