/** A fake chain with token contracts, logs and Multicall3, which records what it is asked. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { nodeError } from '../networks/answers.ts'
import { MULTICALL } from '../networks/multicall.ts'
import { type Answers, chainOf, SECOND } from '../wallet.fixture.ts'
import { TRANSFER, TRANSFER_SINGLE } from './token-moves.ts'

/** `held` is the balance of each account; `items` the ids that it owns. */
export type FakeToken = {
  /** Answers all calls instead of the values below. */
  answer?: (data: string) => unknown
  symbol?: string
  name?: string
  decimals?: number
  held?: bigint
  items?: readonly number[]
}
export type FakeChain = {
  tokens: Record<string, FakeToken>
  logs: ReturnType<typeof transferLog>[]
  head: number
  hasMulticall: boolean
  chainId: string
  /** Runs before each answer. It may throw, or return an answer to use instead. */
  before(method: string, params: readonly unknown[]): unknown
}

const AGGREGATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

export const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')
const textWords = (text: string): string => {
  const hex = Buffer.from(text).toString('hex')
  return `0x${word(32)}${word(hex.length / 2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}
const topic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** Creates the log of a transfer: of an amount, or of an item if `id` is given. */
export const transferLog = (
  address: string,
  to: string,
  { block = 50, index = 0, id, amount = 1 }: { block?: number; index?: number; id?: number; amount?: number } = {},
) => ({
  address,
  topics: [TRANSFER, topic(SECOND), topic(to), ...(id === undefined ? [] : [`0x${word(id)}`])],
  data: id === undefined ? `0x${word(amount)}` : '0x',
  blockNumber: encodeQuantity(block),
  logIndex: encodeQuantity(index),
  transactionHash: `0x${word(block * 1_000 + index)}`,
  blockTimestamp: encodeQuantity(1_700_000_000 + block),
})

const revert = (): never => {
  throw nodeError({ code: 3, message: 'execution reverted' })
}

const callToken = ({ symbol, name, decimals, held, items }: FakeToken, data: string): string => {
  const [selector, last] = [data.slice(0, 10), Number(`0x${data.slice(-64)}`)]
  if (selector === '0x95d89b41') return symbol === undefined ? revert() : textWords(symbol)
  if (selector === '0x06fdde03') return name === undefined ? revert() : textWords(name)
  if (selector === '0x313ce567') return decimals === undefined ? revert() : `0x${word(decimals)}`
  if (selector === '0x70a08231') return `0x${word(held ?? BigInt(items?.length ?? 0))}`
  if (selector === '0x6352211e') return items?.includes(last) ? topic(OWNER) : revert()
  return revert()
}
/** Account that owns all items. */
const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Filter = { fromBlock: string; toBlock: string; topics: readonly unknown[] }

/** Starts a fake chain. The test can change `world` at any time. `asked` are the methods of all calls, in order. */
export const startTokenChain = (given: Partial<FakeChain> = {}) => {
  const world: FakeChain = {
    tokens: {},
    logs: [],
    head: 100,
    hasMulticall: true,
    chainId: '0x7a69',
    before: () => {},
    ...given,
  }
  const asked: string[] = []
  const tokenOf = (address: string) =>
    Object.entries(world.tokens).find(([key]) => key.toLowerCase() === address.toLowerCase())?.[1]
  const call = (to: string, data: string): unknown => {
    const token = tokenOf(to)
    if (token?.answer) return token.answer(data)
    return token ? callToken(token, data) : '0x'
  }
  const aggregate = (data: string): string => {
    const [calls] = AGGREGATE.decodeFunctionData('aggregate3', data)
    const results = (calls as { target: string; callData: string }[]).map(({ target, callData }) => {
      try {
        return [true, call(target, callData)]
      } catch {
        return [false, '0x']
      }
    })
    return AGGREGATE.encodeFunctionResult('aggregate3', [results])
  }
  const answers: Answers = {
    eth_chainId: () => world.chainId,
    eth_blockNumber: () => encodeQuantity(world.head),
    eth_getBalance: () => '0x0',
    eth_getTransactionCount: () => '0x0',
    eth_getCode: () => (world.hasMulticall ? '0x60' : '0x'),
    eth_getBlockByNumber: ([block]) => ({ number: block, timestamp: encodeQuantity(1_700_000_000) }),
    eth_call: ([params]) => {
      const { to, data } = params as { to: string; data: string }
      if (to !== MULTICALL) return call(to, data)
      return world.hasMulticall ? aggregate(data) : '0x'
    },
    eth_getLogs: ([filter]) => {
      const { fromBlock, toBlock, topics } = filter as Filter
      if ([topics[0]].flat().includes(TRANSFER_SINGLE)) return []
      return world.logs.filter(
        ({ blockNumber }) => Number(blockNumber) >= Number(fromBlock) && Number(blockNumber) <= Number(toBlock),
      )
    },
  }
  const recorded = Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      (params: readonly unknown[]) => {
        asked.push(method)
        const instead = world.before(method, params)
        return instead === undefined ? answer(params) : instead
      },
    ]),
  )
  return { world, asked, chain: chainOf(recorded) }
}
