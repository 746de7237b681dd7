/**
 * Compares what decides about money between two of the user's nodes, and has it proved where a node serves proofs
 * (EIP-1186): at the newest block that both nodes have. A proof is verified against the state root on which both agree.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { Outcome } from './answers.ts'
import { type CommonBlock, findCommonBlock, type NodePair, pairOf } from './common-block.ts'
import { type Fact, type ProvedAccount, proofQuestion, provedIn } from './facts.ts'
import { askAll, askQuantity, type Chain, chainUntil, type Question } from './node.ts'
import { nodeHost } from './node-uses.ts'
import { pinChain } from './pinned-chain.ts'

/** Milliseconds that a review waits for a comparison. After that, only the reading node's answers are known. */
export const COMPARE_PATIENCE = 1_500

/** What the two nodes told about a fact, and what is proved. Null for what is not known. */
export type Told = { fact: Fact; mine: string | null; other: string | null; proved: string | null }

/**
 * `hosts` are the reading and the comparing node. `block` is null if the nodes could not be compared in time. `isMoving`
 * is true if the reading node has a newer block than the compared one.
 */
export type Comparison = {
  hosts: readonly [mine: string, other: string]
  block: CommonBlock | null
  isMoving: boolean
  told: readonly Told[]
}

const hostOf = ({ rpcUrls: [url = ''] }: Network): string => nodeHost(url)

/** Returns the hosts of two nodes. */
export const hostsOf = ({ mine, other }: NodePair): readonly [mine: string, other: string] => [
  hostOf(mine),
  hostOf(other),
]

const distinct = (addresses: readonly Address[]): Address[] => [...new Set(addresses)]

/** Asks a node. No outcomes if it does not answer. */
const outcomesOf = (chain: Chain, network: Network, questions: readonly Question[]): Promise<readonly Outcome[]> =>
  questions.length === 0 ? Promise.resolve([]) : askAll(chain, network, questions).catch(() => [])

/** Returns the accounts' facts that a proof of either node shows. */
const readProofs = async (
  chain: Chain,
  { mine, other }: NodePair,
  { stateRoot }: CommonBlock,
  accounts: readonly Address[],
): Promise<readonly (ProvedAccount | null)[]> => {
  if (stateRoot === null) return []
  const questions = accounts.map(proofQuestion)
  const answers = await Promise.all([mine, other].map(network => outcomesOf(chain, network, questions)))
  return accounts.map(
    (account, at) => answers.flatMap(outcomes => provedIn(outcomes[at], stateRoot, account) ?? [])[0] ?? null,
  )
}

const compareAt = async (
  chain: Chain,
  pair: NodePair,
  block: CommonBlock,
  facts: readonly Fact[],
): Promise<Pick<Comparison, 'isMoving' | 'told'>> => {
  const there = pinChain(chain, block.tag)
  const questions = facts.map(({ question }) => question)
  const accounts = distinct(facts.flatMap(({ account }) => account ?? []))
  const [mine, other, proofs, head] = await Promise.all([
    outcomesOf(there, pair.mine, questions),
    outcomesOf(there, pair.other, questions),
    readProofs(there, pair, block, accounts),
    askQuantity(chain, pair.mine, 'eth_blockNumber').catch(() => null),
  ])
  const proofOf = (account: Address) => proofs[accounts.findIndex(other => sameAddress(other, account))]
  const told = facts.map((fact, at) => ({
    fact,
    mine: fact.read(mine[at]),
    other: fact.read(other[at]),
    proved: (fact.account && proofOf(fact.account)?.[fact.name]) ?? null,
  }))
  return { isMoving: !block.isHead || head === null || head > block.number, told }
}

/** Resolves with null after `patience` ms, or if `task` rejects. `task` gets a client that then stops. */
export const within = async <T>(
  chain: Chain,
  patience: number,
  task: (chain: Chain) => Promise<T>,
): Promise<T | null> => {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), patience)
  })
  const inTime = task(chainUntil(chain, controller.signal)).catch(() => null)
  return Promise.race([inTime, late]).finally(() => {
    clearTimeout(timer)
    controller.abort()
  })
}

/**
 * Compares facts. Resolves with null if the user chose no node for comparing. Never rejects: a node that does not answer
 * in time leaves the facts uncompared. `patience` is in ms.
 */
export const compareFacts = async (
  chain: Chain,
  network: Network,
  facts: readonly Fact[],
  patience = COMPARE_PATIENCE,
): Promise<Comparison | null> => {
  const pair = pairOf(network)
  if (pair === null || facts.length === 0) return null
  const hosts = hostsOf(pair)
  const compared = await within(chain, patience, async asked => {
    const block = await findCommonBlock(asked, pair)
    return block && { block, ...(await compareAt(asked, pair, block, facts)) }
  })
  const untold = facts.map(fact => ({ fact, mine: null, other: null, proved: null }))
  return { hosts, ...(compared ?? { block: null, isMoving: true, told: untold }) }
}
