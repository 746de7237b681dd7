/** Errors as the wallet's pages get them. The page makes the text, in its language. */
import type { Values } from '@heliograph/shared/reasons'

/** Why something did not work: the key of a text `error_<reason>`, and its values. */
export type ReasonView = { reason: string; values: Values }

/** Why a call would fail: the unmodified text of the contract or the node, or for a panic of Solidity a reason of the wallet. */
export type RevertView = string | ReasonView

/** An error of a call, or of an approved request that failed. `code` is the one of JSON-RPC. */
export type FailureView = ReasonView & { code: number }
