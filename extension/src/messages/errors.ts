/** Errors as sent to the wallet's pages, which make the text in their language. */
import type { Values } from '@heliograph/shared/reasons'

/** Why something failed: the key of a text `error_<reason>`, and its values. */
export type ReasonView = { reason: string; values: Values }

/**
 * Why a call would fail: the unmodified text of the contract or the node, or the wallet's reason for a Solidity panic.
 */
export type RevertView = string | ReasonView

/** An error of a call, or of an approved request that failed. `code` is the JSON-RPC error code. */
export type FailureView = ReasonView & { code: number }
