/** What connects a site, by whichever of its names: the person picks the accounts that the site may see. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keys/keyring.ts'
import type { Context } from '../method.ts'
import type { Draft, WalletRequest } from '../requests.ts'
import { type Site, siteAccounts } from '../sites.ts'

/** `only` is what the site asks to be restricted to; null leaves the choice to the person alone. */
export const connectDraft = (only: readonly Address[] | null): Draft => ({
  account: null,
  payload: null,
  effect: { kind: 'connect', accounts: [], connected: [], only },
  findings: [],
})

/** Whether an account may be offered. */
export const isOffered = (only: readonly string[] | null, account: string): boolean =>
  only === null || only.some(address => sameAddress(address, account))

/** Gives the site what was picked, as far as it was offered. Throws 4001 when nothing is left of that. */
export const connectPicked = async (context: Context, { effect, decision }: WalletRequest): Promise<Site> => {
  const { origin, sites, vault, announce, now } = context
  const own = accountsOf(await vault.read()).map(({ address }) => address)
  const only = effect.kind === 'connect' ? effect.only : null
  const picked = (decision?.accounts ?? []).filter(
    address => isOffered(only, address) && own.some(mine => sameAddress(mine, address)),
  )
  if (picked.length === 0) throw rpcError('userRejected', 'No account was picked')
  const site = await sites.connect(origin, picked, now())
  announce({ origin, event: 'accountsChanged', data: siteAccounts(site) })
  return site
}
