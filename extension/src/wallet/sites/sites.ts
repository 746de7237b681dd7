/** Connected sites and their accounts. A site is an origin, exactly as reported by the browser. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from '../storage/store.ts'

/** `since` is the time of the first connection, in Unix ms. */
export type Site = { origin: string; accounts: readonly Address[]; since: number }

/**
 * An EIP-1193 event for a site's pages. The chain is not private, so a change of the wallet's network is sent to all
 * sites' pages, except for sites with their own network. A message is sent to one page.
 */
export type SiteEvent =
  | { event: 'accountsChanged'; origin: string; data: readonly string[] }
  | { event: 'chainChanged'; origin: string; data: Hex }
  | { event: 'chainChanged'; except: readonly string[]; data: Hex }
  | { event: 'message'; page: string; data: { type: string; data: unknown } }

export type Sites = {
  get(origin: string): Promise<Site | undefined>
  list(): Promise<readonly Site[]>
  /** Grants the site these accounts. The first one is its main account. */
  connect(origin: string, accounts: readonly Address[], now: number): Promise<Site>
  /** Removes accounts from all sites. Returns the changed sites with their remaining accounts. */
  forget(addresses: readonly Address[]): Promise<readonly Site[]>
  /** Revokes a site's permissions. Returns false if it had none. */
  disconnect(origin: string): Promise<boolean>
}

/** Returns a site's accounts in lower case, because pages compare them literally. */
export const siteAccounts = ({ accounts }: Site): string[] => accounts.map(address => address.toLowerCase())

export const createSites = (store: Store): Sites => {
  const cell = createCell<readonly Site[]>(store, 'sites', [])
  const find = (sites: readonly Site[], origin: string) => sites.find(site => site.origin === origin)
  return {
    get: async origin => find(await cell.read(), origin),
    list: cell.read,
    connect: async (origin, accounts, now) => {
      let site: Site = { origin, accounts, since: now }
      await cell.update(sites => {
        site = { ...site, since: find(sites, origin)?.since ?? now }
        return [...sites.filter(other => other.origin !== origin), site]
      })
      return site
    },
    forget: async addresses => {
      const isGone = (address: Address) => addresses.some(gone => sameAddress(gone, address))
      let left: Site[] = []
      await cell.update(sites => {
        const concerned = sites.filter(({ accounts }) => accounts.some(isGone))
        left = concerned.map(site => ({ ...site, accounts: site.accounts.filter(address => !isGone(address)) }))
        const others = sites.filter(site => !concerned.includes(site))
        // A site without accounts counts as unconnected.
        return [...others, ...left.filter(({ accounts }) => accounts.length > 0)]
      })
      return left
    },
    disconnect: async origin => {
      let found = false
      await cell.update(sites => {
        found = find(sites, origin) !== undefined
        return sites.filter(site => site.origin !== origin)
      })
      return found
    },
  }
}

type SiteAccountParts = {
  sites: Pick<Sites, 'get' | 'connect'>
  announce(event: SiteEvent): void
  now(): number
}

/**
 * Moves an account, which the site then uses, to the front of its list. Connects the account if needed, and notifies the
 * site's pages.
 */
export const putFirst = async (parts: SiteAccountParts, origin: string, address: Address): Promise<void> => {
  const { sites, announce, now } = parts
  const before = (await sites.get(origin))?.accounts ?? []
  const [first] = before
  if (first !== undefined && sameAddress(first, address)) return
  const others = before.filter(account => !sameAddress(account, address))
  const site = await sites.connect(origin, [address, ...others], now())
  announce({ origin, event: 'accountsChanged', data: siteAccounts(site) })
}
