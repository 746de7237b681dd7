/** The wallet's networks, the selected network, and sites' own networks. */
import type { Network, NodeUse } from '@heliograph/shared/network'
import type { ListedNetwork, NetworkListView, NetworkOrder, NetworkView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { toNodeUses } from './node-uses.ts'

/**
 * Loads the catalogue of well-known networks that ships with the wallet. Its entries are not used, and its nodes not
 * contacted, unless the user chooses them.
 */
export type ListedNetworks = () => Promise<readonly ListedNetwork[]>

export type Networks = {
  list(): Promise<readonly Network[]>
  /** Returns the network. Throws 4902 for an unknown chain id. */
  get(chainId: number): Promise<Network>
  /** Returns the wallet's selected network, which sites use unless they have their own. */
  selected(): Promise<Network>
  select(chainId: number): Promise<Network>
  /**
   * Sets a network's nodes, the preferred one first. Nodes that stay in the list keep their use. Throws -32602 if the
   * first one has a use of its own.
   */
  setRpcUrls(chainId: number, rpcUrls: readonly string[], uses?: Readonly<Record<string, NodeUse>>): Promise<void>
  /** Sets what a node is used for. Throws -32602 for a node that is not in the list, and for an impossible use. */
  setNodeUse(chainId: number, rpcUrl: string, use: NodeUse): Promise<void>
  /** Adds or replaces a network. Throws -32602 for a built-in one. */
  add(network: Network): Promise<void>
  /** True for a network that is not built in. */
  isAdded(chainId: number): boolean
  /** Removes an added network. Throws -32602 for a built-in one. */
  remove(chainId: number): Promise<void>
  /** Returns how lists show the networks. */
  shown(): Promise<NetworkListView>
  setOrder(order: NetworkOrder): Promise<void>
  setHidden(chainId: number, hidden: boolean): Promise<void>
  /** Returns the network that a site uses. */
  of(origin: string): Promise<Network>
  /** Sets a site's own network; null makes it use the wallet's network again. */
  choose(origin: string, chainId: number | null): Promise<void>
  /** Returns the sites with their own network. */
  sitesApart(): Promise<readonly string[]>
}

/** Converts a network to the form that the wallet's pages show. */
export const networkView = (
  { chainId, title, currency, testnet = false, rpcUrls, nodeUses, listed }: Network,
  added: boolean,
): NetworkView => ({
  chainId,
  title,
  symbol: currency.symbol,
  decimals: currency.decimals,
  testnet,
  rpcUrls,
  ...(nodeUses && { nodeUses }),
  added,
  ...((listed || !added) && { listed: true }),
})

type Chosen = { origin: string; chainId: number }

/** Stored network. In earlier versions, it had at most one node. */
type StoredNetwork = Network | (Omit<Network, 'rpcUrls'> & { rpcUrl?: string })
type StoredUrls = string | readonly string[]
/** Uses by URL, for each chain id. */
type StoredUses = Readonly<Record<number, Readonly<Record<string, NodeUse>>>>

const toUrls = (stored: StoredUrls): readonly string[] => (typeof stored === 'string' ? [stored] : stored)

const toNetwork = (stored: StoredNetwork): Network => {
  if ('rpcUrls' in stored) return stored
  const { rpcUrl, ...network } = stored
  return { ...network, rpcUrls: rpcUrl === undefined ? [] : [rpcUrl] }
}

/**
 * `defaults` are the built-in networks, for which only the user's choices are stored. The first one is selected
 * initially.
 */
export const createNetworks = (store: Store, defaults: readonly Network[]): Networks => {
  const rpcUrls = createCell<Readonly<Record<number, StoredUrls>>>(store, 'rpc-urls', {})
  const nodeUses = createCell<StoredUses>(store, 'node-uses', {})
  const added = createCell<readonly StoredNetwork[]>(store, 'networks', [])
  const chosen = createCell<number | null>(store, 'chain-id', null)
  const shown = createCell<NetworkListView>(store, 'network-list', { order: 'added', hidden: [] })
  const ofSites = createCell<readonly Chosen[]>(store, 'site-networks', [])

  const isAdded = (chainId: number) => defaults.every(network => network.chainId !== chainId)
  const assertAdded = (chainId: number) => {
    if (!isAdded(chainId)) throw rpcError('invalidParams', 'builtInNetwork', { chainId })
  }

  const list = async () => {
    const [urls, uses] = [await rpcUrls.read(), await nodeUses.read()]
    // An update may add a built-in network that the user had added before. The built-in description then takes
    // precedence.
    const others = (await added.read()).filter(({ chainId }) => isAdded(chainId)).map(toNetwork)
    return [...defaults, ...others].map(network => {
      const [stored, ofNodes] = [urls[network.chainId], uses[network.chainId]]
      return {
        ...network,
        ...(stored !== undefined && { rpcUrls: toUrls(stored) }),
        ...(ofNodes && { nodeUses: ofNodes }),
      }
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
  const without = <T>(all: Readonly<Record<number, T>>, chainId: number): Record<number, T> =>
    Object.fromEntries(Object.entries(all).filter(([id]) => id !== String(chainId)))
  const setUses = (chainId: number, uses: Readonly<Record<string, NodeUse>>) =>
    nodeUses.update(all => {
      if (Object.keys(uses).length > 0) return { ...all, [chainId]: uses }
      return chainId in all ? without(all, chainId) : all
    })

  return {
    list,
    get,
    selected,
    select: async chainId => {
      const network = await get(chainId)
      await chosen.update(() => chainId)
      return network
    },
    setRpcUrls: async (chainId, chosenUrls, chosenUses) => {
      const uses = toNodeUses(chosenUrls, chosenUses ?? (await get(chainId)).nodeUses ?? {})
      await rpcUrls.update(urls => ({ ...urls, [chainId]: chosenUrls }))
      await setUses(chainId, uses)
    },
    setNodeUse: async (chainId, rpcUrl, use) => {
      const network = await get(chainId)
      if (!network.rpcUrls.includes(rpcUrl)) throw rpcError('invalidParams', 'nodeGone', { network: network.title })
      await setUses(chainId, toNodeUses(network.rpcUrls, { ...network.nodeUses, [rpcUrl]: use }))
    },
    add: async network => {
      assertAdded(network.chainId)
      await added.update(networks => [...networks.filter(({ chainId }) => chainId !== network.chainId), network])
    },
    isAdded,
    remove: async chainId => {
      assertAdded(chainId)
      await added.update(networks => networks.filter(network => network.chainId !== chainId))
      await rpcUrls.update(urls => without(urls, chainId))
      await nodeUses.update(uses => without(uses, chainId))
      await ofSites.update(sites => sites.filter(site => site.chainId !== chainId))
      await shown.update(view => ({ ...view, hidden: view.hidden.filter(id => id !== chainId) }))
    },
    shown: shown.read,
    setOrder: async order => void (await shown.update(view => ({ ...view, order }))),
    setHidden: async (chainId, hidden) => {
      await get(chainId)
      const others = (ids: readonly number[]) => ids.filter(id => id !== chainId)
      await shown.update(view => ({ ...view, hidden: [...others(view.hidden), ...(hidden ? [chainId] : [])] }))
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
