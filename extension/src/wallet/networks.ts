/** The networks the wallet knows, and the one that is selected. */
import { rpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import { createCell, type Store } from './store.ts'

export type Networks = {
  list(): Promise<readonly Network[]>
  /** Throws 4902 for a chain id that is not in the list. */
  get(chainId: number): Promise<Network>
  selected(): Promise<Network>
  select(chainId: number): Promise<Network>
  setRpcUrl(chainId: number, rpcUrl: string): Promise<void>
}

/** `defaults` are the networks the wallet comes with; of them only what the person chose is kept. The first is selected. */
export const createNetworks = (store: Store, defaults: readonly Network[]): Networks => {
  const rpcUrls = createCell<Readonly<Record<number, string>>>(store, 'rpc-urls', {})
  const chosen = createCell<number | null>(store, 'chain-id', null)

  const list = async () => {
    const urls = await rpcUrls.read()
    return defaults.map(network => {
      const rpcUrl = urls[network.chainId]
      return rpcUrl === undefined ? network : { ...network, rpcUrl }
    })
  }
  const get = async (chainId: number) => {
    const network = (await list()).find(candidate => candidate.chainId === chainId)
    if (!network) throw rpcError('unrecognizedChain', `Chain ${chainId} is not among the wallet's networks`)
    return network
  }

  return {
    list,
    get,
    selected: async () => {
      const networks = await list()
      const [first] = networks
      if (!first) throw rpcError('disconnected', 'The wallet has no network')
      const chainId = await chosen.read()
      return networks.find(network => network.chainId === chainId) ?? first
    },
    select: async chainId => {
      const network = await get(chainId)
      await chosen.update(() => chainId)
      return network
    },
    setRpcUrl: async (chainId, rpcUrl) => {
      await get(chainId)
      await rpcUrls.update(urls => ({ ...urls, [chainId]: rpcUrl }))
    },
  }
}
