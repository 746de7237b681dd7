/** A chain the wallet can sign for, and every name of it that is configuration. */
export type Network = {
  /** EIP-155 chain id. */
  chainId: number
  /** What a person reads: "Ethereum". */
  title: string
  /** Prefixes of its node methods: `eth` makes `eth_sign`. `chain` is accepted on every network. */
  prefixes: readonly string[]
  /** `<network name>` in `\x19<network name> Signed Message:\n`. The two differ on Kaia. */
  signedMessageNames: { personal_sign: string; chain_sign: string }
  currency: { symbol: string; decimals: number }
  /** JSON-RPC endpoint that the person chose; none means the network cannot be used yet. */
  rpcUrl?: string
  /** Web site on which a person looks things up. */
  explorerUrl?: string
  testnet?: boolean
}

const ether = { symbol: 'ETH', decimals: 18 }
const ethereumNames = { personal_sign: 'Ethereum', chain_sign: 'Ethereum' }

/** The networks of a fresh wallet. Only the local chain carries an endpoint: nothing is asked of a host nobody chose. */
export const defaultNetworks: readonly Network[] = [
  {
    chainId: 31337,
    title: 'Local chain',
    prefixes: ['chain', 'eth'],
    signedMessageNames: ethereumNames,
    currency: ether,
    rpcUrl: 'http://127.0.0.1:8545',
    testnet: true,
  },
  { chainId: 1, title: 'Ethereum', prefixes: ['chain', 'eth'], signedMessageNames: ethereumNames, currency: ether },
  {
    chainId: 8217,
    title: 'Kaia',
    prefixes: ['chain', 'eth', 'klay', 'kaia'],
    signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Klaytn' },
    currency: { symbol: 'KAIA', decimals: 18 },
  },
]

/** The relays of a fresh wallet: the one on this computer, where it listens if nobody says otherwise. */
export const defaultRelays: readonly string[] = ['ws://127.0.0.1:8080']
