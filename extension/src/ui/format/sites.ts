/** A site's accounts, as they are shown. */
import type { AccountView, SiteView } from '../../messages.ts'

/** The site's current account: the first that it was given. */
export const siteAccount = ({ accounts: [first] }: SiteView, own: readonly AccountView[]): AccountView | undefined =>
  own.find(({ address }) => address.toLowerCase() === first?.toLowerCase())

/** True if the site was given the account. */
export const hasAccount = ({ accounts }: SiteView, { address }: AccountView): boolean =>
  accounts.some(given => given.toLowerCase() === address.toLowerCase())
