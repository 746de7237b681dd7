/**
 * Makes the catalogue of networks, `extension/public/networks.json`, from the chains that viem ships and the public nodes
 * of nodes.ts. `npm run networks` writes it.
 */
import * as viemChains from 'viem/chains'
import type { ListedNetwork, PublicNode } from '../src/messages.ts'
import { NODES, OPERATORS } from './nodes.ts'

/** Maximum number of nodes per network. A longer list does not help to choose. */
const MAX_NODES = 3

const chains: Readonly<Record<string, viemChains.Chain | undefined>> = viemChains

const operatorOf = (host: string): string => {
  const found = Object.entries(OPERATORS).find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`))
  if (!found) throw new Error(`nodes.ts does not say who operates ${host}`)
  return found[1]
}

const toNode = (url: string): PublicNode => {
  const { href, hostname } = new URL(url)
  return { url: href, operator: operatorOf(hostname) }
}

const listedNetwork = (name: string, more: readonly string[]): ListedNetwork => {
  const chain = chains[name]
  const [first] = chain?.rpcUrls.default.http ?? []
  if (!chain || first === undefined) throw new Error(`viem has no chain ${name} with a node`)
  const urls = [first, ...more.map(url => `https://${url}`)]
  const explorer = chain.blockExplorers?.default.url
  return {
    chainId: chain.id,
    title: chain.name,
    symbol: chain.nativeCurrency.symbol,
    explorerUrl: explorer?.startsWith('https:') ? new URL(explorer).href : null,
    testnet: chain.testnet ?? false,
    nodes: urls.slice(0, MAX_NODES).map(toNode),
  }
}

/** The catalogue as written to the file: one network a line, by chain id. */
export const networkCatalogue = (): string => {
  const networks = Object.entries(NODES).map(([name, more]) => listedNetwork(name, more))
  const lines = networks.toSorted((one, other) => one.chainId - other.chainId).map(network => JSON.stringify(network))
  return `[\n${lines.join(',\n')}\n]\n`
}
