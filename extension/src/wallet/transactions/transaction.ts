/** From what a site asks to the transaction that is signed: every field filled in before the person sees it, but the nonce. */
import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import { completeTransaction, parseTransaction } from '@heliograph/shared/evm/transaction-request'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import type { FeeChoice, TransactionEdit } from '../../messages.ts'
import { askQuantity } from '../chain.ts'
import { type Context, signWith } from '../method.ts'
import type { WalletRequest } from '../requests.ts'
import type { Market } from '../review/fees.ts'
import { estimateGas, type Fees, highestPrice, type Offer, offerFor, readFees, withMargin } from './fees.ts'

type Prices = { type: '0x0' | '0x1'; gasPrice: Hex } | { type: '0x2'; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }

/** Everything that is signed but a nonce that the site left open, in the JSON-RPC form, as it is kept. */
export type FilledTransaction = Prices &
  Pick<TransactionRequest, 'to' | 'nonce' | 'accessList'> & { from: Hex; chainId: Hex; gas: Hex; value: Hex; data: Hex }

/**
 * `expected` is wei per gas as it should cost now, `balance` what the account holds in wei, `needed` the gas as the node
 * estimates it, `failure` the node's reason why the call would not go through: one of the two is null. `ownGas` is the gas
 * that the wallet gives where nobody else names it, and `market` what gas costs. `speed` is there where the request names
 * no price.
 */
export type Filled = {
  transaction: FilledTransaction
  expected: bigint
  balance: bigint
  needed: bigint | null
  failure: string | null
  ownGas: bigint
  market: Market
  speed?: 'normal'
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** What a transaction offers for gas. */
export const choiceOf = (transaction: FilledTransaction): FeeChoice => {
  if (transaction.type !== '0x2') return { gasPrice: transaction.gasPrice }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { maxFeePerGas, maxPriorityFeePerGas }
}

const namesPrice = ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest): boolean =>
  [gasPrice, maxFeePerGas, maxPriorityFeePerGas].some(price => price !== undefined)

/** What the site asks to pay, and what the network's prices make of the rest. */
const pricesOf = (request: TransactionRequest, fees: Fees): Prices & { expected: bigint } => {
  const { baseFee } = fees
  const tip = fees.tips.normal
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const base = baseFee ?? 0n
  const asksFlat = gasPrice !== undefined || type === '0x0' || type === '0x1'
  const asksMarket = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined || type === '0x2'
  if (asksFlat || (baseFee === null && !asksMarket)) {
    // All of it is paid, whatever the block takes: enough for the base fee to rise twice, and no more.
    const price = gasPrice ?? fromQuantity(baseFee === null ? tip : highestPrice(base, tip, 'slow'))
    return { type: type === '0x1' || accessList ? '0x1' : '0x0', gasPrice: price, expected: toQuantity(price) }
  }
  const most = maxFeePerGas && toQuantity(maxFeePerGas)
  // A site's low maxFeePerGas bounds the tip that the wallet adds; a tip of the site's own stays as asked.
  const addedTip = most === undefined ? tip : smaller(tip, most)
  const paidTip = maxPriorityFeePerGas ? toQuantity(maxPriorityFeePerGas) : addedTip
  const highest = most ?? highestPrice(base, paidTip, 'normal')
  return {
    type: '0x2',
    maxFeePerGas: fromQuantity(highest),
    maxPriorityFeePerGas: fromQuantity(paidTip),
    expected: smaller(base + paidTip, highest),
  }
}

/** The same as numbers, in wei per gas. */
export const offerOf = (transaction: FilledTransaction): Offer =>
  transaction.type === '0x2'
    ? {
        maxFeePerGas: toQuantity(transaction.maxFeePerGas),
        maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas),
      }
    : { gasPrice: toQuantity(transaction.gasPrice) }

/** The most that is paid for gas, in wei. */
const highestOf = (prices: Prices): bigint => BigInt(prices.type === '0x2' ? prices.maxFeePerGas : prices.gasPrice)

/**
 * The gas of a call: its estimate and a margin, as far as the account can pay for that. Too little for the estimate itself
 * is a matter of the review.
 */
const gasFor = (estimated: bigint, fees: Fees, price: bigint, payable: bigint): bigint => {
  const gas = withMargin(estimated, fees.blockGas)
  const affordable = price === 0n || payable >= gas * price ? gas : payable / price
  return affordable > estimated ? affordable : estimated
}

/** Asks what gas costs, and compares that with what it cost before. Throws 4901. */
export const readMarket = async ({ chain, network, seenPrices }: FillParts): Promise<Market> => {
  const fees = await readFees(chain, network)
  return { fees, price: await seenPrices.check(network.chainId, offerFor(fees, 'fast').expected) }
}

export type FillParts = Pick<Context, 'chain' | 'network' | 'seenPrices'>

/** Fills in chain, gas and fees. Throws -32602 for another chain, 4901 when the node is out of reach. */
export const fillTransaction = async (
  parts: FillParts,
  request: TransactionRequest,
  asked: Promise<Market> = readMarket(parts),
): Promise<Filled> => {
  const { chain, network } = parts
  if (request.chainId !== undefined && toQuantity(request.chainId) !== BigInt(network.chainId))
    throw rpcError(
      'invalidParams',
      `The transaction is for chain ${toQuantity(request.chainId)}, the active chain is ${network.chainId}`,
    )
  const { from, to, nonce, accessList, value = '0x0', data = '0x' } = request
  // Estimated also where the site names the gas: it may be too little.
  const [{ gas: estimated, failure }, market, balance] = await Promise.all([
    estimateGas(chain, network, { from, ...(to && { to }), value, data, ...(accessList && { accessList }) }),
    asked,
    askQuantity(chain, network, 'eth_getBalance', [from, 'latest']),
  ])
  const { fees } = market
  const { expected, ...prices } = pricesOf(request, fees)
  const payable = balance - toQuantity(value)
  // What could not be estimated has no margin either.
  const usual = failure === null ? gasFor(estimated, fees, highestOf(prices), payable) : estimated
  const transaction: FilledTransaction = {
    ...prices,
    from,
    ...(to && { to }),
    ...(nonce && { nonce }),
    ...(accessList && { accessList }),
    chainId: fromQuantity(network.chainId),
    gas: request.gas ?? fromQuantity(usual),
    value,
    data,
  }
  const needed = failure === null ? estimated : null
  const ownGas = needed === null ? estimated : withMargin(estimated, fees.blockGas)
  const filled = { transaction, expected, balance, needed, failure, ownGas, market }
  return namesPrice(request) ? filled : { ...filled, speed: 'normal' }
}

/** Throws ValueError for what is no QUANTITY. */
const quantity = (value: string, place: string): Hex => fromQuantity(toQuantity(value, place))

/** The request with what the person settled; prices take the place of prices. Throws ValueError. */
export const editRequest = (request: TransactionRequest, { fees, gas, nonce }: TransactionEdit): TransactionRequest => {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...others } = request
  const kept = { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }
  const chosen = Object.entries(fees ?? kept).flatMap(([name, price]) =>
    price === undefined ? [] : [[name, quantity(price, name)]],
  )
  const prices = Object.fromEntries(chosen)
  return {
    ...others,
    ...prices,
    ...(gas !== undefined && { gas: quantity(gas, 'gas') }),
    ...(nonce !== undefined && { nonce: quantity(nonce, 'nonce') }),
  }
}

/** The most the transaction can cost in fees, in wei. */
export const highestFee = (transaction: FilledTransaction): bigint =>
  toQuantity(transaction.gas) * highestOf(transaction)

/** The transaction as it is signed, with its nonce. Throws ValueError for what no transaction can hold. */
export const toTransaction = (filled: FilledTransaction, nonce: bigint): Transaction =>
  completeTransaction(parseTransaction({ ...filled, nonce: fromQuantity(nonce) }))

/** Signs a transaction of an approved request. */
export const signFilled = (
  context: Context,
  request: WalletRequest,
  filled: FilledTransaction,
  nonce: bigint,
): Promise<Hex> => signWith(context, request, key => signTransaction(toTransaction(filled, nonce), key))
