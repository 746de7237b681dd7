/** Reads recent gas prices with eth_feeHistory: https://ethereum.github.io/execution-apis/ */
import { RpcError } from '@heliograph/shared/errors'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { askAs, type Chain } from '../networks/node.ts'
import { toPrice } from '../networks/quantities.ts'

export const HISTORY_BLOCKS = 30
/** Tips are read at these percentiles of a block's gas, with its transactions sorted by tip: slow, normal, fast. */
const PERCENTILES = [10, 50, 90]

/**
 * All in wei per gas. `baseFees` are oldest first and end with the next block's. `tips` are for slow, normal and fast
 * inclusion.
 */
export type FeeHistory = { baseFees: readonly bigint[]; tips: readonly [bigint, bigint, bigint] | null }

const median = (values: readonly bigint[]): bigint => values.toSorted((a, b) => Number(a - b))[values.length >> 1] ?? 0n

/** Checks the lengths: one more base fee than blocks and, if there are tips, one tip per percentile and block. */
const isWhole = (baseFees: readonly bigint[], rewards: readonly (readonly bigint[])[]): boolean =>
  baseFees.length > 0 &&
  baseFees.length <= HISTORY_BLOCKS + 1 &&
  (rewards.length === 0 || rewards.length === baseFees.length - 1) &&
  rewards.every(block => block.length === PERCENTILES.length)

/** Returns the median of each percentile over all blocks with transactions. Null if there are none. */
const tipsOf = (rewards: readonly (readonly bigint[])[]): FeeHistory['tips'] => {
  const filled = rewards.filter(block => block.some(tip => tip > 0n))
  if (filled.length === 0) return null
  const at = (place: number) => median(filled.map(block => block[place] ?? 0n))
  return [at(0), at(1), at(2)]
}

/** Parses the node's result. Null if it is malformed. */
const toHistory = (result: unknown): FeeHistory | null => {
  const { baseFeePerGas, reward } = (result ?? {}) as { baseFeePerGas?: unknown; reward?: unknown }
  try {
    const baseFees = Array.isArray(baseFeePerGas) ? baseFeePerGas.map(toPrice) : []
    const rewards = Array.isArray(reward) ? reward.map(block => (block as unknown[]).map(toPrice)) : []
    return isWhole(baseFees, rewards) ? { baseFees, tips: tipsOf(rewards) } : null
  } catch {
    return null
  }
}

/**
 * Returns null if the node does not support the method, however it reports that. Other calls detect an unreachable
 * node.
 */
export const readFeeHistory = async (chain: Chain, network: Network): Promise<FeeHistory | null> => {
  const params = [encodeQuantity(HISTORY_BLOCKS), 'latest', PERCENTILES]
  try {
    return await askAs(chain, network, { method: 'eth_feeHistory', params }, toHistory)
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}
