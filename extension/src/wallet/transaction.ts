/** From what a site asks to the transaction that is signed: every field filled in before the person sees it, but the nonce. */
import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import { completeTransaction, parseTransaction } from '@heliograph/shared/evm/transaction-request'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import { askQuantity } from './chain.ts'
import { estimateGas, type Fees, nextNonce, readFees } from './fees.ts'
import { accountOf, type Context, signWith } from './method.ts'
import type { WalletRequest } from './requests.ts'

type Prices = { type: '0x0' | '0x1'; gasPrice: Hex } | { type: '0x2'; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }

/** Everything that is signed but a nonce that the site left open, in the JSON-RPC form, as it is kept. */
export type FilledTransaction = Prices &
  Pick<TransactionRequest, 'to' | 'nonce' | 'accessList'> & { from: Hex; chainId: Hex; gas: Hex; value: Hex; data: Hex }

/**
 * `expected` is wei per gas as it should cost now, `balance` what the account holds in wei, `failure` the node's reason
 * why the call would not go through.
 */
export type Filled = { transaction: FilledTransaction; expected: bigint; balance: bigint; failure: string | null }

/** The base fee may double before the transaction is mined: six full blocks. */
const BASE_FEE_HEADROOM = 2n

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** What the site asks to pay, and what the network's prices make of the rest. */
const pricesOf = (request: TransactionRequest, { baseFee, tip }: Fees): Prices & { expected: bigint } => {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const base = baseFee ?? 0n
  const asksFlat = gasPrice !== undefined || type === '0x0' || type === '0x1'
  const asksMarket = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined || type === '0x2'
  if (asksFlat || (baseFee === null && !asksMarket)) {
    const price = gasPrice ?? fromQuantity(base + tip)
    return { type: type === '0x1' || accessList ? '0x1' : '0x0', gasPrice: price, expected: toQuantity(price) }
  }
  const most = maxFeePerGas && toQuantity(maxFeePerGas)
  // A site's low maxFeePerGas bounds the tip that the wallet adds; a tip of the site's own stays as asked.
  const addedTip = most === undefined ? tip : smaller(tip, most)
  const paidTip = maxPriorityFeePerGas ? toQuantity(maxPriorityFeePerGas) : addedTip
  const highest = most ?? base * BASE_FEE_HEADROOM + paidTip
  return {
    type: '0x2',
    maxFeePerGas: fromQuantity(highest),
    maxPriorityFeePerGas: fromQuantity(paidTip),
    expected: smaller(base + paidTip, highest),
  }
}

/** Fills in chain, gas and fees. Throws -32602 for another chain, 4901 when the node is out of reach. */
export const fillTransaction = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  request: TransactionRequest,
): Promise<Filled> => {
  if (request.chainId !== undefined && toQuantity(request.chainId) !== BigInt(network.chainId))
    throw rpcError(
      'invalidParams',
      `The transaction is for chain ${toQuantity(request.chainId)}, the active chain is ${network.chainId}`,
    )
  const { from, to, nonce, accessList, value = '0x0', data = '0x' } = request
  const [{ gas, failure }, fees, balance] = await Promise.all([
    request.gas
      ? { gas: toQuantity(request.gas), failure: null }
      : estimateGas(chain, network, { from, ...(to && { to }), value, data, ...(accessList && { accessList }) }),
    readFees(chain, network),
    askQuantity(chain, network, 'eth_getBalance', [from, 'latest']),
  ])
  const { expected, ...prices } = pricesOf(request, fees)
  const transaction: FilledTransaction = {
    ...prices,
    from,
    ...(to && { to }),
    ...(nonce && { nonce }),
    ...(accessList && { accessList }),
    chainId: fromQuantity(network.chainId),
    gas: fromQuantity(gas),
    value,
    data,
  }
  return { transaction, expected, balance, failure }
}

/** The most the transaction can cost in fees, in wei. */
export const highestFee = (transaction: FilledTransaction): bigint => {
  const price = transaction.type === '0x2' ? transaction.maxFeePerGas : transaction.gasPrice
  return toQuantity(transaction.gas) * toQuantity(price)
}

/** The transaction as it is signed, with its nonce. Throws ValueError for what no transaction can hold. */
export const toTransaction = (filled: FilledTransaction, nonce: bigint): Transaction =>
  completeTransaction(parseTransaction({ ...filled, nonce: fromQuantity(nonce) }))

/** Signs an approved request's transaction, taking the account's next nonce where the site named none. */
export const signFilled = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const filled = request.payload as FilledTransaction
  const { chain, network } = context
  const account = accountOf(request)
  const nonce = filled.nonce ? toQuantity(filled.nonce) : await nextNonce(chain, network, account)
  return signWith(context, request, key => signTransaction(toTransaction(filled, nonce), key))
}
