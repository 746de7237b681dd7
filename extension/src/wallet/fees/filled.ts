/** Transactions with all fields filled in, except possibly the nonce, and their fees. */
import { decodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { FeeChoice, RevertView } from '../../messages.ts'
import type { Fees, Offer } from './fees.ts'
import type { CheckedPrice } from './seen-prices.ts'

/** The gas price that the node reports, and how much of it is plausible. */
export type Market = { fees: Fees; price: CheckedPrice }

export type Prices =
  | { type: '0x0' | '0x1'; gasPrice: Hex }
  | { type: '0x2'; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }

/** All fields of the transaction to sign. They are stored in this JSON-RPC form. Only the nonce may be missing. */
export type FilledTransaction = Prices &
  Pick<TransactionRequest, 'to' | 'nonce' | 'accessList'> & { from: Hex; chainId: Hex; gas: Hex; value: Hex; data: Hex }

/**
 * `expected` is the probable price in wei per gas, `balance` the account's balance in wei. Either `needed`, the gas
 * estimate, or `failure`, the reason why estimation failed, is null. `ownGas` is the wallet's gas limit, used unless
 * the site or the user sets another. `speed` is set if the request names no price. `l1Fee` is the current fee for data
 * in wei: null if it could not be read, absent on chains without this fee.
 */
export type Filled = {
  transaction: FilledTransaction
  expected: bigint
  balance: bigint
  needed: bigint | null
  failure: RevertView | null
  ownGas: bigint
  market: Market
  speed?: 'normal'
  l1Fee?: bigint | null
}

/** Returns the fees of a transaction. */
export const choiceOf = (transaction: FilledTransaction): FeeChoice => {
  if (transaction.type !== '0x2') return { gasPrice: transaction.gasPrice }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** Returns the fees as numbers, in wei per gas. */
export const offerOf = (transaction: FilledTransaction): Offer =>
  transaction.type === '0x2'
    ? {
        maxFeePerGas: decodeQuantity(transaction.maxFeePerGas),
        maxPriorityFeePerGas: decodeQuantity(transaction.maxPriorityFeePerGas),
      }
    : { gasPrice: decodeQuantity(transaction.gasPrice) }

/** Returns the maximum price in wei per gas. */
export const highestOf = (prices: Prices): bigint =>
  BigInt(prices.type === '0x2' ? prices.maxFeePerGas : prices.gasPrice)

/** Returns the maximum fee in wei. */
export const highestFee = (transaction: FilledTransaction): bigint =>
  decodeQuantity(transaction.gas) * highestOf(transaction)
