/** What a person sees of a site's accounts. */
import type { AccountView, SiteView } from '../messages.ts'

/** The account that the site takes for the person's: the first that it was given. */
export const siteAccount = ({ accounts: [first] }: SiteView, own: readonly AccountView[]): AccountView | undefined =>
  own.find(({ address }) => address.toLowerCase() === first?.toLowerCase())
