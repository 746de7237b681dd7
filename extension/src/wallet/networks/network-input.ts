/** Validates a network's description and RPC URLs, and converts networks to and from it. */
import type { RpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import * as v from 'valibot'
import type { ListedNetwork, NetworkInput } from '../../messages.ts'
import { rpcError } from '../text/errors.ts'
import { line, MAX_SYMBOL } from '../text/values.ts'
import { toRpcUrl } from './rpc-url.ts'

const MAX_TITLE = 50
/** Maximum number of nodes per network. */
export const MAX_NODES = 5
/** Decimals of every native currency. */
export const DECIMALS = 18
/** Method prefixes that every network has in addition to its own. */
export const COMMON_PREFIXES = ['chain', 'eth']

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

/** Returns a normalized RPC URL. Throws -32602 if it is invalid. */
export const requireRpcUrl = (text: string): string => {
  const url = toRpcUrl(text.trim())
  if (url === undefined) throw rpcError('invalidParams', 'notRpcUrl')
  return url
}

/** Returns normalized RPC URLs. Throws -32602 if one is invalid, or if there are too many. */
export const requireRpcUrls = (texts: readonly string[]): readonly string[] => {
  const urls = [...new Set(texts.map(requireRpcUrl))]
  if (urls.length <= MAX_NODES) return urls
  throw rpcError('invalidParams', 'tooManyNodes', { limit: MAX_NODES })
}

const requireExplorerUrl = (text: string): string => {
  const url = toRpcUrl(text.trim())
  if (url === undefined) throw rpcError('invalidParams', 'notExplorerUrl')
  return url
}

/** Creates the error for an invalid field of a network's description. */
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

/** Validates a network's description. Throws -32602 with an error that names the field. */
export const toNetwork = (input: NetworkInput): Network => {
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

/** Returns a network's description as the user enters it. */
export const inputOf = ({
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

/** Converts an entry in the catalogue to a network without a node. */
export const listedNetwork = ({ chainId, title, symbol, explorerUrl, testnet }: ListedNetwork): Network => ({
  chainId,
  title,
  prefixes: COMMON_PREFIXES,
  signedMessageNames: { personal_sign: 'Ethereum', chain_sign: 'Ethereum' },
  currency: { symbol, decimals: DECIMALS },
  rpcUrls: [],
  ...(explorerUrl !== null && { explorerUrl }),
  testnet,
  listed: true,
})

/** True if lists show both networks alike. */
export const isNamedAlike = (one: Network, other: Network): boolean =>
  one.title === other.title && one.currency.symbol === other.currency.symbol && one.testnet === other.testnet
