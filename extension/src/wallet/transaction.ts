/** From what a site asks to the transaction that is signed: every field filled in before the person sees it, but the nonce. */
import { rpcError } from '@heliograph/shared/errors'
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import type { Transaction } from '@heliograph/shared/evm/transaction'
import { signTransaction } from '@heliograph/shared/evm/transaction'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import { estimateGas, type Fees, nextNonce, suggestFees } from './fees.ts'
import { privateKeyOf } from './keyring.ts'
import { accountOf, type Context } from './method.ts'
import type { WalletRequest } from './requests.ts'

type Prices =
  | { type: 'legacy' | 'eip2930'; gasPrice: Hex }
  | { type: 'eip1559'; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }

/** Everything that is signed but a nonce that the site left open; JSON, as it is kept. */
export type FilledTransaction = Prices & {
  from: Hex
  chainId: Hex
  nonce: Hex | null
  gas: Hex
  to: Hex | null
  value: Hex
  data: Hex
  accessList: NonNullable<TransactionRequest['accessList']>
}

/** `expected` is wei per gas as it should cost now; `failure` the node's reason why the call would not go through. */
export type Filled = { transaction: FilledTransaction; expected: bigint; failure: string | null }

const pricesOf = (request: TransactionRequest, fees: Fees): Prices & { expected: bigint } => {
  const listed = request.type === '0x1' || request.accessList !== undefined
  const asksFlat = request.gasPrice !== undefined || request.type === '0x0' || request.type === '0x1'
  const asksMarket = request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined
  if (asksFlat || (fees.type === 'legacy' && !asksMarket)) {
    const gasPrice = request.gasPrice ?? fromQuantity(fees.type === 'legacy' ? fees.gasPrice : fees.expected)
    return { type: listed ? 'eip2930' : 'legacy', gasPrice, expected: toQuantity(gasPrice) }
  }
  const suggested =
    fees.type === 'eip1559' ? fees : { maxFeePerGas: fees.gasPrice, maxPriorityFeePerGas: fees.gasPrice }
  const maxFeePerGas = request.maxFeePerGas ? toQuantity(request.maxFeePerGas) : suggested.maxFeePerGas
  const tip = request.maxPriorityFeePerGas ? toQuantity(request.maxPriorityFeePerGas) : suggested.maxPriorityFeePerGas
  return {
    type: 'eip1559',
    maxFeePerGas: fromQuantity(maxFeePerGas),
    // A site's low maxFeePerGas bounds the tip that the wallet adds; a tip of the site's own stays as asked.
    maxPriorityFeePerGas: fromQuantity(request.maxPriorityFeePerGas || tip < maxFeePerGas ? tip : maxFeePerGas),
    expected: fees.expected < maxFeePerGas ? fees.expected : maxFeePerGas,
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
  const { from, to, value = '0x0', data = '0x', accessList = [] } = request
  const call = { from, ...(to && { to }), value, data }
  const [{ gas, failure }, fees] = await Promise.all([
    request.gas ? { gas: toQuantity(request.gas), failure: null } : estimateGas(chain, network, call),
    suggestFees(chain, network),
  ])
  const { expected, ...prices } = pricesOf(request, fees)
  return {
    transaction: {
      ...prices,
      from,
      chainId: fromQuantity(network.chainId),
      nonce: request.nonce ?? null,
      gas: fromQuantity(gas),
      to: to ?? null,
      value,
      data,
      accessList,
    },
    expected,
    failure,
  }
}

/** The most the transaction can cost in fees, in wei. */
export const highestFee = (transaction: FilledTransaction): bigint => {
  const price = transaction.type === 'eip1559' ? transaction.maxFeePerGas : transaction.gasPrice
  return toQuantity(transaction.gas) * toQuantity(price)
}

/** The transaction as it is signed, with its nonce. Throws ValueError for what no transaction can hold. */
export const toTransaction = (filled: FilledTransaction, nonce: bigint): Transaction => {
  const { to, accessList } = filled
  const common = {
    chainId: toQuantity(filled.chainId, 'chainId'),
    nonce,
    gas: toQuantity(filled.gas, 'gas', 64),
    value: toQuantity(filled.value, 'value'),
    data: filled.data,
    ...(to !== null && { to }),
  }
  if (filled.type === 'eip1559')
    return {
      type: 'eip1559',
      ...common,
      maxFeePerGas: toQuantity(filled.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(filled.maxPriorityFeePerGas),
      accessList,
    }
  const gasPrice = toQuantity(filled.gasPrice)
  return filled.type === 'legacy'
    ? { type: 'legacy', ...common, gasPrice }
    : { type: 'eip2930', ...common, gasPrice, accessList }
}

/** Signs an approved request's transaction, taking the account's next nonce where the site named none. */
export const signFilled = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const filled = request.payload as FilledTransaction
  const { chain, network, vault } = context
  const account = accountOf(request)
  const nonce = filled.nonce === null ? await nextNonce(chain, network, account) : toQuantity(filled.nonce)
  return signTransaction(toTransaction(filled, nonce), privateKeyOf(await vault.read(), account))
}
