/** What each site may see: the accounts it was connected to. A site is an origin, exactly as the browser reports it. */
import type { Address } from '@heliograph/shared/evm/address'
import { createCell, type Store } from './store.ts'

/** `since` is when the site was first connected, ms since 1970. */
export type Site = { origin: string; accounts: readonly Address[]; since: number }

/** An event for the pages of these sites, as EIP-1193 names it. */
export type SiteEvent = { origins: readonly string[]; event: 'accountsChanged' | 'chainChanged'; data: unknown }

export type Sites = {
  get(origin: string): Promise<Site | undefined>
  list(): Promise<readonly Site[]>
  /** Lets the site see these accounts, the first as its main one. */
  connect(origin: string, accounts: readonly Address[], now: number): Promise<Site>
}

/** A site's accounts as it gets them: in lower case, which pages compare literally. */
export const siteAccounts = ({ accounts }: Site): string[] => accounts.map(address => address.toLowerCase())

export const createSites = (store: Store): Sites => {
  const cell = createCell<readonly Site[]>(store, 'sites', [])
  const get = async (origin: string) => (await cell.read()).find(site => site.origin === origin)
  return {
    get,
    list: cell.read,
    connect: async (origin, accounts, now) => {
      const since = (await get(origin))?.since ?? now
      const site: Site = { origin, accounts, since }
      await cell.update(sites => [...sites.filter(other => other.origin !== origin), site])
      return site
    },
  }
}
