/**
 * Serves sessions through the interfaces of sites and networks, keyed by origin, so that a peer's request is handled
 * like that of a page.
 */
import type { Networks } from '../networks/networks.ts'
import { isRemote } from '../sites/peer-origin.ts'
import type { Sites } from '../sites/sites.ts'
import type { Sessions } from './engine.ts'

type Named = Pick<Sessions, 'site' | 'end' | 'chainOf' | 'choose'>

/** `sessions` is a function because sessions are created after the sites. */
export const withSessions = (sites: Sites, sessions: () => Named): Sites => ({
  ...sites,
  get: origin => (isRemote(origin) ? sessions().site(origin) : sites.get(origin)),
  disconnect: async origin => {
    if (!isRemote(origin)) return sites.disconnect(origin)
    await sessions().end(origin)
    return true
  },
})

export const withSessionChains = (networks: Networks, sessions: () => Named): Networks => ({
  ...networks,
  of: async origin => {
    const chainId = isRemote(origin) ? await sessions().chainOf(origin) : undefined
    return chainId === undefined ? networks.of(origin) : networks.get(chainId)
  },
  choose: (origin, chainId) =>
    isRemote(origin) && chainId !== null ? sessions().choose(origin, chainId) : networks.choose(origin, chainId),
})
