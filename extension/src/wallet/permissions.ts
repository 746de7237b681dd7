/** A site's permissions as EIP-2255 writes them. There is one: to see accounts. https://eips.ethereum.org/EIPS/eip-2255 */
import { type Site, siteAccounts } from './sites.ts'

/** The permission's name, which is the method that it allows. */
export const ACCOUNTS_PERMISSION = 'eth_accounts'
/** Its caveat: only these accounts are shown. */
export const ACCOUNTS_CAVEAT = 'restrictReturnedAccounts'

export type Permission = {
  invoker: string
  parentCapability: string
  /** When the site was first connected, ms since 1970. */
  date: number
  caveats: readonly { type: string; value: readonly string[] }[]
}

export const permissionsOf = (site: Site): readonly Permission[] => [
  {
    invoker: site.origin,
    parentCapability: ACCOUNTS_PERMISSION,
    date: site.since,
    caveats: [{ type: ACCOUNTS_CAVEAT, value: siteAccounts(site) }],
  },
]
