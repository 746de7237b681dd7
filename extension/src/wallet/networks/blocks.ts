/** Reads blocks: https://ethereum.github.io/execution-apis/ */
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { askAll, askAs, type Chain, type Question } from './node.ts'
import { type Members, plausibleQuantityIn, statedPriceIn, Unreadable } from './quantities.ts'

/**
 * A block. Values that the node does not state or that cannot be parsed are null, except that an unreadable base fee
 * throws. `time` is in Unix seconds. `stated` has all members as the node wrote them.
 */
export type Block = {
  number: bigint | null
  time: bigint | null
  hash: string | null
  miner: Address | null
  baseFee: bigint | null
  gasLimit: bigint | null
  stated: Members
}

/** Latest valid time of a JavaScript Date, in seconds. Later times count as absent. */
const LATEST = 8_640_000_000_000n

/** Converts a chain's time to Unix ms. Null if it is not a valid date. */
export const momentOf = (seconds: bigint): number | null => (seconds > LATEST ? null : Number(seconds) * 1000)

const minerIn = ({ miner }: Members): Address | null => {
  try {
    return toAddress(miner)
  } catch {
    return null
  }
}

/** Parses a block. Null if the node has no such block. Throws Unreadable. */
export const toBlock = (result: unknown): Block | null => {
  if (result === undefined || result === null) return null
  if (!isObject(result)) throw new Unreadable(result)
  return {
    number: plausibleQuantityIn(result, 'number'),
    time: plausibleQuantityIn(result, 'timestamp'),
    hash: typeof result.hash === 'string' ? result.hash : null,
    miner: minerIn(result),
    baseFee: statedPriceIn(result, 'baseFeePerGas'),
    // Chains without a gas limit report 0, which counts as unknown.
    gasLimit: plausibleQuantityIn(result, 'gasLimit') || null,
    stated: result,
  }
}

/** Builds the request for a block by number or tag, without its transactions. */
export const blockQuestion = (tag: string): Question => ({ method: 'eth_getBlockByNumber', params: [tag, false] })

/** Reads a block by number or tag. Null if the node does not have it. Throws the node's errors, and 4901. */
export const readBlock = (chain: Chain, network: Network, tag: string): Promise<Block | null> =>
  askAs(chain, network, blockQuestion(tag), toBlock)

/** Reads blocks' times in Unix ms, omitting blocks that the node cannot return. Throws 4901. */
export const readBlockTimes = async (
  { chain, network }: { chain: Chain; network: Network },
  blocks: readonly bigint[],
): Promise<Map<bigint, number>> => {
  const outcomes = await askAll(
    chain,
    network,
    blocks.map(block => blockQuestion(encodeQuantity(block))),
  )
  const times = new Map<bigint, number>()
  for (const [at, block] of blocks.entries()) {
    const outcome = outcomes[at]
    const found = outcome && 'result' in outcome && isObject(outcome.result) ? outcome.result : {}
    const seconds = plausibleQuantityIn(found, 'timestamp')
    const time = seconds === null ? null : momentOf(seconds)
    if (time !== null) times.set(block, time)
  }
  return times
}
