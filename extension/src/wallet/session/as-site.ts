/**
 * Remote sessions among the sites: what is asked of sites and networks by their origin is answered for sessions as well, so
 * that a request of a peer goes the way of any other.
 */
import type { Networks } from '../networks.ts'
import type { Sites } from '../sites.ts'
import type { Sessions } from './engine.ts'
import { isRemote } from './origin.ts'

type Named = Pick<Sessions, 'site' | 'end' | 'chainOf' | 'choose'>

/** `sessions` is asked for when it is needed: it needs the sites' own wallet. */
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
