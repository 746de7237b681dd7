/** UI methods for networks: testing a node, choosing an RPC URL, adding and changing networks. */
import type { RpcError } from '@heliograph/shared/errors'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import * as v from 'valibot'
import type { NetworkInput } from '../../messages.ts'
import { askQuantity } from '../networks/node.ts'
import { toRpcUrl } from '../networks/rpc-url.ts'
import { rpcError } from '../text/errors.ts'
import { line, MAX_SYMBOL } from '../text/values.ts'
import type { Ui, UiParts } from './parts.ts'

const MAX_TITLE = 50
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
    rpcUrl: requireRpcUrl(input.rpcUrl),
    ...(input.explorerUrl.trim() !== '' && { explorerUrl: requireExplorerUrl(input.explorerUrl) }),
    testnet: input.testnet,
  }
}

const inputOf = ({ chainId, title, currency, prefixes, signedMessageNames, ...more }: Network): NetworkInput => ({
  chainId,
  title,
  symbol: currency.symbol,
  prefix: prefixes.at(-1) ?? 'eth',
  signedMessageName: signedMessageNames.chain_sign,
  rpcUrl: more.rpcUrl ?? '',
  explorerUrl: more.explorerUrl ?? '',
  testnet: more.testnet ?? false,
})

/** A network for testing a node before its chain is known. */
const unnamed = (rpcUrl: string): Network => ({
  chainId: 0,
  title: 'new',
  prefixes: COMMON_PREFIXES,
  signedMessageNames: { personal_sign: '', chain_sign: '' },
  currency: { symbol: '', decimals: DECIMALS },
  rpcUrl,
})

export const createNetworksUi = ({
  networks,
  chain,
  publish,
}: UiParts): Pick<Ui, 'probeRpc' | 'describeNetwork' | 'saveNetwork' | 'setRpcUrl'> => {
  /** Throws 4901 if the node does not answer, -32602 if it is on another chain. */
  const assertReports = async (network: Network) => {
    const reported = await askQuantity(chain, network, 'eth_chainId')
    if (reported !== BigInt(network.chainId))
      throw rpcError('invalidParams', 'rpcOtherChain', { reported: String(reported), wanted: network.chainId })
  }

  return {
    probeRpc: async ({ rpcUrl }) => {
      const network = unnamed(requireRpcUrl(rpcUrl))
      return {
        chainId: Number(await askQuantity(chain, network, 'eth_chainId')),
        block: fromQuantity(await askQuantity(chain, network, 'eth_blockNumber')),
      }
    },
    describeNetwork: async ({ chainId }) => inputOf(await networks.get(chainId)),
    saveNetwork: async input => {
      const network = toNetwork(input)
      await assertReports(network)
      await networks.add(network)
      // A built-in network's URL is stored separately from its description.
      if (network.rpcUrl !== undefined) await networks.setRpcUrl(network.chainId, network.rpcUrl)
      await publish()
      return null
    },
    setRpcUrl: async ({ chainId, rpcUrl: text }) => {
      const rpcUrl = requireRpcUrl(text)
      await assertReports({ ...(await networks.get(chainId)), rpcUrl })
      await networks.setRpcUrl(chainId, rpcUrl)
      await publish()
      return null
    },
  }
}
