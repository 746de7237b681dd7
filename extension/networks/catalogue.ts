/**
 * Builds the catalogue of networks, `extension/public/networks.json`, from viem's chains and the public nodes in
 * nodes.ts, the networks' marks, `extension/public/network-marks.json`, and the list of OP Stack chains. `npm run
 * networks` writes all three.
 */
import * as viemChains from 'viem/chains'
import type { ListedNetwork, PublicNode } from '../src/messages.ts'
import { MARKS, type MarkDrawing } from './marks.ts'
import { ALSO_OP_STACK, NODES, OPERATORS } from './nodes.ts'

/** Maximum number of nodes per network. More would not make the choice easier. */
const MAX_NODES = 3

const chains: Readonly<Record<string, viemChains.Chain | undefined>> = viemChains

const operatorOf = (host: string): string => {
  const found = Object.entries(OPERATORS).find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`))
  if (!found) throw new Error(`nodes.ts names no operator for ${host}`)
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

/**
 * Generates the source of `fees/op-stack.ts`: the chains for which viem has the OP Stack's gas price oracle, and the
 * additional ones in nodes.ts.
 */
export const opStackSource = (): string => {
  const marked = new Map<number, { title: string; isMarked: boolean }>()
  for (const [name, chain] of Object.entries(chains)) {
    if (!chain) continue
    // Two of viem's chains can have the same id if one is abandoned. The id is listed only if both are on the OP Stack.
    const isMarked =
      (chain.contracts?.gasPriceOracle !== undefined || ALSO_OP_STACK.includes(name)) &&
      marked.get(chain.id)?.isMarked !== false
    marked.set(chain.id, { title: chain.name, isMarked })
  }
  const found = [...marked].filter(([, { isMarked }]) => isMarked).toSorted(([one], [other]) => one - other)
  return `/** Chain ids of networks on the OP Stack. \`npm run networks\` writes this file from viem's chains. */
export const opStackChains: ReadonlySet<number> = new Set([
${found.map(([id, { title }]) => `  ${id}, // ${title}`).join('\n')}
])
`
}

/** Formats the catalogue file, with one network per line, sorted by chain id. */
export const networkCatalogue = (): string => {
  const networks = Object.entries(NODES).map(([name, more]) => listedNetwork(name, more))
  const lines = networks.toSorted((one, other) => one.chainId - other.chainId).map(network => JSON.stringify(network))
  return `[\n${lines.join(',\n')}\n]\n`
}

/** Formats the file of marks, with one mark per line: the chain ids that have it, and its drawing. */
export const networkMarks = (): string => {
  const marks: { chainIds: number[]; drawing: MarkDrawing }[] = []
  for (const name of Object.keys(NODES)) {
    const { chainId, testnet } = listedNetwork(name, [])
    const drawing = MARKS[name]
    if (drawing && !testnet) marks.push({ chainIds: [chainId], drawing })
    else if (testnet) marks.at(-1)?.chainIds.push(chainId)
    else throw new Error(`marks.ts has no mark for ${name}`)
  }
  return `[\n${marks.map(({ chainIds, drawing }) => JSON.stringify({ chainIds, ...drawing })).join(',\n')}\n]\n`
}
