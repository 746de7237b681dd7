/**
 * The offer of public nodes: networks that many people use, and operators that have a node for each of them. The URLs
 * are in the catalogue of networks (`extension/networks/nodes.ts` names its sources).
 */
import type { ListedNetwork } from '../../messages.ts'

/** Chain ids in the order of the offer: Ethereum, Base, Arbitrum, Optimism, Polygon, BNB Smart Chain. */
export const OFFERED_CHAINS: readonly number[] = [1, 8453, 42_161, 10, 137, 56]

/**
 * Operators in the order in which their nodes are tried. A network's own node is not offered, because each one adds
 * another operator that sees the user's addresses.
 */
export const OFFERED_OPERATORS: readonly string[] = ['PublicNode (Allnodes)', 'dRPC']

/** Returns the networks of the offer, each with only the nodes that the offer uses. */
export const offeredNetworks = (catalogue: readonly ListedNetwork[]): readonly ListedNetwork[] =>
  OFFERED_CHAINS.flatMap(id => catalogue.find(({ chainId }) => chainId === id) ?? []).map(network => ({
    ...network,
    nodes: OFFERED_OPERATORS.flatMap(name => network.nodes.filter(({ operator }) => operator === name)),
  }))
