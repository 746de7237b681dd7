/**
 * Requesters, which are the senders of requests, and the wallet's records about each site: its accounts, the user's
 * settings for it, and its last request. A site is an origin, exactly as reported by the browser.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AskedView } from '../../messages.ts'
import type { Networks } from '../networks/networks.ts'
import { shortHash } from '../storage/short-hash.ts'
import { createCell, type Store } from '../storage/store.ts'

/**
 * A web page's site, or a remote session's peer. Created once, where the request enters the wallet. `origin` identifies
 * the requester in stores and limits. A session's origin is `wc:` and a hash of its topic, which is secret; no site can
 * have such an origin.
 */
export type Requester = { kind: 'site'; origin: string } | { kind: 'session'; origin: string; topic: string }

/** Creates a site's requester. `origin` is the page's origin, exactly as reported by the browser. */
export const siteRequester = (origin: string): Requester => ({ kind: 'site', origin })

export const sessionOrigin = (topic: string): string => `wc:${shortHash(topic)}`

export const sessionRequester = (topic: string): Requester => ({
  kind: 'session',
  origin: sessionOrigin(topic),
  topic,
})

/** The grants to remote sessions, by topic. */
export type SessionGrants = {
  /** Returns the session in the form of a connected site, or undefined if there is none. */
  site(topic: string): Promise<Site | undefined>
  /** Returns the session's chain, or undefined if there is none. */
  chainOf(topic: string): Promise<number | undefined>
  /** Returns the URL that the peer's app claims, or null if there is no session. */
  claimedUrl(topic: string): Promise<string | null>
  /** Switches the session to a chain, and grants the chain if needed. */
  choose(topic: string, chainId: number): Promise<void>
  end(topic: string): Promise<void>
}

export type Grants = {
  /** Returns the requester with its accounts, or undefined if it is not connected. */
  siteOf(requester: Requester): Promise<Site | undefined>
  /** Returns the network for the requester's calls. */
  networkOf(requester: Requester): Promise<Network>
  /** Returns the URL that a remote peer claims. Null for a site, whose origin the browser reports. */
  claimedUrl(requester: Requester): Promise<string | null>
  chooseNetwork(requester: Requester, chainId: number): Promise<void>
  /** Revokes all grants. */
  revoke(requester: Requester): Promise<void>
}

export type GrantsParts = {
  sites: Pick<Sites, 'get' | 'disconnect'>
  networks: Pick<Networks, 'of' | 'get' | 'choose'>
  sessions: SessionGrants
}

export const createGrants = ({ sites, networks, sessions }: GrantsParts): Grants => ({
  siteOf: requester => (requester.kind === 'site' ? sites.get(requester.origin) : sessions.site(requester.topic)),
  networkOf: async requester => {
    const chainId = requester.kind === 'site' ? undefined : await sessions.chainOf(requester.topic)
    return chainId === undefined ? networks.of(requester.origin) : networks.get(chainId)
  },
  claimedUrl: async requester => (requester.kind === 'site' ? null : sessions.claimedUrl(requester.topic)),
  chooseNetwork: (requester, chainId) =>
    requester.kind === 'site' ? networks.choose(requester.origin, chainId) : sessions.choose(requester.topic, chainId),
  revoke: async requester => {
    if (requester.kind === 'site') await sites.disconnect(requester.origin)
    else await sessions.end(requester.topic)
  },
})

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
  /** Revokes a site's permissions. */
  disconnect(origin: string): Promise<void>
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
      await cell.update(sites => sites.filter(site => site.origin !== origin))
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

/**
 * The user's settings for a site. `asMetaMask` sets `isMetaMask`, for sites that support only MetaMask. `asEthereum` makes the provider window.ethereum
 * even if there is another wallet. `readsLocalNode` lets the site read from a node on a private network without being
 * connected. `isBlocked` rejects its requests without showing them.
 */
export type SiteChoice = {
  origin: string
  asMetaMask: boolean
  asEthereum: boolean
  readsLocalNode: boolean
  isBlocked: boolean
}

export type SiteChoices = {
  list(): Promise<readonly SiteChoice[]>
  /** Returns a site's settings. */
  of(origin: string): Promise<SiteChoice>
  /**
   * Changes the given settings of a site. Default settings are not stored. Resolves with the stored settings of all
   * sites.
   */
  change(origin: string, change: Partial<Omit<SiteChoice, 'origin'>>): Promise<readonly SiteChoice[]>
  forget(origin: string): Promise<readonly SiteChoice[]>
}

const USUAL = { asMetaMask: false, asEthereum: false, readsLocalNode: false, isBlocked: false }

export const createSiteChoices = (store: Store): SiteChoices => {
  const cell = createCell<readonly SiteChoice[]>(store, 'site-choices', [])
  const of = (choices: readonly SiteChoice[], origin: string): SiteChoice => ({
    ...USUAL,
    origin,
    ...choices.find(site => site.origin === origin),
  })
  const without = (choices: readonly SiteChoice[], origin: string) => choices.filter(site => site.origin !== origin)
  return {
    list: cell.read,
    of: async origin => of(await cell.read(), origin),
    change: (origin, change) =>
      cell.update(choices => {
        const choice = { ...of(choices, origin), ...change }
        const isUsual = !choice.asMetaMask && !choice.asEthereum && !choice.readsLocalNode && !choice.isBlocked
        return [...without(choices, origin), ...(isUsual ? [] : [choice])]
      }),
    forget: origin => cell.update(choices => without(choices, origin)),
  }
}

/** A connected site's last request: its kind, when it arrived, and its outcome, without its content. */
type Asked = AskedView & { origin: string }

export type LastAsked = {
  list(): Promise<readonly Asked[]>
  /** Replaces the site's earlier entry. */
  note(asked: Asked): Promise<void>
  forget(origin: string): Promise<void>
}

/** Maximum number of sites with an entry. The most recent are kept. */
export const MAX_ASKED = 200

export const createLastAsked = (store: Store): LastAsked => {
  const cell = createCell<readonly Asked[]>(store, 'last-asked', [])
  const without = (known: readonly Asked[], origin: string) => known.filter(asked => asked.origin !== origin)
  return {
    list: cell.read,
    note: async asked => {
      await cell.update(known => [...without(known, asked.origin), asked].slice(-MAX_ASKED))
    },
    forget: async origin => {
      if ((await cell.read()).some(asked => asked.origin === origin)) await cell.update(known => without(known, origin))
    },
  }
}
