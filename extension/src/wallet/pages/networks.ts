/** UI methods for networks: testing a node, choosing an RPC URL, adding and changing networks. */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network, NodeUse } from '@heliograph/shared/network'
import type { ListedNetwork, NetworkOrder } from '../../messages.ts'
import { findAccount } from '../keys/keyring.ts'
import { judgeComparison } from '../networks/checked.ts'
import { compareFacts } from '../networks/compare.ts'
import { balanceFact } from '../networks/facts.ts'
import {
  COMMON_PREFIXES,
  DECIMALS,
  inputOf,
  isNamedAlike,
  listedNetwork,
  requireRpcUrl,
  requireRpcUrls,
  toNetwork,
} from '../networks/network-input.ts'
import { askQuantity, assertReports, NODE_PATIENCE } from '../networks/node.ts'
import { offeredNetworks } from '../networks/public-nodes.ts'
import { rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

const ORDERS: readonly unknown[] = ['added', 'name', 'chainId'] satisfies NetworkOrder[]

/** Creates a network for testing a node whose chain is not known yet. */
const unnamed = (rpcUrl: string): Network => ({
  chainId: 0,
  title: 'new',
  prefixes: COMMON_PREFIXES,
  signedMessageNames: { personal_sign: '', chain_sign: '' },
  currency: { symbol: '', decimals: DECIMALS },
  rpcUrls: [rpcUrl],
})

/** An address that nobody owns. Asking for it tells a node nothing about the user. */
const NOBODY = toAddress(`0x${'0'.repeat(40)}`)

export const createNetworksUi = ({
  vault,
  networks,
  listedNetworks,
  chain,
}: UiParts): Pick<
  Ui,
  | 'probeRpc'
  | 'describeNetwork'
  | 'saveNetwork'
  | 'setRpcUrls'
  | 'setNodeUse'
  | 'getNodeChecks'
  | 'getListedNetworks'
  | 'getPublicNodes'
  | 'usePublicNodes'
  | 'addListedNetwork'
  | 'setNetworkOrder'
  | 'setNetworkHidden'
> => {
  /**
   * Throws 4901 if a node does not respond, -32602 if it is on another chain. Only nodes that are not in `known` are
   * queried.
   */
  const assertReport = async (network: Network, known: readonly string[]) => {
    for (const url of network.rpcUrls.filter(candidate => !known.includes(candidate)))
      await assertReports(chain, network, url)
  }

  /** Parses a node's use. Throws 4100 if it names an account that is not in the wallet. */
  const toUse = async ({ only, also, accounts: named = [] }: NodeUse): Promise<NodeUse> => {
    const secrets = await vault.read()
    const accounts = named.map(address => findAccount(secrets, address).address)
    return { ...(only && { only }), ...(also && { also }), accounts: [...new Set(accounts)] }
  }

  const find = async (chainId: number): Promise<Network | undefined> =>
    (await networks.list()).find(network => network.chainId === chainId)

  /** Returns the URLs of the listed nodes that report the network's chain id. */
  const usableNodes = async (listed: ListedNetwork): Promise<readonly string[]> => {
    const asked = listed.nodes.map(({ url }) =>
      assertReports(chain, listedNetwork(listed), url).then(
        () => [url],
        () => [],
      ),
    )
    return (await Promise.all(asked)).flat()
  }

  return {
    probeRpc: async ({ rpcUrl }) => {
      const network = unnamed(requireRpcUrl(rpcUrl))
      return {
        chainId: Number(await askQuantity(chain, network, 'eth_chainId')),
        block: encodeQuantity(await askQuantity(chain, network, 'eth_blockNumber')),
      }
    },
    getListedNetworks: () => listedNetworks(),
    getPublicNodes: async () => offeredNetworks(await listedNetworks()),
    usePublicNodes: async () => {
      const offered = offeredNetworks(await listedNetworks())
      const known = await networks.list()
      const hasNode = (all: readonly Network[], id: number) =>
        all.some(({ chainId, rpcUrls }) => chainId === id && rpcUrls.length > 0)
      const open = offered.filter(({ chainId }) => !hasNode(known, chainId))
      const found = await Promise.all(open.map(async listed => ({ listed, rpcUrls: await usableNodes(listed) })))
      for (const { listed, rpcUrls } of found) {
        // The user may have added the network, or chosen its nodes, in the meantime.
        const network = await find(listed.chainId)
        if (rpcUrls.length === 0 || network?.rpcUrls.length) continue
        if (!network) await networks.add(listedNetwork(listed))
        await networks.setRpcUrls(listed.chainId, rpcUrls)
      }
      const set = await networks.list()
      return open.filter(({ chainId }) => !hasNode(set, chainId)).map(({ title }) => title)
    },
    addListedNetwork: async ({ chainId }) => {
      const listed = (await listedNetworks()).find(network => network.chainId === chainId)
      if (!listed) throw rpcError('unrecognizedChain', 'notInCatalogue', { chainId })
      if (!(await find(chainId))) await networks.add(listedNetwork(listed))
      return null
    },
    setNetworkOrder: async ({ order }) => {
      if (!ORDERS.includes(order)) throw rpcError('invalidParams', 'notOffered', { value: String(order) })
      await networks.setOrder(order)
      return null
    },
    setNetworkHidden: async ({ chainId, hidden }) => {
      await networks.setHidden(chainId, hidden === true)
      return null
    },
    describeNetwork: async ({ chainId }) => inputOf(await networks.get(chainId)),
    saveNetwork: async input => {
      const network = toNetwork(input)
      const known = await find(network.chainId)
      await assertReport(network, known?.rpcUrls ?? [])
      await networks.add({ ...network, ...(known?.listed && isNamedAlike(known, network) && { listed: true }) })
      // A network's nodes are stored separately from its description.
      await networks.setRpcUrls(network.chainId, network.rpcUrls)
      return null
    },
    setRpcUrls: async ({ chainId, rpcUrls: texts }) => {
      const rpcUrls = requireRpcUrls(texts)
      const network = await networks.get(chainId)
      await assertReport({ ...network, rpcUrls }, network.rpcUrls)
      await networks.setRpcUrls(chainId, rpcUrls)
      return null
    },
    setNodeUse: async ({ chainId, rpcUrl, use }) => {
      await networks.setNodeUse(chainId, requireRpcUrl(rpcUrl), await toUse(use))
      return null
    },
    getNodeChecks: async ({ chainId }) => {
      const comparison = await compareFacts(chain, await networks.get(chainId), [balanceFact(NOBODY)], NODE_PATIENCE)
      return comparison && judgeComparison(comparison).view
    },
  }
}
