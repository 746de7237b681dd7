/**
 * What a node is used for. Without `only`, it reads, and sends unless another node is for sending. A node for comparing
 * also answers again what decides about money. With `accounts`, it is used for these accounts alone, which then use no
 * other node. Addresses are in any case.
 */
export type NodeUse = { only?: 'sending'; also?: 'comparing'; accounts?: readonly string[] }

/** A chain that the wallet can sign for, and all its names. */
export type Network = {
  /** EIP-155 chain id. */
  chainId: number
  /** Display name: "Ethereum". */
  title: string
  /** Method prefixes: `eth` gives `eth_sign`. Every network also accepts `chain`. */
  prefixes: readonly string[]
  /** `<network name>` in `\x19<network name> Signed Message:\n`, by method. Only Kaia uses two different names. */
  signedMessageNames: { personal_sign: string; chain_sign: string }
  currency: { symbol: string; decimals: number }
  /** JSON-RPC endpoints that the user chose, the preferred one first. A network without endpoints cannot be used. */
  rpcUrls: readonly string[]
  /** The endpoints that have a use of their own, by URL. The first endpoint never has one. */
  nodeUses?: Readonly<Record<string, NodeUse>>
  /** Set in a copy of the network: the address of the account on whose behalf its endpoints are used. */
  onBehalfOf?: string
  /** Base URL of a block explorer. */
  explorerUrl?: string
  testnet?: boolean
  /** Set if the user added it from the wallet's catalogue and has not changed how it is named. */
  listed?: true
}

/**
 * Networks of a new wallet; it starts on the first. They have no nodes, so the wallet contacts only hosts that the user
 * chose.
 */
export const defaultNetworks: readonly Network[] = [
  {
    chainId: 1,
    title: 'Ethereum',
    prefixes: ['chain', 'eth'],
    signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
    currency: { symbol: 'ETH', decimals: 18 },
    rpcUrls: [],
  },
  {
    chainId: 8217,
    title: 'Kaia',
    prefixes: ['chain', 'eth', 'klay', 'kaia'],
    signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Klaytn' },
    currency: { symbol: 'KAIA', decimals: 18 },
    rpcUrls: [],
  },
]
