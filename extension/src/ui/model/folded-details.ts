/** Decides whether the technical details of a call are folded: its decoded arguments, its nonce and gas, and its data. */
import type { Act, Finding, FindingName, TransactionEffect } from '../../messages.ts'

/**
 * Findings about the recipient, the spender, amounts, the fee, the account's funds and code, the node or missing
 * records. The page shows all of these outside of the technical details. Any other warning opens the details.
 */
const ELSEWHERE: ReadonlySet<FindingName> = new Set<FindingName>([
  'activityMissing',
  'allowanceOfMost',
  'approvalForAll',
  'assetsMissing',
  'coinsToUnknown',
  'contactsMissing',
  'feeOfBalance',
  'firstRecipient',
  'gasPriceJumped',
  'highFee',
  'insufficientFunds',
  'l1FeeUnknown',
  'mostOfAsset',
  'nameOfEthereum',
  'rpcMissing',
  'unknownSpender',
  'unlimitedAllowance',
  'unreachable',
  'upgradesAccount',
  'waitingForNode',
])

/** True for an act whose effect the wallet knows itself, without an interface that the user added. */
const isKnown = (act: Act): boolean => act.kind !== 'call' || (act.readable && act.by === undefined)

const isUnderstood = ({ to, data, call, acts }: TransactionEffect): boolean => {
  if (to === null) return false
  return data === '0x' || (call !== null && call.by === undefined && acts.length > 0 && acts.every(isKnown))
}

const isElsewhere = ({ level, name }: Finding): boolean =>
  level === 'none' || (level !== 'danger' && ELSEWHERE.has(name))

/** True if the wallet understands the call, and no danger and no finding refers to its technical details. */
export const areDetailsFolded = (effect: TransactionEffect, findings: readonly Finding[]): boolean =>
  isUnderstood(effect) && findings.every(isElsewhere)
