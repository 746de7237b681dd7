/** Finds a block that two of the user's nodes have, at which their answers can be compared. */
import { encodeQuantity, type Hex, isHex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { type Block, blockQuestion, toBlock } from './blocks.ts'
import { askAs, type Chain } from './node.ts'
import { nodesFor, onlyNode } from './node-uses.ts'

/** The network with the reading node, and with the comparing node. */
export type NodePair = { mine: Network; other: Network }

/**
 * A block by its number in hex. `hashes` are the two nodes' hashes of it, null if a node states none. `stateRoot` is set
 * if both nodes state the same hash and the same root. `isHead` is true if the reading node has no newer block.
 */
export type CommonBlock = {
  tag: Hex
  number: bigint
  hashes: readonly [mine: string | null, other: string | null]
  stateRoot: Hex | null
  isHead: boolean
}

/** Number of blocks by which the comparing node may lag. Nodes keep the states of 128 blocks and more. */
export const MAX_LAG = 64n
/** Number of blocks to go back if the nodes have different newest blocks, as during a reorganization. */
const REORG_DEPTH = 4n

const ROOT_LENGTH = 66

/** Returns the nodes to compare, on whose behalf the network is used. Null if the user chose none for comparing. */
export const pairOf = (network: Network): NodePair | null => {
  const { read, compare } = nodesFor(network, network.onBehalfOf ?? null)
  const [mine, other] = [read[0], compare[0]]
  return mine === undefined || other === undefined
    ? null
    : { mine: onlyNode(network, mine), other: onlyNode(network, other) }
}

const rootOf = ({ stated }: Block): Hex | null => {
  const { stateRoot } = stated
  return isHex(stateRoot) && stateRoot.length === ROOT_LENGTH ? (stateRoot.toLowerCase() as Hex) : null
}

const hashOf = ({ hash }: Block): string | null => hash?.toLowerCase() ?? null

/**
 * Returns the newest block that both nodes have. If they have different blocks with this number, looks a few blocks
 * earlier. Null if a node does not answer, or the comparing node lags too far behind. Throws like `askAs`.
 */
export const findCommonBlock = async (chain: Chain, { mine, other }: NodePair): Promise<CommonBlock | null> => {
  const read = (network: Network, tag: string) => askAs(chain, network, blockQuestion(tag), toBlock)
  const heads = await Promise.all([read(mine, 'latest'), read(other, 'latest')])
  const [own, others] = heads.map(head => head?.number ?? null)
  if (own == null || others == null || own > others + MAX_LAG) return null

  const blockAt = async (number: bigint): Promise<CommonBlock | null> => {
    const tag = encodeQuantity(number)
    const find = (network: Network, head: Block | null) => (head?.number === number ? head : read(network, tag))
    const [one, two] = await Promise.all([find(mine, heads[0]), find(other, heads[1])])
    if (!one || !two) return null
    const hashes = [hashOf(one), hashOf(two)] as const
    const root = rootOf(one)
    const isSame = hashes[0] !== null && hashes[0] === hashes[1] && root === rootOf(two)
    return { tag, number, hashes, stateRoot: isSame ? root : null, isHead: number === own }
  }
  const newest = await blockAt(own < others ? own : others)
  if (newest === null || newest.hashes[0] === newest.hashes[1] || newest.number < REORG_DEPTH) return newest
  return blockAt(newest.number - REORG_DEPTH)
}
