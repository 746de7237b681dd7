/** eth_requestAccounts: connects the site to accounts that the person picks. EIP-1102. */
import { rpcError } from '@heliograph/shared/errors'
import { sameAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keyring.ts'
import type { Asking, Context } from '../method.ts'
import { type Site, siteAccounts } from '../sites.ts'

const show = ({ announce }: Context, site: Site): string[] => {
  const accounts = siteAccounts(site)
  announce({ origin: site.origin, event: 'accountsChanged', data: accounts })
  return accounts
}

/** A connected site is answered at once; while the wallet is locked, the password is all that is asked for. */
export const requestAccounts: Asking = {
  prepare: async ({ origin, sites, vault }) => {
    const site = await sites.get(origin)
    if (!site) return { account: null, payload: null, effect: { kind: 'connect', accounts: [] }, findings: [] }
    if ((await vault.phase()) === 'unlocked') return { answer: siteAccounts(site) }
    return { account: null, payload: null, effect: { kind: 'unlock' }, findings: [] }
  },
  act: async (context, { effect, decision }) => {
    const { origin, sites, vault, now } = context
    const own = accountsOf(await vault.read()).map(({ address }) => address)
    const site = await sites.get(origin)
    if (site && effect.kind === 'unlock') return siteAccounts(site)
    const picked = (decision?.accounts ?? []).filter(address => own.some(mine => sameAddress(mine, address)))
    if (picked.length === 0) throw rpcError('userRejected', 'No account was picked')
    return show(context, await sites.connect(origin, picked, now()))
  },
}
