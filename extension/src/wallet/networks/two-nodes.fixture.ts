/**
 * Two nodes of one chain whose answers can be changed, for tests of comparisons: states with proofs, blocks, and the
 * requests that each node received.
 */
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { type StateAccount, stateOf } from '@heliograph/shared/evm/trie.fixture'
import type { Network } from '@heliograph/shared/network'
import { type Answers, chainOf } from '../wallet.fixture.ts'
import { localChain } from './networks.fixture.ts'
import { postOf } from './node.fixture.ts'
import { createChain, type Post } from './node.ts'

export const [READS, COMPARES] = ['https://reads.example/', 'https://compares.example/'] as const

/** A network with a reading node and a comparing node. */
export const comparedNetwork: Network = {
  ...localChain,
  rpcUrls: [READS, COMPARES],
  nodeUses: { [COMPARES]: { also: 'comparing' } },
}

/** A node. `answers` take precedence over the chain's. It is dead if it is null. */
export type NodeInTest = { head: number; answers: Answers } | null

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** `tokens` are balances by the token's lower-case address; each state holds from its block on. */
export type ChainInTest = { states: readonly Readonly<Record<string, StateAccount>>[]; tokens: Record<string, bigint> }

/** Starts both nodes at block 100. The state of block 100 is the last one, the one before it of block 99, and so on. */
export const startTwoNodes = (chain: ChainInTest, more: Answers = {}) => {
  const HEAD = 100
  const received: { url: string; body: string }[] = []
  const nodes: Record<string, NodeInTest> = {
    [READS]: { head: HEAD, answers: {} },
    [COMPARES]: { head: HEAD, answers: {} },
  }
  const stateAt = (number: number) => chain.states[Math.max(0, chain.states.length - 1 - (HEAD - number))] ?? {}
  const numberOf = (tag: unknown, head: number) => (tag === 'latest' || tag === 'pending' ? head : Number(tag))

  const answersOf = (head: number): Answers => {
    const account = ([address, tag]: readonly unknown[]) =>
      stateAt(numberOf(tag, head))[String(address).toLowerCase()] ?? {}
    return {
      eth_blockNumber: () => encodeQuantity(head),
      eth_getBlockByNumber: ([tag]) => {
        const number = numberOf(tag, head)
        if (number > head) return null
        return {
          number: encodeQuantity(number),
          hash: word(BigInt(number)),
          timestamp: '0x1',
          baseFeePerGas: '0x64',
          stateRoot: stateOf(stateAt(number)).root,
        }
      },
      eth_getBalance: params => encodeQuantity(account(params).balance ?? 0n),
      eth_getTransactionCount: params => encodeQuantity(account(params).nonce ?? 0n),
      eth_getCode: params => account(params).code ?? '0x',
      eth_getProof: ([address, , tag]) => ({
        accountProof: stateOf(stateAt(numberOf(tag, head))).prove(String(address)),
      }),
      eth_call: ([call]) => {
        const held = chain.tokens[String((call as { to: string }).to).toLowerCase()]
        return held === undefined ? '0x' : word(held)
      },
      ...more,
    }
  }
  const post: Post = async (url, body, signal) => {
    received.push({ url, body })
    const node = nodes[url]
    if (!node) throw new Error('unreachable')
    return postOf(chainOf({ ...answersOf(node.head), ...node.answers }))(url, body, signal)
  }
  /** Returns a node that is not dead. */
  const nodeAt = (url: string) => {
    const node = nodes[url]
    if (!node) throw new Error(`no node at ${url}`)
    return node
  }
  return { nodes, nodeAt, received, chain: createChain(post) }
}
