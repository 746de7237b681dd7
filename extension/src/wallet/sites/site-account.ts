/** The account that a site uses: the first in its list. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { type SiteEvent, type Sites, siteAccounts } from './sites.ts'

export type SiteAccountParts = {
  sites: Pick<Sites, 'get' | 'connect'>
  announce(event: SiteEvent): void
  now(): number
}

/** Moves an account to the front of the site's list, connecting it if needed, and notifies the site's pages. */
export const putFirst = async (parts: SiteAccountParts, origin: string, address: Address): Promise<void> => {
  const { sites, announce, now } = parts
  const before = (await sites.get(origin))?.accounts ?? []
  const [first] = before
  if (first !== undefined && sameAddress(first, address)) return
  const others = before.filter(account => !sameAddress(account, address))
  const site = await sites.connect(origin, [address, ...others], now())
  announce({ origin, event: 'accountsChanged', data: siteAccounts(site) })
}
