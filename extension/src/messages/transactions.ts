/** Activity, and input of the wallet's own transactions. */
import type { RevertView } from './errors.ts'
import type { FeeChoice, TransactionEdit } from './fees.ts'
import type { CallView } from './review.ts'
import type { AllowanceKind } from './wallet.ts'

/**
 * Status of a transaction: signed but not sent; pending; confirmed or failed on chain; replaced by another one with its
 * nonce; or dropped, by the user or because the node rejected it.
 */
export type ActivityStatus = 'signed' | 'pending' | 'confirmed' | 'failed' | 'replaced' | 'dropped'

/** Purpose of a transaction: an ordinary one, a replacement of another one, or the end of a delegation. */
export type ActivityPurpose = 'transaction' | 'speedUp' | 'cancel' | 'removeDelegation'

/**
 * Why a transaction failed or was dropped: the contract reverted, it ran out of gas, the node rejected it, an earlier
 * one was rejected, or the user discarded it.
 */
export type ActivityFailure = {
  name: 'reverted' | 'outOfGas' | 'refused' | 'notSent' | 'discarded'
  reason: RevertView | null
}

/**
 * A transaction of an account. Quantities are 0x hex, times Unix ms. `origin` is null for the wallet's own screens.
 * `selector` is the start of the data, `call` its decoded form. `price` is the maximum price per gas and `fee` the fee
 * paid, in wei. `replaces` is the hash of the transaction that it replaces, `replacedBy` the hash of its replacement,
 * if known. Pending transactions can be sped up and cancelled; signed ones can be sent, cancelled and discarded.
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

/** An item to transfer. `id` is decimal. */
export type ItemInput = { kind: 'erc721' | 'erc1155'; id: string }

/**
 * A transfer from the wallet's own screen. `amount` is 0x hex in the smallest unit of the token, or of the
 * network's currency if `token` is null. With `item`, `token` is its collection and `amount` a number of items.
 */
export type SendInput = {
  from: string
  chainId: number
  to: string
  token: string | null
  item?: ItemInput
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

/** A delegation to end. `payer` pays the fee: the delegating account or another account of the user. */
export type RemovalInput = { address: string; chainId: number; payer: string; fees?: FeeChoice }
