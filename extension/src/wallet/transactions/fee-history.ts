/** What gas has cost lately: eth_feeHistory of https://ethereum.github.io/execution-apis/ */
import { RpcError } from '@heliograph/shared/errors'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { type Chain, isUnreachable, toNodeQuantity } from '../chain.ts'

export const HISTORY_BLOCKS = 30
/** Shares of the gas of a block, in percent, that paid no more than the tip that is asked for. */
const PERCENTILES = [10, 50, 90]

/** Base fees oldest first, the last that of the next block; tips that got a slow, a normal and a fast place; in wei. */
export type FeeHistory = { baseFees: readonly bigint[]; tips: readonly [bigint, bigint, bigint] | null }

const median = (values: readonly bigint[]): bigint => values.toSorted((a, b) => Number(a - b))[values.length >> 1] ?? 0n

/** Prices of so many blocks at most, and of the next; tips of the same blocks, one for each share, where there are any. */
const isWhole = (baseFees: readonly bigint[], rewards: readonly (readonly bigint[])[]): boolean =>
  baseFees.length > 0 &&
  baseFees.length <= HISTORY_BLOCKS + 1 &&
  (rewards.length === 0 || rewards.length === baseFees.length - 1) &&
  rewards.every(block => block.length === PERCENTILES.length)

/** Of each share the median over the blocks that had anything in them; null where none had. */
const tipsOf = (rewards: readonly (readonly bigint[])[]): FeeHistory['tips'] => {
  const filled = rewards.filter(block => block.some(tip => tip > 0n))
  if (filled.length === 0) return null
  const at = (place: number) => median(filled.map(block => block[place] ?? 0n))
  return [at(0), at(1), at(2)]
}

/** Null where the node does not tell, or not in the form of the standard. Throws 4901 where it cannot be reached. */
export const readFeeHistory = async (chain: Chain, network: Network): Promise<FeeHistory | null> => {
  const read = (value: unknown) => toNodeQuantity(network, 'eth_feeHistory', value)
  let answer: unknown
  try {
    answer = await chain(network, 'eth_feeHistory', [fromQuantity(HISTORY_BLOCKS), 'latest', PERCENTILES])
  } catch (error) {
    if (error instanceof RpcError && !isUnreachable(error)) return null
    throw error
  }
  const { baseFeePerGas, reward } = (answer ?? {}) as { baseFeePerGas?: unknown; reward?: unknown }
  try {
    const baseFees = Array.isArray(baseFeePerGas) ? baseFeePerGas.map(read) : []
    const rewards = Array.isArray(reward) ? reward.map(block => (block as unknown[]).map(read)) : []
    return isWhole(baseFees, rewards) ? { baseFees, tips: tipsOf(rewards) } : null
  } catch {
    return null
  }
}
