/** UI methods for networks: testing a node, choosing an RPC URL, adding and changing networks. */
import type { RpcError } from '@heliograph/shared/errors'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import * as v from 'valibot'
import type { ListedNetwork, NetworkInput, NetworkOrder } from '../../messages.ts'
import { askQuantity } from '../networks/node.ts'
import { toRpcUrl } from '../networks/rpc-url.ts'
import { rpcError } from '../text/errors.ts'
import { line, MAX_SYMBOL } from '../text/values.ts'
import type { Ui, UiParts } from './parts.ts'

const MAX_TITLE = 50
/** Maximum nodes of a network. */
export const MAX_NODES = 5
const ORDERS: readonly unknown[] = ['added', 'name', 'chainId'] satisfies NetworkOrder[]
const DECIMALS = 18
/** Method prefixes of every network, besides its own. */
const COMMON_PREFIXES = ['chain', 'eth']

const Description = v.object({
  chainId: v.pipe(
    v.number(),
    v.check(id => id > 0 && Number.isSafeInteger(id), 'must be a whole number'),
  ),
  title: line(MAX_TITLE),
  symbol: line(MAX_SYMBOL),
  prefix: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 lower-case letters or digits'),
  ),
  signedMessageName: line(MAX_TITLE),
})

/** Throws -32602 for an invalid RPC URL. */
const requireRpcUrl = (text: string): string => {
  const url = toRpcUrl(text.trim())
  if (url === undefined) throw rpcError('invalidParams', 'notRpcUrl')
  return url
}

/** Throws -32602 for an invalid URL, and for too many. */
const requireRpcUrls = (texts: readonly string[]): readonly string[] => {
  const urls = [...new Set(texts.map(requireRpcUrl))]
  if (urls.length <= MAX_NODES) return urls
  throw rpcError('invalidParams', 'tooManyNodes', { limit: MAX_NODES })
}

const requireExplorerUrl = (text: string): string => {
  const url = toRpcUrl(text.trim())
  if (url === undefined) throw rpcError('invalidParams', 'notExplorerUrl')
  return url
}

/** The error for a field of a network's description. */
const wrongField = (field: string | null): RpcError => {
  switch (field) {
    case 'chainId':
      return rpcError('invalidParams', 'notChainIdNumber')
    case 'title':
      return rpcError('invalidParams', 'networkTitleForm', { most: MAX_TITLE })
    case 'symbol':
      return rpcError('invalidParams', 'networkSymbolForm', { most: MAX_SYMBOL })
    case 'prefix':
      return rpcError('invalidParams', 'networkPrefixForm')
    default:
      return rpcError('invalidParams', 'networkMessageNameForm', { most: MAX_TITLE })
  }
}

/** Validates input for a network. Throws -32602 that names the field. */
const toNetwork = (input: NetworkInput): Network => {
  const parsed = v.safeParse(Description, input)
  if (!parsed.success) throw wrongField(v.getDotPath(parsed.issues[0]))
  const { chainId, title, symbol, prefix, signedMessageName } = parsed.output
  return {
    chainId,
    title,
    prefixes: [...new Set([...COMMON_PREFIXES, prefix])],
    signedMessageNames: { personal_sign: signedMessageName, chain_sign: signedMessageName },
    currency: { symbol, decimals: DECIMALS },
    rpcUrls: requireRpcUrls(input.rpcUrls),
    ...(input.explorerUrl.trim() !== '' && { explorerUrl: requireExplorerUrl(input.explorerUrl) }),
    testnet: input.testnet,
  }
}

const inputOf = ({
  chainId,
  title,
  currency,
  prefixes,
  signedMessageNames,
  rpcUrls,
  ...more
}: Network): NetworkInput => ({
  chainId,
  title,
  symbol: currency.symbol,
  prefix: prefixes.at(-1) ?? 'eth',
  signedMessageName: signedMessageNames.chain_sign,
  rpcUrls,
  explorerUrl: more.explorerUrl ?? '',
  testnet: more.testnet ?? false,
})

/** A network of the catalogue, without a node. */
const fromCatalogue = ({ chainId, title, symbol, explorerUrl, testnet }: ListedNetwork): Network => ({
  chainId,
  title,
  prefixes: COMMON_PREFIXES,
  signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
  currency: { symbol, decimals: DECIMALS },
  rpcUrls: [],
  ...(explorerUrl !== null && { explorerUrl }),
  testnet,
})

/** A network for testing a node before its chain is known. */
const unnamed = (rpcUrl: string): Network => ({
  chainId: 0,
  title: 'new',
  prefixes: COMMON_PREFIXES,
  signedMessageNames: { personal_sign: '', chain_sign: '' },
  currency: { symbol: '', decimals: DECIMALS },
  rpcUrls: [rpcUrl],
})

export const createNetworksUi = ({
  networks,
  listedNetworks,
  chain,
  refresh,
}: UiParts): Pick<
  Ui,
  | 'probeRpc'
  | 'describeNetwork'
  | 'saveNetwork'
  | 'setRpcUrls'
  | 'getListedNetworks'
  | 'addListedNetwork'
  | 'setNetworkOrder'
  | 'setNetworkHidden'
> => {
  /** Throws 4901 if a node does not answer, -32602 if it is on another chain. Only nodes that are not in `known` are asked. */
  const assertReport = async (network: Network, known: readonly string[]) => {
    for (const url of network.rpcUrls.filter(candidate => !known.includes(candidate))) await assertReports(network, url)
  }
  const assertReports = async (network: Network, url: string) => {
    const reported = await askQuantity(chain, { ...network, rpcUrls: [url] }, 'eth_chainId')
    if (reported !== BigInt(network.chainId))
      throw rpcError('invalidParams', 'rpcOtherChain', { reported: String(reported), wanted: network.chainId })
  }

  const nodesOf = async (chainId: number): Promise<readonly string[]> =>
    (await networks.list()).find(network => network.chainId === chainId)?.rpcUrls ?? []

  return {
    probeRpc: async ({ rpcUrl }) => {
      const network = unnamed(requireRpcUrl(rpcUrl))
      return {
        chainId: Number(await askQuantity(chain, network, 'eth_chainId')),
        block: fromQuantity(await askQuantity(chain, network, 'eth_blockNumber')),
      }
    },
    getListedNetworks: () => listedNetworks(),
    addListedNetwork: async ({ chainId }) => {
      const listed = (await listedNetworks()).find(network => network.chainId === chainId)
      if (!listed) throw rpcError('unrecognizedChain', 'notInCatalogue', { chainId })
      const isKnown = (await networks.list()).some(network => network.chainId === chainId)
      if (!isKnown) await networks.add(fromCatalogue(listed))
      await refresh()
      return null
    },
    setNetworkOrder: async ({ order }) => {
      if (!ORDERS.includes(order)) throw rpcError('invalidParams', 'notOffered', { value: String(order) })
      await networks.setOrder(order)
      await refresh()
      return null
    },
    setNetworkHidden: async ({ chainId, hidden }) => {
      await networks.setHidden(chainId, hidden === true)
      await refresh()
      return null
    },
    describeNetwork: async ({ chainId }) => inputOf(await networks.get(chainId)),
    saveNetwork: async input => {
      const network = toNetwork(input)
      await assertReport(network, await nodesOf(network.chainId))
      await networks.add(network)
      // The nodes of a network are stored separately from its description.
      await networks.setRpcUrls(network.chainId, network.rpcUrls)
      await refresh()
      return null
    },
    setRpcUrls: async ({ chainId, rpcUrls: texts }) => {
      const rpcUrls = requireRpcUrls(texts)
      const network = await networks.get(chainId)
      await assertReport({ ...network, rpcUrls }, network.rpcUrls)
      await networks.setRpcUrls(chainId, rpcUrls)
      await refresh()
      return null
    },
  }
}
