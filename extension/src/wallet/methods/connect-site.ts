/** Connects a site to the accounts that the user selects. Shared by the methods that request accounts. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keys/keyring.ts'
import type { Context } from '../requests/context.ts'
import type { Draft, WalletRequest } from '../requests/store.ts'
import { type Site, siteAccounts } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'

/**
 * Returns the review of a connection. `only` lists the accounts to which the site restricts itself, null if it names
 * none.
 */
export const connectDraft = (only: readonly Address[] | null): Draft => ({
  account: null,
  payload: null,
  effect: { kind: 'connect', accounts: [], connected: [], only },
  findings: [],
})

/** True if the account may be offered. */
export const isOffered = (only: readonly string[] | null, account: string): boolean =>
  only === null || only.some(address => sameAddress(address, account))

/** Connects the site to the selected accounts that were offered. Throws 4001 if there are none. */
export const connectPicked = async (context: Context, { effect, decision }: WalletRequest): Promise<Site> => {
  const { origin, sites, vault, announce, now } = context
  const own = accountsOf(await vault.read()).map(({ address }) => address)
  const only = effect.kind === 'connect' ? effect.only : null
  const picked = (decision?.accounts ?? []).filter(
    address => isOffered(only, address) && own.some(mine => sameAddress(mine, address)),
  )
  if (picked.length === 0) throw rpcError('userRejected', 'noAccountPicked')
  const site = await sites.connect(origin, picked, now())
  announce({ origin, event: 'accountsChanged', data: siteAccounts(site) })
  return site
}
