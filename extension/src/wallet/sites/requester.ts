/** The requester, which is the sender of a request, and the accounts and the network that it was given. */
import type { Network } from '@heliograph/shared/network'
import type { Networks } from '../networks/networks.ts'
import { shortHash } from '../storage/short-hash.ts'
import type { Site, Sites } from './sites.ts'

/**
 * A web page's site, or the peer of a remote session. It is created once, where the request enters the wallet. `origin`
 * identifies the requester in stores and limits. A session's is `wc:` and a hash of its topic, which is secret. No site can
 * have such an origin.
 */
export type Requester = { kind: 'site'; origin: string } | { kind: 'session'; origin: string; topic: string }

/** `origin` is the page's, exactly as reported by the browser. */
export const siteRequester = (origin: string): Requester => ({ kind: 'site', origin })

export const sessionOrigin = (topic: string): string => `wc:${shortHash(topic)}`

export const sessionRequester = (topic: string): Requester => ({
  kind: 'session',
  origin: sessionOrigin(topic),
  topic,
})

/** The grants of remote sessions, by topic. */
export type SessionGrants = {
  /** The session as a connected site, or undefined if there is none. */
  site(topic: string): Promise<Site | undefined>
  /** The session's chain, or undefined if there is none. */
  chainOf(topic: string): Promise<number | undefined>
  /** The address of the peer's app, as it claims it; null if there is no session. */
  claimedUrl(topic: string): Promise<string | null>
  /** Switches the session to a chain, and grants the chain if necessary. */
  choose(topic: string, chainId: number): Promise<void>
  end(topic: string): Promise<void>
}

export type Grants = {
  /** The requester with its accounts, or undefined if it is not connected. */
  siteOf(requester: Requester): Promise<Site | undefined>
  /** The network of the requester's calls. */
  networkOf(requester: Requester): Promise<Network>
  /** The address that a remote peer claims; null for a site, whose origin the browser tells. */
  claimedUrl(requester: Requester): Promise<string | null>
  chooseNetwork(requester: Requester, chainId: number): Promise<void>
  /** Takes everything back. Returns false if the requester had nothing. */
  revoke(requester: Requester): Promise<boolean>
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
    if (requester.kind === 'site') return sites.disconnect(requester.origin)
    await sessions.end(requester.topic)
    return true
  },
})
