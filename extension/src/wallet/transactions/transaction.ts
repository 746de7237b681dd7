/** Fills in a site's transaction request before the user sees it. Only the nonce may stay open. */
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import { completeTransaction, parseTransaction } from '@heliograph/shared/evm/transaction-request'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { TransactionEdit } from '../../messages.ts'
import { estimateGas, type Fees, highestPrice, offerFor, readFees, withMargin } from '../fees/fees.ts'
import { type Filled, type FilledTransaction, highestOf, type Market, type Prices } from '../fees/filled.ts'
import { readL1Fee } from '../fees/l1-fee.ts'
import { askQuantity } from '../networks/node.ts'
import { type Context, signWith } from '../requests/context.ts'
import type { WalletRequest } from '../requests/store.ts'
import { rpcError } from '../text/errors.ts'

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

const namesPrice = ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest): boolean =>
  [gasPrice, maxFeePerGas, maxPriorityFeePerGas].some(price => price !== undefined)

/** Completes the site's prices with the network's. */
const pricesOf = (request: TransactionRequest, fees: Fees): Prices & { expected: bigint } => {
  const { baseFee } = fees
  const tip = fees.tips.normal
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const base = baseFee ?? 0n
  const asksFlat = gasPrice !== undefined || type === '0x0' || type === '0x1'
  const asksMarket = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined || type === '0x2'
  if (asksFlat || (baseFee === null && !asksMarket)) {
    // A gas price is paid in full, so it has little headroom: enough for two base fee increases.
    const price = gasPrice ?? encodeQuantity(baseFee === null ? tip : highestPrice(base, tip, 'slow'))
    return { type: type === '0x1' || accessList ? '0x1' : '0x0', gasPrice: price, expected: decodeQuantity(price) }
  }
  const most = maxFeePerGas && decodeQuantity(maxFeePerGas)
  // If the site's maxFeePerGas is low, it limits the wallet's tip. A tip from the site is not changed.
  const addedTip = most === undefined ? tip : smaller(tip, most)
  const paidTip = maxPriorityFeePerGas ? decodeQuantity(maxPriorityFeePerGas) : addedTip
  const highest = most ?? highestPrice(base, paidTip, 'normal')
  return {
    type: '0x2',
    maxFeePerGas: encodeQuantity(highest),
    maxPriorityFeePerGas: encodeQuantity(paidTip),
    expected: smaller(base + paidTip, highest),
  }
}

/**
 * Returns the gas limit: the estimate and a margin, as far as the account can pay for the margin. If it cannot even pay
 * for the estimate, the review reports that.
 */
const gasFor = (estimated: bigint, fees: Fees, price: bigint, payable: bigint): bigint => {
  const gas = withMargin(estimated, fees.blockGas)
  const affordable = price === 0n || payable >= gas * price ? gas : payable / price
  return affordable > estimated ? affordable : estimated
}

/** Reads the current prices and compares them with earlier ones. Throws 4901. */
export const readMarket = async ({ chain, network, seenPrices }: FillParts): Promise<Market> => {
  const fees = await readFees(chain, network)
  return { fees, price: await seenPrices.check(network.chainId, offerFor(fees, 'fast').expected) }
}

export type FillParts = Pick<Context, 'chain' | 'network' | 'seenPrices'>

/**
 * Fills in chain, gas and fees. Throws -32602 if the request is for another chain, 4901 if the node is unreachable,
 * and, on chains with an L1 fee, ValueError for values that a transaction cannot contain.
 */
export const fillTransaction = async (
  parts: FillParts,
  request: TransactionRequest,
  asked: Promise<Market> = readMarket(parts),
): Promise<Filled> => {
  const { chain, network } = parts
  if (request.chainId !== undefined && decodeQuantity(request.chainId) !== BigInt(network.chainId))
    throw rpcError('invalidParams', 'transactionOtherChain', {
      asked: String(decodeQuantity(request.chainId)),
      active: network.chainId,
    })
  const { from, to, nonce, accessList, value = '0x0', data = '0x' } = request
  // Gas is estimated even if the site sets the gas limit, because that limit may be too low.
  const [{ gas: estimated, failure }, market, balance] = await Promise.all([
    estimateGas(chain, network, { from, ...(to && { to }), value, data, ...(accessList && { accessList }) }),
    asked,
    askQuantity(chain, network, 'eth_getBalance', [from, 'latest']),
  ])
  const { fees } = market
  const { expected, ...prices } = pricesOf(request, fees)
  const payable = balance - decodeQuantity(value)
  const least: FilledTransaction = {
    ...prices,
    from,
    ...(to && { to }),
    ...(nonce && { nonce }),
    ...(accessList && { accessList }),
    chainId: encodeQuantity(network.chainId),
    gas: request.gas ?? encodeQuantity(estimated),
    value,
    data,
  }
  const l1Fee = await readL1Fee(chain, network, () => toTransaction(least, decodeQuantity(nonce ?? '0x0')))
  // No margin is added to the default gas after a failed estimate.
  const usual = failure === null ? gasFor(estimated, fees, highestOf(prices), payable - (l1Fee ?? 0n)) : estimated
  const transaction = { ...least, gas: request.gas ?? encodeQuantity(usual) }
  const needed = failure === null ? estimated : null
  const ownGas = needed === null ? estimated : withMargin(estimated, fees.blockGas)
  const filled = {
    transaction,
    expected,
    balance,
    needed,
    failure,
    ownGas,
    market,
    ...(l1Fee !== undefined && { l1Fee }),
  }
  return namesPrice(request) ? filled : { ...filled, speed: 'normal' }
}

/** Normalizes a hex quantity. Throws ValueError if it is invalid. */
const quantity = (value: string, place: string): Hex => encodeQuantity(decodeQuantity(value, place))

/** Applies the user's changes to a request. Chosen fees replace all fees in the request. Throws ValueError. */
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

/** Returns the transaction to sign, with its nonce. Throws ValueError for values that a transaction cannot contain. */
export const toTransaction = (filled: FilledTransaction, nonce: bigint): Transaction =>
  completeTransaction(parseTransaction({ ...filled, nonce: encodeQuantity(nonce) }))

/** Signs an approved request's transaction. */
export const signFilled = (
  context: Context,
  request: WalletRequest,
  filled: FilledTransaction,
  nonce: bigint,
): Promise<Hex> => signWith(context, request, key => signTransaction(toTransaction(filled, nonce), key))
