/** What each site may see: the accounts it was connected to. A site is an origin, exactly as the browser reports it. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from './store.ts'

/** `since` is when the site was first connected, ms since 1970. */
export type Site = { origin: string; accounts: readonly Address[]; since: number }

/**
 * An event as EIP-1193 names it, for the pages of one site. Every page may know its chain, connected or not: when the
 * wallet's own network changes, that is for all sites but those on a network of their own. A message is for one page.
 */
export type SiteEvent =
  | { event: 'accountsChanged'; origin: string; data: readonly string[] }
  | { event: 'chainChanged'; origin: string; data: Hex }
  | { event: 'chainChanged'; except: readonly string[]; data: Hex }
  | { event: 'message'; page: string; data: { type: string; data: unknown } }

export type Sites = {
  get(origin: string): Promise<Site | undefined>
  list(): Promise<readonly Site[]>
  /** Lets the site see these accounts, the first as its main one. */
  connect(origin: string, accounts: readonly Address[], now: number): Promise<Site>
  /** Takes accounts from every site that may see them, and returns what is left to those sites. */
  forget(addresses: readonly Address[]): Promise<readonly Site[]>
  /** Takes back what the site was given; whether there was anything. */
  disconnect(origin: string): Promise<boolean>
}

/** A site's accounts as it gets them: in lower case, which pages compare literally. */
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
        // A site without an account is not connected.
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
