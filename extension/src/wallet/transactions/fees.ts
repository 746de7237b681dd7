/** Gas and fees from the network's own node, for what a transaction request leaves open. */
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import { askQuantity, type Chain, toNodeQuantity } from '../chain.ts'
import { readFeeHistory } from './fee-history.ts'
import { reasonOf } from './reverts.ts'

/** Used where gas cannot be estimated; the default of the interface document. */
export const DEFAULT_GAS = 90_000n
/** What a transaction takes that runs no code: it is the same in every block. */
export const PLAIN_GAS = 21_000n
/** The gas given to a call, in percent of its estimate: it may come to take more until it is in a block. */
const GAS_MARGIN = 150n
/** The most gas that a transaction may have, https://eips.ethereum.org/EIPS/eip-7825: no margin leads beyond. */
const MOST_GAS = 1n << 24n
/** The tip where the node names none: 1 gwei. */
const DEFAULT_TIP = 1_000_000_000n

export type Call = Pick<TransactionRequest, 'from' | 'to' | 'value' | 'data' | 'accessList'>

/** The node's estimate, or the default and the node's reason why there is none. Throws 4901. */
export const estimateGas = async (
  chain: Chain,
  network: Network,
  call: Call,
): Promise<{ gas: bigint; failure: string | null }> => {
  try {
    return { gas: await askQuantity(chain, network, 'eth_estimateGas', [call]), failure: null }
  } catch (error) {
    const failure = reasonOf(error)
    if (failure !== undefined) return { gas: DEFAULT_GAS, failure }
    throw error
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** The gas to give to what was estimated. `blockGas` is what a block has room for; null where that is not known. */
export const withMargin = (estimate: bigint, blockGas: bigint | null): bigint => {
  if (estimate === PLAIN_GAS) return estimate
  return larger(estimate, smaller((estimate * GAS_MARGIN) / HUNDRED, smaller(blockGas ?? MOST_GAS, MOST_GAS)))
}

export type Speed = 'slow' | 'normal' | 'fast'

/**
 * Wei per gas as it costs now: the base fee of the next block and a tip, EIP-1559. Without a base fee, which is null, the
 * tip is all. `recentBaseFees` are those before it, oldest first. `blockGas` is the gas that a block has room for, null
 * where the node does not tell.
 */
export type Fees = {
  baseFee: bigint | null
  tips: Record<Speed, bigint>
  recentBaseFees: readonly bigint[]
  blockGas: bigint | null
}

/** Where there is one price only, what is offered for the fast place, in percent of it. */
const FAST_PRICE = 125n
/** How far the base fee may rise before a transaction waits, in percent: it doubles in six full blocks. */
const HEADROOM: Record<Speed, bigint> = { slow: 125n, normal: 200n, fast: 300n }
const HUNDRED = 100n

const readBlock = async (
  chain: Chain,
  network: Network,
): Promise<{ baseFee: bigint | null; blockGas: bigint | null }> => {
  const block = (await chain(network, 'eth_getBlockByNumber', ['latest', false])) as Record<string, unknown> | null
  const read = (name: string) => (block?.[name] == null ? null : toNodeQuantity(network, name, block[name]))
  return { baseFee: read('baseFeePerGas'), blockGas: read('gasLimit') }
}

/** What the node names as a price is the price for every speed but the fast one. */
const flatTips = (price: bigint): Fees['tips'] => ({
  slow: price,
  normal: price,
  fast: (price * FAST_PRICE) / HUNDRED,
})

const evenTips = (tip: bigint): Fees['tips'] => ({ slow: tip, normal: tip, fast: tip })

/** Asks what gas costs now. Throws 4901. */
export const readFees = async (chain: Chain, network: Network): Promise<Fees> => {
  const [{ baseFee: latest, blockGas }, history] = await Promise.all([
    readBlock(chain, network),
    readFeeHistory(chain, network),
  ])
  if (latest === null) {
    const price = await askQuantity(chain, network, 'eth_gasPrice')
    return { baseFee: null, tips: flatTips(price), recentBaseFees: [], blockGas }
  }
  const baseFees = history?.baseFees ?? []
  const fees = { baseFee: baseFees.at(-1) ?? latest, recentBaseFees: baseFees.slice(0, -1), blockGas }
  if (history?.tips) {
    const [slow, normal, fast] = history.tips
    return { ...fees, tips: { slow, normal, fast } }
  }
  const tip = await askQuantity(chain, network, 'eth_maxPriorityFeePerGas').catch(() => DEFAULT_TIP)
  return { ...fees, tips: evenTips(tip) }
}

/** The most to offer per gas, so that the base fee may rise. */
export const highestPrice = (baseFee: bigint, tip: bigint, speed: Speed): bigint =>
  (baseFee * HEADROOM[speed]) / HUNDRED + tip

/** What to offer for a speed, and what of it would be paid now, in wei per gas. */
export const offerFor = ({ baseFee, tips }: Fees, speed: Speed): { fees: Offer; expected: bigint } => {
  const tip = tips[speed]
  if (baseFee === null) return { fees: { gasPrice: tip }, expected: tip }
  const fees = { maxFeePerGas: highestPrice(baseFee, tip, speed), maxPriorityFeePerGas: tip }
  return { fees, expected: baseFee + tip }
}

/** What would be paid now of what is offered, in wei per gas. */
export const paidOf = (offer: Offer, { baseFee }: Pick<Fees, 'baseFee'>): bigint =>
  'gasPrice' in offer ? offer.gasPrice : smaller((baseFee ?? 0n) + offer.maxPriorityFeePerGas, offer.maxFeePerGas)

/** One price, or the most and the tip that is part of it, EIP-1559. Wei per gas. */
export type Offer = { gasPrice: bigint } | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
