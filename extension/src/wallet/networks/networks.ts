/** The wallet's networks, the selected one, and the one of each site. */
import type { Network } from '@heliograph/shared/network'
import type { NetworkView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

export type Networks = {
  list(): Promise<readonly Network[]>
  /** Throws 4902 for an unknown chain id. */
  get(chainId: number): Promise<Network>
  /** The wallet's network, which sites use unless they have their own. */
  selected(): Promise<Network>
  select(chainId: number): Promise<Network>
  setRpcUrl(chainId: number, rpcUrl: string): Promise<void>
  /** Adds or replaces a network. Throws -32602 for a built-in one. */
  add(network: Network): Promise<void>
  /** True if the network is not built in. */
  isAdded(chainId: number): boolean
  /** Removes an added network. Throws -32602 for a built-in one. */
  remove(chainId: number): Promise<void>
  /** The network of a site. */
  of(origin: string): Promise<Network>
  /** Sets a site's own network; null lets it follow the wallet again. */
  choose(origin: string, chainId: number | null): Promise<void>
  /** Sites with their own network. */
  sitesApart(): Promise<readonly string[]>
}

/** A network for the wallet's pages. */
export const networkView = (
  { chainId, title, currency, testnet = false, rpcUrl }: Network,
  added: boolean,
): NetworkView => ({
  chainId,
  title,
  symbol: currency.symbol,
  decimals: currency.decimals,
  testnet,
  rpcUrl: rpcUrl ?? null,
  added,
})

type Chosen = { origin: string; chainId: number }

/** `defaults` are the built-in networks, of which only the user's choices are stored. The first is initially selected. */
export const createNetworks = (store: Store, defaults: readonly Network[]): Networks => {
  const rpcUrls = createCell<Readonly<Record<number, string>>>(store, 'rpc-urls', {})
  const added = createCell<readonly Network[]>(store, 'networks', [])
  const chosen = createCell<number | null>(store, 'chain-id', null)
  const ofSites = createCell<readonly Chosen[]>(store, 'site-networks', [])

  const isAdded = (chainId: number) => defaults.every(network => network.chainId !== chainId)
  const assertAdded = (chainId: number) => {
    if (!isAdded(chainId)) throw rpcError('invalidParams', 'builtInNetwork', { chainId })
  }

  const list = async () => {
    const urls = await rpcUrls.read()
    // An update may build in a network that was added before. The built-in description then takes precedence.
    const others = (await added.read()).filter(({ chainId }) => isAdded(chainId))
    return [...defaults, ...others].map(network => {
      const rpcUrl = urls[network.chainId]
      return rpcUrl === undefined ? network : { ...network, rpcUrl }
    })
  }
  const get = async (chainId: number) => {
    const network = (await list()).find(candidate => candidate.chainId === chainId)
    if (!network) throw rpcError('unrecognizedChain', 'unknownNetwork', { chainId })
    return network
  }
  const selected = async () => {
    const networks = await list()
    const [first] = networks
    if (!first) throw rpcError('disconnected', 'noNetwork')
    const chainId = await chosen.read()
    return networks.find(network => network.chainId === chainId) ?? first
  }
  const withoutUrl = (urls: Readonly<Record<number, string>>, chainId: number) =>
    Object.fromEntries(Object.entries(urls).filter(([id]) => id !== String(chainId)))

  return {
    list,
    get,
    selected,
    select: async chainId => {
      const network = await get(chainId)
      await chosen.update(() => chainId)
      return network
    },
    setRpcUrl: async (chainId, rpcUrl) => {
      await get(chainId)
      await rpcUrls.update(urls => ({ ...urls, [chainId]: rpcUrl }))
    },
    add: async network => {
      assertAdded(network.chainId)
      await added.update(networks => [...networks.filter(({ chainId }) => chainId !== network.chainId), network])
    },
    isAdded,
    remove: async chainId => {
      assertAdded(chainId)
      await added.update(networks => networks.filter(network => network.chainId !== chainId))
      await rpcUrls.update(urls => withoutUrl(urls, chainId))
      await ofSites.update(sites => sites.filter(site => site.chainId !== chainId))
    },
    of: async origin => {
      const own = (await ofSites.read()).find(site => site.origin === origin)
      const network = own && (await list()).find(({ chainId }) => chainId === own.chainId)
      return network ?? selected()
    },
    choose: async (origin, chainId) => {
      if (chainId !== null) await get(chainId)
      await ofSites.update(sites => [
        ...sites.filter(site => site.origin !== origin),
        ...(chainId === null ? [] : [{ origin, chainId }]),
      ])
    },
    sitesApart: async () => (await ofSites.read()).map(({ origin }) => origin),
  }
}
