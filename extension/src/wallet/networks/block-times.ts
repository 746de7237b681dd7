/** Reads the times of blocks. */
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { askAll, type Chain } from './node.ts'

/** The largest valid Date, in seconds. Later times count as none. */
const LATEST = 8_640_000_000_000n

/** A time of a chain in Unix ms, or null if it is not a valid date. */
export const momentOf = (seconds: bigint): number | null => (seconds > LATEST ? null : Number(seconds) * 1000)

/** Times of blocks in Unix ms, without those that the node cannot answer. Throws 4901. */
export const readBlockTimes = async (
  { chain, network }: { chain: Chain; network: Network },
  blocks: readonly bigint[],
): Promise<Map<bigint, number>> => {
  const questions = blocks.map(block => ({ method: 'eth_getBlockByNumber', params: [encodeQuantity(block), false] }))
  const answers = await askAll(chain, network, questions)
  const times = new Map<bigint, number>()
  for (const [at, block] of blocks.entries()) {
    const answer = answers[at]
    const found = answer && 'result' in answer ? (answer.result as { timestamp?: unknown } | null) : null
    try {
      const time = momentOf(decodeQuantity(found?.timestamp))
      if (time !== null) times.set(block, time)
    } catch {}
  }
  return times
}
