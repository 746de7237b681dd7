/** Chooses the networks that a list shows, and their order. */
import type { ListedNetwork, NetworkView, UiState } from '../../messages.ts'

type Networks = Pick<UiState, 'networks' | 'chainId' | 'networkList'>

const byName = (one: NetworkView, other: NetworkView) => one.title.localeCompare(other.title)
const byChainId = (one: NetworkView, other: NetworkView) => one.chainId - other.chainId

export const sortedNetworks = ({ networks, networkList: { order } }: Networks): readonly NetworkView[] =>
  order === 'added' ? networks : networks.toSorted(order === 'name' ? byName : byChainId)

export const isHidden = ({ networkList: { hidden } }: Networks, { chainId }: NetworkView): boolean =>
  hidden.includes(chainId)

/** Returns the networks that can be selected. The selected one is shown even if it is hidden. */
export const shownNetworks = (view: Networks): readonly NetworkView[] =>
  sortedNetworks(view).filter(network => network.chainId === view.chainId || !isHidden(view, network))

/** True if the network's name, symbol or chain id contains the typed text, in any letter case. */
export const matchesNetwork = (
  { title, symbol, chainId }: Pick<ListedNetwork, 'title' | 'symbol' | 'chainId'>,
  wanted: string,
): boolean => `${title} ${symbol} ${chainId}`.toLowerCase().includes(wanted.trim().toLowerCase())
