/** Networks for tests: a local development chain with a node, followed by a new wallet's networks. */
import { defaultNetworks, type Network } from '@heliograph/shared/network'

/** The chain of anvil and similar nodes, at their default address. */
export const localChain: Network = {
  chainId: 31337,
  title: 'Local chain',
  prefixes: ['chain', 'eth'],
  signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
  currency: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:8545'],
  testnet: true,
}

export const testNetworks: readonly Network[] = [localChain, ...defaultNetworks]
