/** The case in which the addresses of a screen are shown: that of its chain, as the chain's explorers write them. */
import { toChainCase } from '@heliograph/shared/checksum'
import { getContext, setContext } from 'svelte'

const CHAIN_ID = Symbol('chain of addresses')

/** Call it during the initialisation of a component that is about one chain. It holds for all components in it. */
export const showAddressesOf = (chainId: () => number): void => void setContext(CHAIN_ID, chainId)

/** Call it during component initialisation. Addresses of no certain chain stay as they are. */
export const useAddressCase = (): ((address: string) => string) => {
  const chainId = getContext<(() => number) | undefined>(CHAIN_ID)
  return address => (chainId ? toChainCase(address, chainId()) : address)
}
