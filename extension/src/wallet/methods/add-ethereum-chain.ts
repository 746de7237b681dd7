/**
 * wallet_addEthereumChain: adds a network described by a site and switches the site to it. The node's chain id is
 * checked after the user approves. https://eips.ethereum.org/EIPS/eip-3085
 */
import type { Network } from '@heliograph/shared/network'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Finding, FindingName } from '../../messages.ts'
import { networkView } from '../networks/networks.ts'
import { askQuantity } from '../networks/node.ts'
import { toSuggestedUrl } from '../networks/rpc-url.ts'
import { type Asking, type Context, mainAccount } from '../requests/context.ts'
import { ChangedSince, type Draft, type WalletRequest } from '../requests/store.ts'
import { finding } from '../review/findings.ts'
import { reviewNetwork } from '../review/network.ts'
import { rpcError } from '../text/errors.ts'
import { chainIdValue, decimalsValue, line, MAX_SYMBOL } from '../text/values.ts'
import { prepareSwitch, switchSite } from './switch-ethereum-chain.ts'

/** Required decimals of the native currency. Fees and values assume 18. */
const COIN_DECIMALS = 18
const MAX_TITLE = 50
/** Maximum number of URLs in a list. */
const MAX_URLS = 1_000
/** Maximum characters of a URL. */
const MAX_URL = 2_048

/**
 * Matches a placeholder such as `${API_KEY}` or `<key>`, which the site has not filled in. URLs do not contain these
 * brackets (RFC 3986) unless a library encoded them.
 */
const PLACEHOLDER = /[{}<>]|%(?:7b|7d|3c|3e)/i

/** A list's URLs that the wallet can use, the number of entries left out, and the total number of entries. */
type Urls = { usable: readonly string[]; leftOut: number; listed: number }

const NO_URLS: Urls = { usable: [], leftOut: 0, listed: 0 }

/**
 * Parses a list of URLs. Sites also list WebSocket and plain http endpoints, empty strings and placeholders; such an
 * entry must not invalidate the list. Normalizing a URL converts its host to ASCII, which exposes look-alike letters.
 */
const readUrls = (listed: unknown[]): Urls => {
  const usable = listed.flatMap(url =>
    typeof url === 'string' && url.length <= MAX_URL && !PLACEHOLDER.test(url) ? (toSuggestedUrl(url) ?? []) : [],
  )
  return { usable, leftOut: listed.length - usable.length, listed: listed.length }
}

const urls = v.pipe(
  v.array(v.unknown()),
  v.maxLength(MAX_URLS, `must have at most ${MAX_URLS} URLs`),
  v.transform(readUrls),
)
const rpcUrls = v.pipe(
  urls,
  v.check(({ usable }) => usable.length > 0, 'must have an https URL, or an http URL on this computer'),
)
/** An explorer is optional, so a value that is not a list of URLs counts as one entry left out. */
const explorerUrls = v.fallback(urls, { ...NO_URLS, leftOut: 1, listed: 1 })

const Params = v.tuple([
  v.object({
    chainId: chainIdValue,
    rpcUrls: v.nullish(urls),
    blockExplorerUrls: v.nullish(explorerUrls),
  }),
])
type Described = v.InferOutput<typeof Params>[0]

/** Members that are required only for a network that the wallet does not have. */
const Description = v.tuple([
  v.object({
    chainName: line(MAX_TITLE),
    nativeCurrency: v.object({ symbol: line(MAX_SYMBOL), decimals: decimalsValue }),
    rpcUrls,
  }),
])

/**
 * What to do: add a network, or switch to it. `known` is true if the wallet has a network with this chain id; then only
 * its RPC URLs are set.
 */
type Payload = { network: Network; known: boolean } | { chainId: number }

const ETHEREUM_NAMES = { personal_sign: 'Ethereum', chain_sign: 'Ethereum' }

const toNetwork = (described: Described, params: unknown): Network => {
  const [{ chainName, nativeCurrency }] = parseParams(params, Description)
  const { symbol, decimals } = nativeCurrency
  if (decimals !== COIN_DECIMALS)
    throw rpcError('invalidParams', 'paramNot', { place: 'params[0].nativeCurrency.decimals', wanted: COIN_DECIMALS })
  const [explorerUrl] = described.blockExplorerUrls?.usable ?? []
  return {
    chainId: described.chainId,
    title: chainName,
    prefixes: ['chain', 'eth'],
    signedMessageNames: ETHEREUM_NAMES,
    currency: { symbol, decimals },
    rpcUrls: firstNode(described),
    ...(explorerUrl !== undefined && { explorerUrl }),
  }
}

/** Returns only one node for a new network, because a site's list does not say who operates the nodes. */
const firstNode = ({ rpcUrls }: Described): readonly string[] => (rpcUrls ?? NO_URLS).usable.slice(0, 1)

const leftOut = (name: FindingName, urls: Urls | null | undefined): Finding[] =>
  urls && urls.leftOut > 0 ? [finding('none', name, urls.leftOut, urls.listed)] : []

const withFindings = (draft: Draft, findings: readonly Finding[]): Draft => ({
  ...draft,
  findings: [...draft.findings, ...findings],
})

const prepareAdding = async (context: Context, network: Network, known: boolean): Promise<Draft> => {
  const payload: Payload = { network, known }
  const { explorerUrl = null } = network
  return {
    account: await mainAccount(context),
    payload,
    effect: {
      kind: 'addChain',
      network: networkView(network, context.networks.isAdded(network.chainId)),
      explorerUrl,
      known,
    },
    findings: reviewNetwork(network, known, await context.networks.list(), await context.listedNetworks()),
  }
}

/** Prepares a switch to a network of the wallet. If the network has no node, the site may supply one. */
const prepareKnown = async (context: Context, known: Network, rpcUrls: readonly string[]) =>
  known.rpcUrls.length > 0 || rpcUrls.length === 0
    ? prepareSwitch(context, known)
    : prepareAdding(context, { ...known, rpcUrls }, true)

const findKnown = async ({ networks }: Context, chainId: number): Promise<Network | undefined> =>
  (await networks.list()).find(network => network.chainId === chainId)

/** Throws 4901 if the node does not respond, -32602 if it has another chain id. */
const assertReports = async ({ chain }: Context, network: Network) => {
  const reported = await askQuantity(chain, network, 'eth_chainId')
  if (reported !== BigInt(network.chainId))
    throw rpcError('invalidParams', 'rpcOtherChainAsked', { reported: String(reported), wanted: network.chainId })
}

export const addEthereumChain: Asking = {
  prepare: async (context, params) => {
    const [described] = parseParams(params, Params)
    const known = await findKnown(context, described.chainId)
    const nodesLeftOut = leftOut('nodesLeftOut', described.rpcUrls)
    if (!known) {
      const draft = await prepareAdding(context, toNetwork(described, params), false)
      return withFindings(draft, [...nodesLeftOut, ...leftOut('explorersLeftOut', described.blockExplorerUrls)])
    }
    const draft = await prepareKnown(context, known, firstNode(described))
    return 'answer' in draft || draft.effect.kind === 'switchChain' ? draft : withFindings(draft, nodesLeftOut)
  },
  act: async (context, request: WalletRequest) => {
    const payload = request.payload as Payload
    if ('chainId' in payload) return switchSite(context, payload.chainId)
    const { network, known } = payload
    await assertReports(context, network)
    const present = await findKnown(context, network.chainId)
    if (known ? present?.rpcUrls.length === 0 : !present) {
      if (known) await context.networks.setRpcUrls(network.chainId, network.rpcUrls)
      else await context.networks.add(network)
    } else if (String(present?.rpcUrls) !== String(network.rpcUrls)) {
      // The network's nodes have changed since the request, so the user decides again. Nodes that equal the requested
      // ones were set by an earlier worker that stopped before it finished.
      const draft = await prepareKnown(context, await context.networks.get(network.chainId), network.rpcUrls)
      if ('answer' in draft) return draft.answer
      throw new ChangedSince(draft)
    }
    return switchSite(context, network.chainId)
  },
}
