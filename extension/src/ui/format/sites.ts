/** Finds a site's accounts for display. */
import type { AccountView, SiteView } from '../../messages.ts'

/** Returns the site's current account, which is the first that it was given. */
export const siteAccount = ({ accounts: [first] }: SiteView, own: readonly AccountView[]): AccountView | undefined =>
  own.find(({ address }) => address.toLowerCase() === first?.toLowerCase())

/** True if the site was given the account. */
export const hasAccount = ({ accounts }: SiteView, { address }: AccountView): boolean =>
  accounts.some(given => given.toLowerCase() === address.toLowerCase())
