/** A site's EIP-2255 permissions. The only one is access to accounts. https://eips.ethereum.org/EIPS/eip-2255 */
import { type Site, siteAccounts } from './sites.ts'

/** Name of the permission: the method that it allows. */
export const ACCOUNTS_PERMISSION = 'eth_accounts'
/** MetaMask's permission for networks. MetaMask grants and revokes it together with the accounts. */
export const NETWORKS_PERMISSION = 'endowment:permitted-chains'
/** Caveat that restricts a permission to certain accounts. */
export const ACCOUNTS_CAVEAT = 'restrictReturnedAccounts'

export type Permission = {
  invoker: string
  parentCapability: string
  /** Time of the first connection, in Unix ms. */
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
