/** Fees, nonces, activity, and input of the wallet's own transactions. */
import type { CallView } from './review.ts'
import type { AllowanceKind } from './wallet.ts'

/**
 * Expected and maximum fee of a transaction in wei. `gas` is the gas limit,
 * `used` the expected gas.
 */
export type FeeView = { gas: string; used: string; expected: string; atMost: string }

/** Gas price in wei, or maximum fee and priority fee per gas (EIP-1559). */
export type FeeChoice = { gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string }

/** The user's changes to a transaction. Missing fields stay unchanged. */
export type TransactionEdit = { fees?: FeeChoice; gas?: string; nonce?: string }

/** A selectable speed. `expected` is the current price in wei per gas. */
export type FeeLevelView = { fees: FeeChoice; expected: string }

/**
 * Current gas prices of a network. `baseFee` is that of the next block, `recentBaseFees` are earlier ones, oldest
 * first. They are null and empty if the network has no base fee.
 */
export type FeesView = {
  baseFee: string | null
  recentBaseFees: readonly string[]
  slow: FeeLevelView
  normal: FeeLevelView
  fast: FeeLevelView
}

/** Fees for replacing a pending transaction: the speeds, all at least `least`. */
export type ReplacementView = { fees: FeesView; least: FeeChoice; gas: string }

/**
 * Nonces of an account: the next one, the first unused on chain, those of
 * signed but unsent transactions, and those of pending ones.
 */
export type NoncesView = { next: string; used: string; unsent: readonly string[]; pending: readonly string[] }

/**
 * Status of a transaction: signed but not sent; pending; confirmed or failed on chain; replaced by another with its nonce;
 * dropped by the user or because the node refused it.
 */
export type ActivityStatus = 'signed' | 'pending' | 'confirmed' | 'failed' | 'replaced' | 'dropped'

/** An ordinary transaction, a replacement of one, or the end of a delegation. */
export type ActivityPurpose = 'transaction' | 'speedUp' | 'cancel' | 'removeDelegation'

/**
 * Reason why a transaction failed or was dropped: the contract reverted, out of gas, refused by the node, an earlier one
 * was refused, or the user discarded it. `reason` is the unmodified error text of the contract or the node.
 */
export type ActivityFailure = {
  name: 'reverted' | 'outOfGas' | 'refused' | 'notSent' | 'discarded'
  reason: string | null
}

/**
 * A transaction of an account. Quantities are 0x hex, times Unix ms. `origin` is null for the wallet's own screens.
 * `selector` is the start of the data, `call` its decoded form. `price` is the maximum per gas and `fee` the fee
 * paid, in wei. `replaces` is the hash of the transaction that it replaces, `replacedBy` the hash of the one that
 * replaced it, if known. Pending transactions can be sped up and cancelled; signed ones can be sent,
 * cancelled and discarded.
 */
export type ActivityView = {
  hash: string
  chainId: number
  account: string
  nonce: string
  origin: string | null
  purpose: ActivityPurpose
  status: ActivityStatus
  failure: ActivityFailure | null
  to: string | null
  value: string
  selector: string | null
  call: CallView | null
  gas: string
  price: string
  fee: string | null
  block: string | null
  replaces: string | null
  replacedBy: string | null
  createdAt: number
  sentAt: number | null
  settledAt: number | null
}

/**
 * A transfer from the wallet's own screen. `amount` is 0x hex in the smallest unit of the token, or of the
 * network's currency if `token` is null.
 */
export type SendInput = {
  from: string
  chainId: number
  to: string
  token: string | null
  amount: string
} & TransactionEdit

/** An allowance to revoke. */
export type RevocationInput = {
  from: string
  chainId: number
  kind: AllowanceKind
  token: string
  spender: string
  item: string | null
} & TransactionEdit

/** A delegation to end. `payer` pays the fee: the delegating account or another one of the user. */
export type RemovalInput = { address: string; chainId: number; payer: string; fees?: FeeChoice }
