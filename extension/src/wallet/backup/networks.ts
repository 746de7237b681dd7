/** Sections of networks: added ones, the nodes of all, and hidden ones. A node is stored without a query to it. */
import type { Network, NodeUse } from '@heliograph/shared/network'
import { parseUrl } from '@heliograph/shared/url'
import * as v from 'valibot'
import type { NetworkItem } from '../../messages.ts'
import {
  inputOf,
  isNamedAlike,
  listedNetwork,
  MAX_NODES,
  requireRpcUrls,
  toNetwork,
} from '../networks/network-input.ts'
import { toNodeUses } from '../networks/node-uses.ts'
import { reviewNetwork } from '../review/network.ts'
import { rpcError } from '../text/errors.ts'
import { type Context, plain, type Section } from './section.ts'
import { address, chainId, flag, listOf, textOrNull } from './values.ts'

const MAX_URL = 2_048
const MAX_TEXT = 100
/** Maximum number of accounts of a node in a file. */
const MAX_ACCOUNTS = 1_000

const ofChain = ({ chainId: id }: { chainId: number }): string => String(id)

/** Throws -32602 unless the wallet has the network, or gets it from the backup. */
const assertNetwork = ({ parts, held }: Context, id: number) => {
  const isKnown = !parts.networks.isAdded(id) || held.networks.has(String(id))
  if (!isKnown) throw rpcError('invalidParams', 'unknownNetwork', { chainId: id })
}

const networkOf = (item: NetworkItem, { catalogue }: Context): Network => {
  const network = toNetwork({ ...item, rpcUrls: [] })
  const listed = catalogue.find(other => other.chainId === item.chainId)
  return listed && isNamedAlike(listedNetwork(listed), network) ? { ...network, listed: true } : network
}

export const networks: Section<'networks'> = {
  name: 'networks',
  schema: v.object({
    chainId,
    title: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
    symbol: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
    explorerUrl: v.pipe(
      textOrNull(MAX_URL),
      v.transform(url => url ?? ''),
    ),
    prefix: v.nullish(v.string(), 'eth'),
    signedMessageName: v.nullish(v.string(), 'Ethereum'),
    testnet: flag,
  }),
  idOf: ofChain,
  read: async parts =>
    (await parts.networks.list())
      .filter(network => parts.networks.isAdded(network.chainId))
      .map(network => {
        const { rpcUrls: _, ...item } = inputOf(network)
        return item
      }),
  fitting: context => item => {
    const { parts, held, catalogue } = context
    if (!parts.networks.isAdded(item.chainId)) throw rpcError('invalidParams', 'networkExists')
    const network = networkOf(item, context)
    const others = [...held.networks.values()]
      .filter(other => other.chainId !== item.chainId)
      .map(other => toNetwork({ ...other, rpcUrls: [] }))
    const { rpcUrls: _, ...value } = inputOf(network)
    return { value, findings: network.listed ? [] : reviewNetwork(network, false, others, catalogue) }
  },
  write: async (context, items) => {
    for (const item of items) await context.parts.networks.add(networkOf(item, context))
  },
}

/** The use of a node. A malformed part is left out. */
const nodeUse = v.pipe(
  v.object({
    only: v.fallback(v.nullish(v.literal('sending')), null),
    also: v.fallback(v.nullish(v.literal('comparing')), null),
    accounts: v.fallback(listOf(address, MAX_ACCOUNTS), []),
  }),
  v.transform(
    ({ only, also, accounts }): NodeUse => ({
      ...(only && { only }),
      ...(also && { also }),
      ...(accounts.length > 0 && { accounts }),
    }),
  ),
)

export const nodes: Section<'nodes'> = {
  name: 'nodes',
  schema: v.object({
    chainId,
    rpcUrls: listOf(
      v.pipe(
        v.string(),
        v.maxLength(MAX_URL),
        v.check(url => parseUrl(url) !== undefined),
      ),
      MAX_NODES,
      1,
    ),
    uses: v.fallback(v.record(v.string(), nodeUse), {}),
  }),
  idOf: ofChain,
  read: async parts =>
    (await parts.networks.list())
      .filter(({ rpcUrls }) => rpcUrls.length > 0)
      .map(({ chainId: id, rpcUrls, nodeUses = {} }) => ({
        chainId: id,
        rpcUrls,
        uses: toNodeUses(rpcUrls, nodeUses),
      })),
  fitting: context => item => {
    assertNetwork(context, item.chainId)
    const rpcUrls = requireRpcUrls(item.rpcUrls)
    return plain({ ...item, rpcUrls, uses: toNodeUses(rpcUrls, item.uses) })
  },
  write: async ({ parts }, items) => {
    for (const { chainId: id, rpcUrls, uses } of items) await parts.networks.setRpcUrls(id, rpcUrls, uses)
  },
}

export const hiddenNetworks: Section<'hiddenNetworks'> = {
  name: 'hiddenNetworks',
  schema: v.object({ chainId }),
  idOf: ofChain,
  read: async parts => (await parts.networks.shown()).hidden.map(id => ({ chainId: id })),
  fitting: context => item => {
    assertNetwork(context, item.chainId)
    return plain(item)
  },
  write: async ({ parts }, items) => {
    for (const { chainId: id } of items) await parts.networks.setHidden(id, true)
  },
}
