/** Formats allowances. */
import type { ActivityStatus, ActivityView, AllowanceView } from '../../messages.ts'
import { text } from './text.ts'
import { inSmallestUnits, shortNumber, tokenAmount, tokenName } from './tokens.ts'

/** Returns the token's name, in quotes if only its contract vouches for it. */
export const allowedToken = ({ token }: Pick<AllowanceView, 'token'>): string =>
  tokenName(token) || text('unnamedToken')

/** Formats an amount: "250 USDC", "Unlimited", "All items", "Item 12". */
export const allowedAmount = ({ kind, token, amount, item }: AllowanceView): string => {
  if (kind === 'collection') return text('allItems')
  if (kind === 'item') return text('itemNumber', shortNumber(item ?? ''))
  if (amount === null) return text('unlimited')
  return tokenAmount(amount, token) ?? inSmallestUnits(amount)
}

type Sent = Pick<ActivityView, 'hash' | 'status' | 'purpose' | 'replacedBy'>

/**
 * Returns the status of a revocation, or of the transaction that sped it up. Null if it is unknown, or if an unrelated
 * transaction replaced the revocation, so that nothing was revoked.
 */
export const revocationStatus = (activity: readonly Sent[], hash: string | undefined): ActivityStatus | null => {
  const sent = activity.find(one => one.hash === hash)
  if (sent?.status !== 'replaced') return sent?.status ?? null
  const follower = activity.find(one => one.hash === sent.replacedBy)
  return follower?.purpose === 'speedUp' ? follower.status : null
}
