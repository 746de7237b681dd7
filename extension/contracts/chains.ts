/** Chains in the catalogue of contracts: the main networks in the catalogue of networks, and Sepolia. */
import * as viemChains from 'viem/chains'
import { NODES } from '../networks/nodes.ts'

const chains: Readonly<Record<string, viemChains.Chain | undefined>> = viemChains

/** viem's definitions of the listed chains. */
export const LISTED_CHAINS: readonly viemChains.Chain[] = [...Object.keys(NODES)]
  .flatMap(name => chains[name] ?? [])
  .filter(({ testnet, id }) => !testnet || id === viemChains.sepolia.id)

const listed = new Set(LISTED_CHAINS.map(({ id }) => id))

/** Tells whether the catalogue lists contracts on the chain. */
export const isListed = (chainId: number): boolean => listed.has(chainId)

/** Chain names that packages use, in lower case and without separators, by chain id. */
const NAMES: Readonly<Record<number, readonly string[]>> = {
  1: ['mainnet', 'ethereum', 'eth', 'ethmainnet', 'homestead'],
  10: ['optimism', 'op', 'optimismmainnet', 'optimismethereum', 'ovm'],
  14: ['flare'],
  25: ['cronos'],
  30: ['rootstock', 'rsk'],
  50: ['xdc'],
  56: ['bsc', 'bnb', 'binance', 'binancesmartchain', 'bnbmainnet', 'bscmainnet', 'smartchain'],
  100: ['gnosis', 'xdai', 'gnosischain', 'gnosismainnet'],
  130: ['unichain', 'unichainmainnet'],
  137: ['polygon', 'matic', 'polygonmainnet'],
  143: ['monad', 'monadmainnet'],
  146: ['sonic', 'sonicmainnet'],
  196: ['xlayer'],
  204: ['opbnb', 'opbnbmainnet'],
  232: ['lens'],
  250: ['fantom', 'ftm', 'fantomopera'],
  252: ['fraxtal'],
  324: ['zksync', 'zksyncera', 'zksyncmainnet', 'era'],
  480: ['worldchain', 'worldchainmainnet', 'world'],
  999: ['hyperevm', 'hyperliquid', 'hyper'],
  1088: ['metis', 'andromeda'],
  1135: ['lisk'],
  1284: ['moonbeam'],
  1285: ['moonriver'],
  1329: ['sei', 'seievm', 'seimainnet'],
  1868: ['soneium'],
  2020: ['ronin'],
  2741: ['abstract'],
  2818: ['morph'],
  4326: ['megaeth'],
  5000: ['mantle', 'mantlemainnet'],
  8217: ['kaia', 'klaytn', 'klaytncypress'],
  8453: ['base', 'basemainnet'],
  9745: ['plasma'],
  33139: ['apechain'],
  34443: ['mode', 'modemainnet'],
  42161: ['arbitrum', 'arbitrumone', 'arb', 'arb1', 'arbitrummainnet'],
  42170: ['arbitrumnova', 'nova'],
  42220: ['celo', 'celomainnet'],
  43111: ['hemi'],
  43114: ['avalanche', 'avax', 'avalanchemainnet', 'avalanchec', 'avalanchecchain'],
  57073: ['ink'],
  59144: ['linea', 'lineamainnet'],
  60808: ['bob'],
  80094: ['berachain', 'bera', 'berachainmainnet'],
  98866: ['plume'],
  81457: ['blast', 'blastmainnet'],
  167000: ['taiko', 'taikomainnet'],
  534352: ['scroll', 'scrollmainnet'],
  747474: ['katana'],
  1313161554: ['aurora'],
  7777777: ['zora', 'zoramainnet'],
  11155111: ['sepolia', 'ethereumsepolia', 'ethsepolia'],
}

const ids = new Map(Object.entries(NAMES).flatMap(([id, names]) => names.map(name => [name, Number(id)])))

/** Returns the id of a chain that a package identifies by number or name. Undefined for an unknown name. */
export const chainIdOf = (chain: number | string): number | undefined => {
  if (typeof chain === 'number') return chain
  if (/^\d+$/.test(chain)) return Number(chain)
  const name = chain.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const short = name.replace(/chainid$/, '')
  return ids.get(short) ?? ids.get(short.replace(/mainnet$/, ''))
}
