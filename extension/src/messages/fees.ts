/** Fees and nonces of transactions. */

/**
 * Expected and maximum fee of a transaction in wei. `gas` is the gas limit, `used` the expected gas. `l1` is the L1
 * data fee on an OP Stack chain, which is included in `expected`; absent if there is none or it is unknown.
 */
export type FeeView = { gas: string; used: string; expected: string; atMost: string; l1?: string }

/** Gas price in wei, or maximum fee and priority fee per gas (EIP-1559). */
export type FeeChoice = { gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string }

/**
 * The user's changes to a transaction or a batch. Missing fields stay unchanged. `together` chooses for a batch whether
 * one transaction makes all calls, if the site leaves it open.
 */
export type TransactionEdit = { fees?: FeeChoice; gas?: string; nonce?: string; together?: boolean }

/** A selectable speed. `expected` is the current price in wei per gas. */
export type FeeLevelView = { fees: FeeChoice; expected: string }

/**
 * Current gas prices of a network. `baseFee` is the next block's base fee; `recentBaseFees` are earlier ones, oldest
 * first. They are null and empty if the network has no base fee.
 */
export type FeesView = {
  baseFee: string | null
  recentBaseFees: readonly string[]
  slow: FeeLevelView
  normal: FeeLevelView
  fast: FeeLevelView
}

/**
 * Fees for replacing a pending transaction. No speed in `fees` is below `least`, the lowest fees that nodes accept.
 * `gas` is the gas limit, `l1` is as in `FeeView`.
 */
export type ReplacementView = { fees: FeesView; least: FeeChoice; gas: string; l1?: string }

/**
 * Nonces of an account: the next one, the first one unused on chain, and the nonces of unsent signed and of pending
 * transactions.
 */
export type NoncesView = { next: string; used: string; unsent: readonly string[]; pending: readonly string[] }
