/** A network for tests of texts. */
import type { NetworkView } from '../../messages.ts'

export const network: NetworkView = {
  chainId: 1,
  title: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrls: [],
  added: false,
}
