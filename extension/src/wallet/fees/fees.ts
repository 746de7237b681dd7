/** Reads gas estimates and prices from the network's node, for values that a request leaves open. */
import { RpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { RevertView } from '../../messages.ts'
import { type Block, readBlock } from '../networks/blocks.ts'
import { askAs, askQuantity, type Chain, isRefusal } from '../networks/node.ts'
import { toCount, toPrice } from '../networks/quantities.ts'
import { reasonOf } from '../networks/reverts.ts'
import { type FeeHistory, readFeeHistory } from './fee-history.ts'

/** Gas limit if gas cannot be estimated: the default in the eth_sendTransaction specification. */
const DEFAULT_GAS = 90_000n
/** Gas used by a transaction that runs no code. It does not vary between blocks. */
const PLAIN_GAS = 21_000n
/** Gas limit in percent of the estimate, because the call may need more when it is mined. */
const GAS_MARGIN = 150n
/** Maximum gas of a transaction (https://eips.ethereum.org/EIPS/eip-7825), with the margin. */
const MOST_GAS = 1n << 24n
/** Tip if the node suggests none: 1 gwei, in wei per gas. */
const DEFAULT_TIP = 1_000_000_000n

export type Call = Pick<TransactionRequest, 'from' | 'to' | 'value' | 'data' | 'accessList'>

/** Returns the node's estimate, or the default gas and the node's error. Throws 4901. */
export const estimateGas = async (
  chain: Chain,
  network: Network,
  call: Call,
): Promise<{ gas: bigint; failure: RevertView | null }> => {
  try {
    return { gas: await askAs(chain, network, { method: 'eth_estimateGas', params: [call] }, toCount), failure: null }
  } catch (error) {
    const failure = reasonOf(error)
    if (failure !== undefined) return { gas: DEFAULT_GAS, failure }
    throw error
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** Returns the gas limit for an estimate. `blockGas` is the block's gas limit, null if unknown. */
export const withMargin = (estimate: bigint, blockGas: bigint | null): bigint => {
  if (estimate === PLAIN_GAS) return estimate
  return larger(estimate, smaller((estimate * GAS_MARGIN) / HUNDRED, smaller(blockGas ?? MOST_GAS, MOST_GAS)))
}

export type Speed = 'slow' | 'normal' | 'fast'

/** The network's latest block, with its time in Unix seconds. Values that the node does not state are absent. */
export type LatestBlock = { number?: bigint; time?: bigint; miner?: Address }

/**
 * Current prices in wei per gas: the next block's base fee, and tips (EIP-1559). On a network without base fees,
 * `baseFee` is null and the tips are gas prices. `recentBaseFees` are the previous base fees, oldest first. `blockGas`
 * is the block's gas limit, null if unknown. `block` is absent if the node states nothing about it.
 */
export type Fees = {
  baseFee: bigint | null
  tips: Record<Speed, bigint>
  recentBaseFees: readonly bigint[]
  blockGas: bigint | null
  block?: LatestBlock
}

/** Price for fast inclusion on a network without base fees, in percent of the normal price. */
const FAST_PRICE = 125n
/** Maximum base fee in percent of the current base fee. A base fee can double within six full blocks. */
const HEADROOM: Record<Speed, bigint> = { slow: 125n, normal: 200n, fast: 300n }
const HUNDRED = 100n

const latestOf = ({ number, time, miner }: Block): LatestBlock => ({
  ...(number !== null && { number }),
  ...(time !== null && { time }),
  ...(miner !== null && { miner }),
})

/**
 * Returns null for a method that the node does not support, however it reports that. An unreadable number is an error.
 */
const unlessMissing = (error: unknown): null => {
  if (isRefusal(error) && error.reason !== 'nodeUnreadable') return null
  throw error
}

const readLatest = async (chain: Chain, network: Network): Promise<Pick<Fees, 'baseFee' | 'blockGas' | 'block'>> => {
  const block = await readBlock(chain, network, 'latest').catch(unlessMissing)
  if (block === null) return { baseFee: null, blockGas: null }
  const latest = latestOf(block)
  const isStated = Object.keys(latest).length > 0
  return { baseFee: block.baseFee, blockGas: block.gasLimit, ...(isStated && { block: latest }) }
}

/** Returns the node's gas price for slow and normal speed, and a higher one for fast. */
const flatTips = (price: bigint): Fees['tips'] => ({
  slow: price,
  normal: price,
  fast: (price * FAST_PRICE) / HUNDRED,
})

const evenTips = (tip: bigint): Fees['tips'] => ({ slow: tip, normal: tip, fast: tip })

const toAnyPrice = (result: unknown): bigint | null => (result === null ? null : toPrice(result))

/**
 * Returns null if the node does not support the method, however it reports that. Throws 4901 if the answer is not a
 * number.
 */
const askPrice = (chain: Chain, network: Network, method: 'eth_gasPrice' | 'eth_maxPriorityFeePerGas') =>
  askAs(chain, network, { method, params: [] }, toAnyPrice).catch(error => {
    if (error instanceof RpcError && error.reason !== 'nodeUnreadable') return null
    throw error
  })

/**
 * Returns the gas price of a network without base fees, where tips are gas prices. Throws the node's error if no method
 * returns one.
 */
const readFlatPrice = async (chain: Chain, network: Network, history: FeeHistory | null): Promise<bigint> => {
  const price = await askPrice(chain, network, 'eth_gasPrice')
  const others = async () => history?.tips?.[1] ?? askPrice(chain, network, 'eth_maxPriorityFeePerGas')
  return price ?? (await others()) ?? askQuantity(chain, network, 'eth_gasPrice')
}

/**
 * Returns the tip to pay in addition to the base fee. If only the node's gas price is known, subtracts the latest
 * block's base fee from it.
 */
const readTip = async (chain: Chain, network: Network, baseFee: bigint): Promise<bigint> => {
  const tip = await askPrice(chain, network, 'eth_maxPriorityFeePerGas')
  if (tip !== null) return tip
  const price = await askPrice(chain, network, 'eth_gasPrice')
  return price === null ? DEFAULT_TIP : larger(price - baseFee, 0n)
}

/** Reads the current prices. Throws 4901. */
export const readFees = async (chain: Chain, network: Network): Promise<Fees> => {
  const [{ baseFee: latest, ...block }, history] = await Promise.all([
    readLatest(chain, network),
    readFeeHistory(chain, network),
  ])
  if (latest === null) {
    const price = await readFlatPrice(chain, network, history)
    return { baseFee: null, tips: flatTips(price), recentBaseFees: [], ...block }
  }
  const baseFees = history?.baseFees ?? []
  // Some nodes report 0 because they do not know the next block's base fee. The latest block's is used instead.
  const fees = { baseFee: baseFees.at(-1) || latest, recentBaseFees: baseFees.slice(0, -1), ...block }
  if (history?.tips) {
    const [slow, normal, fast] = history.tips
    return { ...fees, tips: { slow, normal, fast } }
  }
  return { ...fees, tips: evenTips(await readTip(chain, network, latest)) }
}

/** Returns the maximum price per gas, with headroom for a rising base fee. */
export const highestPrice = (baseFee: bigint, tip: bigint, speed: Speed): bigint =>
  (baseFee * HEADROOM[speed]) / HUNDRED + tip

/** Returns the fees to offer for a speed, and the price at the current base fee, in wei per gas. */
export const offerFor = ({ baseFee, tips }: Fees, speed: Speed): { fees: Offer; expected: bigint } => {
  const tip = tips[speed]
  if (baseFee === null) return { fees: { gasPrice: tip }, expected: tip }
  const fees = { maxFeePerGas: highestPrice(baseFee, tip, speed), maxPriorityFeePerGas: tip }
  return { fees, expected: baseFee + tip }
}

/** Returns the price that an offer pays at the current base fee, in wei per gas. */
export const paidOf = (offer: Offer, { baseFee }: Pick<Fees, 'baseFee'>): bigint =>
  'gasPrice' in offer ? offer.gasPrice : smaller((baseFee ?? 0n) + offer.maxPriorityFeePerGas, offer.maxFeePerGas)

/** A gas price, or the maximum fee and the tip included in it (EIP-1559). Wei per gas. */
export type Offer = { gasPrice: bigint } | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
