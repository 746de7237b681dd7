/**
 * Lists the allowances that were given with a site's transactions, from the wallet's records alone. The list may be
 * outdated or incomplete: an allowance can be used up, revoked elsewhere, or given by a signature.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { decodeCall } from '@heliograph/shared/evm/calldata'
import { type GivenAllowanceView, PERMIT2, type TokenAct } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { actsOfCall } from '../review/acts.ts'

/** Maximum number of allowances listed per site, newest first. */
export const MAX_GIVEN = 50

type Allowing = Extract<TokenAct, { kind: 'allow' | 'allowAll' }>

const allowingActs = ({ to, data, account }: Activity): readonly Allowing[] => {
  const call = to === null ? undefined : decodeCall(data)
  if (to === null || call?.kind !== 'call') return []
  return actsOfCall({ call, to, account }).filter(act => act.kind === 'allow' || act.kind === 'allowAll')
}

const kindOf = (act: Allowing, to: Address | null): GivenAllowanceView['kind'] => {
  if (act.kind === 'allowAll') return 'collection'
  return sameAddress(to ?? '', PERMIT2) ? 'permit2' : 'erc20'
}

const isEnding = (act: Allowing): boolean => (act.kind === 'allowAll' ? !act.allowed : act.amount === '0' && !act.adds)

const viewOf = (act: Allowing, { chainId, account, to, createdAt }: Activity): GivenAllowanceView => ({
  chainId,
  account,
  kind: kindOf(act, to),
  token: act.token,
  spender: act.spender,
  amount: act.kind === 'allow' ? act.amount : null,
  at: createdAt,
})

const keyOf = ({ chainId, account, kind, token, spender }: GivenAllowanceView): string =>
  [chainId, account, kind, token, spender].join(' ').toLowerCase()

/**
 * Expects `records` oldest first, returns allowances newest first. An allowance that another origin has since given
 * again or revoked no longer counts as the site's.
 */
export const allowancesOfSite = (records: readonly Activity[], origin: string): readonly GivenAllowanceView[] => {
  const given = new Map<string, GivenAllowanceView & { origin: string | null }>()
  for (const record of records) {
    if (record.status !== 'confirmed' && record.status !== 'pending') continue
    for (const act of allowingActs(record)) {
      const view = viewOf(act, record)
      const key = keyOf(view)
      // A pending revocation has not taken effect yet, so the allowance stays listed.
      if (isEnding(act) && record.status === 'pending') continue
      given.delete(key)
      if (!isEnding(act)) given.set(key, { ...view, origin: record.origin })
    }
  }
  return [...given.values()]
    .filter(one => one.origin === origin)
    .map(({ origin: _, ...view }) => view)
    .toReversed()
    .slice(0, MAX_GIVEN)
}
