/** The requester, which is the sender of a request, and the accounts and network granted to it. */
import type { Network } from '@heliograph/shared/network'
import type { Networks } from '../networks/networks.ts'
import { shortHash } from '../storage/short-hash.ts'
import type { Site, Sites } from './sites.ts'

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
