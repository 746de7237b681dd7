/** Fees, nonces, what was sent, and what the wallet's own screens send. */
import type { CallView } from './review.ts'
import type { AllowanceKind } from './wallet.ts'

/**
 * The fee of a transaction: what it should cost now and the most it can cost, in wei. `gas` is the most that it may use,
 * `used` what it should.
 */
export type FeeView = { gas: string; used: string; expected: string; atMost: string }

/** What is paid for gas, in wei each: one price, or the most and the tip that is part of it (EIP-1559). */
export type FeeChoice = { gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string }

/** What the person may settle of a transaction. What is missing stays as it is. */
export type TransactionEdit = { fees?: FeeChoice; gas?: string; nonce?: string }

/** A speed to choose. `expected` is wei per gas as it would be paid now. */
export type FeeLevelView = { fees: FeeChoice; expected: string }

/**
 * What gas costs on a network now. `baseFee` is that of the next block and `recentBaseFees` are those before it, oldest
 * first; null and none where the network has no base fee.
 */
export type FeesView = {
  baseFee: string | null
  recentBaseFees: readonly string[]
  slow: FeeLevelView
  normal: FeeLevelView
  fast: FeeLevelView
}

/** What a transaction costs that takes the nonce of another: each speed, and no less than the least. */
export type ReplacementView = { fees: FeesView; least: FeeChoice; gas: string }

/**
 * The nonces of the account on the network: the one that is next, the first that is not used on the chain, those that are
 * signed and not sent, and those that are on their way.
 */
export type NoncesView = { next: string; used: string; unsent: readonly string[]; pending: readonly string[] }

/**
 * How far a transaction has come: signed and not sent; sent; on the chain, done or failed; another took its nonce; given
 * up, by the person or since the node would not take it.
 */
export type ActivityStatus = 'signed' | 'pending' | 'confirmed' | 'failed' | 'replaced' | 'dropped'

/** Whether it does something, or replaces one that does, or ends what was delegated. */
export type ActivityPurpose = 'transaction' | 'speedUp' | 'cancel' | 'removeDelegation'

/**
 * Why a transaction failed or was dropped: the contract took it back, the gas ran out, the node refused it, one before it
 * was not taken, or the person let it lapse. `reason` is in the words of the contract or the node, as they came.
 */
export type ActivityFailure = {
  name: 'reverted' | 'outOfGas' | 'refused' | 'notSent' | 'lapsed'
  reason: string | null
}

/**
 * A transaction of an account. Quantities are 0x hex, times ms since 1970. `origin` is null for the wallet's own screens.
 * `selector` is what the data begins with, `call` what could be decoded of it. `price` is the most per gas and `fee` what
 * was paid in the end, in wei. `replaces` is the hash of the one whose nonce it takes, `replacedBy` of the one on the chain
 * that took its own, where the wallet knows it. A pending one can be sped up and cancelled; a signed one can be sent,
 * cancelled, and let lapse.
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
 * What the wallet's own screen sends: `amount` as 0x hex, in the smallest unit of the token at that address, or of the
 * network's currency where `token` is null.
 */
export type SendInput = {
  from: string
  chainId: number
  to: string
  token: string | null
  amount: string
} & TransactionEdit

/** An allowance to take back, as it was found. */
export type RevocationInput = {
  from: string
  chainId: number
  kind: AllowanceKind
  token: string
  spender: string
  item: string | null
} & TransactionEdit

/** A delegation to end, and which account pays for it: the one that delegates, or another of the person's. */
export type RemovalInput = { address: string; chainId: number; payer: string; fees?: FeeChoice }
