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

/** `defaults` are the networks of a fresh wallet; the first is selected. */
export const createNetworks = (store: Store, defaults: readonly Network[]): Networks => {
  const all = createCell<readonly Network[]>(store, 'networks', defaults)
  const chosen = createCell<number | null>(store, 'chain-id', null)

  const find = (networks: readonly Network[], chainId: number) => {
    const network = networks.find(candidate => candidate.chainId === chainId)
    if (!network) throw rpcError('unrecognizedChain', `Chain ${chainId} is not among the wallet's networks`)
    return network
  }
  const get = async (chainId: number) => find(await all.read(), chainId)

  return {
    list: all.read,
    get,
    selected: async () => {
      const networks = await all.read()
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
      await all.update(networks =>
        networks.map(network => (network.chainId === chainId ? { ...network, rpcUrl } : network)),
      )
    },
  }
}
