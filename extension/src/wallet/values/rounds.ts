/** Reads the latest answers of price feeds: https://docs.chain.link/data-feeds/api-reference */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { decodeData } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { Outcome } from '../networks/answers.ts'
import { readTogether } from '../networks/multicall.ts'
import type { Chain } from '../networks/node.ts'
import type { Feed } from './feeds.ts'

/** A feed's answer, and when it was written (Unix ms). */
export type Round = { answer: bigint; updatedAt: number }

/** Answers by pair. `isDown` is true if the network's sequencer reports that it is down. */
export type Rounds = { answers: ReadonlyMap<string, Round>; isDown: boolean }

/** `latestRoundData()` */
const LATEST_ROUND = '0xfeaf968c'
const { parameters } = parseFunction(
  'answer(uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
)
/** Length of a round: five words of 32 bytes. */
const ROUND_BYTES = 5 * 32

/** The latest time of a Date, in seconds. */
const LATEST = 8_640_000_000_000n
const SECOND = 1_000

/** Decodes a round. Null if the contract did not answer, or has no answer yet. */
const roundIn = (outcome: Outcome | undefined): Round | null => {
  if (!outcome || 'error' in outcome) return null
  try {
    const data = decodeData(outcome.result)
    if (data.length < ROUND_BYTES) return null
    const [, answer, , updatedAt] = decodeArguments(data, parameters).map(({ value }) => BigInt(String(value)))
    if (answer === undefined || updatedAt === undefined || updatedAt === 0n || updatedAt > LATEST) return null
    return { answer, updatedAt: Number(updatedAt) * SECOND }
  } catch {
    return null
  }
}

/** The answer of an uptime feed while the sequencer is down. */
const DOWN = 1n

/** Reads the feeds' latest answers. Feeds without a positive answer are left out. Throws 4901. */
export const readRounds = async (
  chain: Chain,
  network: Network,
  feeds: readonly Feed[],
  uptime: string | null,
): Promise<Rounds> => {
  const contracts = [...feeds.map(({ address }) => address), ...(uptime === null ? [] : [uptime])]
  const outcomes = await readTogether(
    chain,
    network,
    contracts.map(to => ({ to, data: LATEST_ROUND })),
  )
  const rounds = outcomes.map(roundIn)
  const answers = feeds.flatMap(({ pair }, at) => {
    const round = rounds[at]
    return round && round.answer > 0n ? [[pair, round] as const] : []
  })
  const status = uptime === null ? null : rounds[feeds.length]
  return { answers: new Map(answers), isDown: status?.answer === DOWN }
}
