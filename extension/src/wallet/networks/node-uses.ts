/**
 * Chooses the nodes for a use: reading, sending or comparing, on behalf of an account or of none. An account that has
 * nodes of its own uses no other node, so that no operator sees it together with another account.
 */
import type { Network, NodeUse } from '@heliograph/shared/network'
import { parseUrl } from '@heliograph/shared/url'
import { rpcError } from '../text/errors.ts'

/** URLs of the nodes for each use, the preferred one first. `compare` has no node that is also read first. */
export type NodesInUse = { read: readonly string[]; send: readonly string[]; compare: readonly string[] }

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const usesOf = ({ nodeUses = {} }: Network, url: string): NodeUse => nodeUses[url] ?? {}

/** Returns the accounts that have nodes of their own, in lower case. */
const accountsApart = ({ nodeUses = {}, rpcUrls }: Network): readonly string[] => [
  ...new Set(rpcUrls.flatMap(url => nodeUses[url]?.accounts ?? []).map(account => account.toLowerCase())),
]

/** Returns the nodes that are used on behalf of an account; null for none in particular. */
export const nodesFor = (network: Network, account: string | null): NodesInUse => {
  const listsAccount = (url: string) =>
    account !== null && (usesOf(network, url).accounts ?? []).some(other => isSame(other, account))
  const own = network.rpcUrls.filter(listsAccount)
  const all = own.length > 0 ? own : network.rpcUrls.filter(url => !usesOf(network, url).accounts?.length)
  const compares = (url: string) => usesOf(network, url).also === 'comparing'
  const readers = all.filter(url => usesOf(network, url).only !== 'sending')
  const read = [...readers.filter(url => !compares(url)), ...readers.filter(compares)]
  const send = all.filter(url => usesOf(network, url).only === 'sending')
  return { read, send: send.length > 0 ? send : read, compare: read.slice(1).filter(compares) }
}

/**
 * Returns the network as it is used on behalf of an account. Requests that name other accounts, such as a recipient,
 * then go to the account's nodes too. Without an account, returns the network itself.
 */
export const onBehalfOf = (network: Network, account: string | null): Network =>
  account === null ? network : { ...network, onBehalfOf: account }

/** Returns the nodes that the network's reads use. */
export const readersOf = (network: Network): readonly string[] => nodesFor(network, network.onBehalfOf ?? null).read

/** Returns the network with only this node, for every use. */
export const onlyNode = ({ nodeUses: _, ...network }: Network, url: string): Network => ({ ...network, rpcUrls: [url] })

/** Returns the accounts with nodes of their own that a request names, in lower case. */
const accountsIn = (network: Network, params: readonly unknown[]): readonly string[] => {
  const apart = accountsApart(network)
  if (apart.length === 0) return []
  const text = JSON.stringify(params)?.toLowerCase() ?? ''
  // In calldata and topics, an address has no prefix.
  return apart.filter(account => text.includes(account.slice(2)))
}

/**
 * Returns the URLs for a request. Unless it is made on behalf of an account, the accounts that it names decide. Throws
 * -32000 if these use different nodes, and 4901 if there is no node.
 */
export const urlsFor = (network: Network, params: readonly unknown[], use: 'read' | 'send'): readonly string[] => {
  const named = network.onBehalfOf === undefined ? accountsIn(network, params) : []
  const [urls = [], ...others] = (named.length > 0 ? named : [network.onBehalfOf ?? null]).map(
    account => nodesFor(network, account)[use],
  )
  if (others.some(other => other.join(' ') !== urls.join(' ')))
    throw rpcError('invalidInput', 'nodesApart', { network: network.title })
  if (urls.length === 0) throw rpcError('chainDisconnected', 'noRpcUrl', { network: network.title })
  return urls
}

/** Accounts that use the same nodes, and the network as it is used on their behalf. */
export type AccountGroup<A extends string> = { network: Network; accounts: readonly A[] }

/** Groups accounts by the nodes that they read from, so that a request names only accounts of one group. */
export const groupsOf = <A extends string>(network: Network, accounts: readonly A[]): readonly AccountGroup<A>[] => {
  const groups = new Map<string, A[]>()
  for (const account of accounts) {
    const nodes = nodesFor(network, account).read.join(' ')
    groups.set(nodes, [...(groups.get(nodes) ?? []), account])
  }
  return [...groups.values()].map(group => ({ network: onBehalfOf(network, group[0] ?? null), accounts: group }))
}

/**
 * Returns the network for a site's read. A request that names none of the accounts with nodes of their own goes to the
 * nodes of the site's first account; a request that names accounts goes to these accounts' nodes. Throws -32000 if they use
 * different nodes: `accounts` are all that the site may know.
 */
export const networkOfSite = (network: Network, accounts: readonly string[], params: readonly unknown[]): Network => {
  if (accountsApart(network).length === 0) return network
  const text = JSON.stringify(params)?.toLowerCase() ?? ''
  const known = [...new Set([...accounts.map(account => account.toLowerCase()), ...accountsApart(network)])]
  const named = known.filter(account => text.includes(account.slice(2)))
  if (groupsOf(network, named).length > 1) throw rpcError('invalidInput', 'nodesApart', { network: network.title })
  return onBehalfOf(network, named[0] ?? accounts[0] ?? null)
}

/** Returns a node's host, which errors and pages may show. The path may contain the API key of the user's account. */
export const nodeHost = (url: string): string => parseUrl(url)?.host ?? ''

/**
 * Returns the uses of the nodes in the list, without empty ones. Throws -32602 if the first node has a use, or if an
 * account has nodes but none to read from.
 */
export const toNodeUses = (
  rpcUrls: readonly string[],
  uses: Readonly<Record<string, NodeUse>>,
): Readonly<Record<string, NodeUse>> => {
  const kept = rpcUrls.flatMap((url): [string, NodeUse][] => {
    const { only, also, accounts = [] } = uses[url] ?? {}
    const use = {
      ...(only === 'sending' && { only }),
      // An only node has none to compare with.
      ...(also === 'comparing' && only !== 'sending' && rpcUrls.length > 1 && { also }),
      ...(accounts.length > 0 && { accounts }),
    }
    return Object.keys(use).length > 0 ? [[url, use]] : []
  })
  const [first] = kept
  if (first && first[0] === rpcUrls[0]) throw rpcError('invalidParams', 'firstNodeReads', { node: nodeHost(first[0]) })
  const readers = kept.flatMap(([, { only, accounts = [] }]) => (only === 'sending' ? [] : accounts))
  for (const [, { accounts = [] }] of kept)
    for (const account of accounts)
      if (!readers.some(other => isSame(other, account)))
        throw rpcError('invalidParams', 'accountNeedsReading', { address: account })
  return Object.fromEntries(kept)
}
