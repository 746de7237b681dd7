/**
 * wallet_addEthereumChain: adds a network described by a site and switches the site to it. The node's chain id is
 * checked after the person approves. https://eips.ethereum.org/EIPS/eip-3085
 */
import type { Network } from '@heliograph/shared/network'
import { parseUrl } from '@heliograph/shared/url'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { networkView } from '../networks/networks.ts'
import { askQuantity } from '../networks/node.ts'
import { toSuggestedUrl } from '../networks/rpc-url.ts'
import { type Asking, type Context, mainAccount } from '../requests/context.ts'
import { ChangedSince, type Draft, type WalletRequest } from '../requests/requests.ts'
import { reviewNetwork } from '../review/network.ts'
import { rpcError } from '../text/errors.ts'
import { chainIdValue, line, MAX_SYMBOL } from '../text/values.ts'
import { prepareSwitch, switchSite } from './switch-ethereum-chain.ts'

/** Fees and values assume 18 decimals of the native currency. */
const COIN_DECIMALS = 18
const MAX_TITLE = 50
const MAX_URLS = 20
/** Maximum characters of a URL. */
const MAX_URL = 2_048

const isEndpoint = (text: string): boolean => {
  const url = parseUrl(text)
  if (!url) return false
  const { protocol, username, password } = url
  return /^(?:https?|wss?):$/.test(protocol) && username === '' && password === ''
}
const endpoint = v.pipe(
  v.string(),
  v.maxLength(MAX_URL, `must have at most ${MAX_URL} characters`),
  v.check(isEndpoint, 'must be an https URL without a user name'),
)
/**
 * The URLs that the wallet supports. Sites also list WebSocket and plain http endpoints. They are normalized, because hosts
 * in ASCII show imitating letters.
 */
const usableUrls = v.pipe(
  v.array(endpoint),
  v.maxLength(MAX_URLS, `must have at most ${MAX_URLS} URLs`),
  v.transform(urls => urls.flatMap(url => toSuggestedUrl(url) ?? [])),
)
const rpcUrls = v.pipe(usableUrls, v.minLength(1, 'must have an https URL, or an http one to this computer'))

const Params = v.strictTuple([
  v.object({
    chainId: chainIdValue,
    chainName: v.nullish(line(MAX_TITLE)),
    rpcUrls: v.nullish(rpcUrls),
    nativeCurrency: v.nullish(
      v.object({
        symbol: line(MAX_SYMBOL),
        decimals: v.number(),
      }),
    ),
    blockExplorerUrls: v.nullish(usableUrls),
  }),
])
type Described = v.InferOutput<typeof Params>[0]

/** `known` is an existing network with this chain id. Only its RPC URL is replaced. */
type Payload = { network: Network; known: boolean } | { chainId: number }

const ETHEREUM_NAMES = { personal_sign: 'Ethereum', chain_sign: 'Ethereum' }

const required = <T>(value: T | null | undefined, place: string): T => {
  if (value === null || value === undefined) throw rpcError('invalidParams', 'missing', { place: `params[0].${place}` })
  return value
}

const toNetwork = (described: Described): Network => {
  const { symbol, decimals } = required(described.nativeCurrency, 'nativeCurrency')
  if (decimals !== COIN_DECIMALS)
    throw rpcError('invalidParams', 'paramNot', { place: 'params[0].nativeCurrency.decimals', wanted: COIN_DECIMALS })
  const [url] = required(described.rpcUrls, 'rpcUrls')
  const explorer = described.blockExplorerUrls?.[0]
  return {
    chainId: described.chainId,
    title: required(described.chainName, 'chainName'),
    prefixes: ['chain', 'eth'],
    signedMessageNames: ETHEREUM_NAMES,
    currency: { symbol, decimals },
    rpcUrls: url === undefined ? [] : [url],
    ...(explorer !== undefined && { explorerUrl: explorer }),
  }
}

const prepareAdding = async (context: Context, network: Network, known: boolean): Promise<Draft> => {
  const payload: Payload = { network, known }
  const { explorerUrl = null } = network
  return {
    account: await mainAccount(context),
    payload,
    effect: { kind: 'addChain', network: networkView(network, !known), explorerUrl, known },
    findings: reviewNetwork(network, known, await context.networks.list(), await context.listedNetworks()),
  }
}

/** A switch to a network that the wallet has. The site may supply the node of one without any. */
const prepareKnown = async (context: Context, known: Network, rpcUrls: readonly string[]) =>
  known.rpcUrls.length > 0 || rpcUrls.length === 0
    ? prepareSwitch(context, known)
    : prepareAdding(context, { ...known, rpcUrls }, true)

const findKnown = async ({ networks }: Context, chainId: number): Promise<Network | undefined> =>
  (await networks.list()).find(network => network.chainId === chainId)

/** Throws 4901 if the node does not answer, -32602 if it has another chain id. */
const assertReports = async ({ chain }: Context, network: Network) => {
  const reported = await askQuantity(chain, network, 'eth_chainId')
  if (reported !== BigInt(network.chainId))
    throw rpcError('invalidParams', 'rpcOtherChainAsked', { reported: String(reported), wanted: network.chainId })
}

export const addEthereumChain: Asking = {
  prepare: async (context, params) => {
    const [described] = parseParams(params, Params)
    const known = await findKnown(context, described.chainId)
    if (!known) return prepareAdding(context, toNetwork(described), false)
    return prepareKnown(context, known, described.rpcUrls?.slice(0, 1) ?? [])
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
      // With these nodes, a worker that stopped has made the change already.
      const draft = await prepareKnown(context, await context.networks.get(network.chainId), network.rpcUrls)
      if ('answer' in draft) return draft.answer
      throw new ChangedSince(draft)
    }
    return switchSite(context, network.chainId)
  },
}
