/** The accounts and the network that a requester was given, whether it is a site or the peer of a session. */
import type { Network } from '@heliograph/shared/network'
import type { Networks } from '../networks/networks.ts'
import type { Requester } from './requester.ts'
import type { Site, Sites } from './sites.ts'

/** The grants of remote sessions, by topic. */
export type SessionGrants = {
  /** The session as a connected site, or undefined if there is none. */
  site(topic: string): Promise<Site | undefined>
  /** The session's chain, or undefined if there is none. */
  chainOf(topic: string): Promise<number | undefined>
  /** Switches the session to a chain, and grants the chain if necessary. */
  choose(topic: string, chainId: number): Promise<void>
  end(topic: string): Promise<void>
}

export type Grants = {
  /** The requester with its accounts, or undefined if it is not connected. */
  of(requester: Requester): Promise<Site | undefined>
  /** The network of the requester's calls. */
  networkOf(requester: Requester): Promise<Network>
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
  of: requester => (requester.kind === 'site' ? sites.get(requester.origin) : sessions.site(requester.topic)),
  networkOf: async requester => {
    const chainId = requester.kind === 'site' ? undefined : await sessions.chainOf(requester.topic)
    return chainId === undefined ? networks.of(requester.origin) : networks.get(chainId)
  },
  chooseNetwork: (requester, chainId) =>
    requester.kind === 'site' ? networks.choose(requester.origin, chainId) : sessions.choose(requester.topic, chainId),
  revoke: async requester => {
    if (requester.kind === 'site') return sites.disconnect(requester.origin)
    await sessions.end(requester.topic)
    return true
  },
})
