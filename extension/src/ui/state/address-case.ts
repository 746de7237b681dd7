/** The letter case in which a screen shows addresses: the case of its chain, as the chain's explorers write them. */
import { toChainCase } from '@heliograph/shared/checksum'
import { getContext, setContext } from 'svelte'

const CHAIN_ID = Symbol('chain of addresses')

/**
 * Shows addresses in the case of one chain, in a component and all components in it. Call it during component
 * initialization.
 */
export const showAddressesOf = (chainId: () => number): void => void setContext(CHAIN_ID, chainId)

/**
 * Returns a function that changes an address to the screen's case. Addresses that belong to no certain chain stay
 * unchanged. Call it during component initialization.
 */
export const useAddressCase = (): ((address: string) => string) => {
  const chainId = getContext<(() => number) | undefined>(CHAIN_ID)
  return address => (chainId ? toChainCase(address, chainId()) : address)
}
