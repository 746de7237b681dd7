/**
 * Reviews a network that a site asks to add: compares it with the catalogue, and finds imitations of known networks.
 */
import type { Network } from '@heliograph/shared/network'
import type { Finding, ListedNetwork } from '../../messages.ts'
import { findImitatedName, sameText } from '../text/confusables.ts'
import { finding } from './findings.ts'

/** A network with which a new one could be confused. */
type Named = { chainId: number; title: string; symbol: string }

const reviewTitle = ({ title }: Network, others: readonly Named[]): Finding[] => {
  const titles = others.map(other => other.title)
  if (titles.some(other => sameText(other, title))) return [finding('danger', 'namesakeNetwork', title)]
  const imitated = findImitatedName(title, titles)
  return imitated === undefined ? [] : [finding('danger', 'imitatedNetwork', title, imitated)]
}

const reviewCurrency = ({ currency: { symbol } }: Network, others: readonly Named[]): Finding[] => {
  const imitated = findImitatedName(
    symbol,
    others.map(other => other.symbol),
  )
  return imitated === undefined ? [] : [finding('danger', 'imitatedAsset', symbol, imitated)]
}

const hostOf = (url: string): string => new URL(url).host

/** Reports differences between the site's description and the catalogue. */
const compare = (network: Network, listed: ListedNetwork): Finding[] => {
  const { symbol } = network.currency
  const explorers = [network.explorerUrl, listed.explorerUrl].map(url => (url ? hostOf(url) : null))
  const [claimed = null, known = null] = explorers
  return [
    ...(sameText(network.title, listed.title)
      ? []
      : [finding('caution', 'otherNetworkName', network.title, listed.title)]),
    ...(sameText(symbol, listed.symbol) ? [] : [finding('caution', 'otherCurrency', symbol, listed.symbol)]),
    ...(claimed === null || known === null || claimed === known
      ? []
      : [finding('caution', 'otherExplorer', claimed, known)]),
  ]
}

const reviewListed = (network: Network, listed: ListedNetwork): Finding[] => {
  const differences = compare(network, listed)
  return differences.length > 0 ? differences : [finding('none', 'listedNetwork')]
}

const reviewNodes = ({ rpcUrls }: Network, listed: ListedNetwork | undefined): Finding[] =>
  rpcUrls.every(url => listed?.nodes.some(node => node.url === url)) ? [] : [finding('caution', 'suggestedRpc')]

/**
 * Reviews a network. `known` is true if the wallet already has it; then the site only supplies its RPC URL. `others`
 * are the wallet's networks, `catalogue` the networks that ship with it.
 */
export const reviewNetwork = (
  network: Network,
  known: boolean,
  others: readonly Network[],
  catalogue: readonly ListedNetwork[],
): Finding[] => {
  const listed = catalogue.find(({ chainId }) => chainId === network.chainId)
  if (known) return reviewNodes(network, listed)
  const confusable = [...others.map(other => ({ ...other, symbol: other.currency.symbol })), ...catalogue].filter(
    ({ chainId }) => chainId !== network.chainId,
  )
  return [
    ...reviewTitle(network, confusable),
    ...reviewCurrency(network, confusable),
    ...(listed
      ? [...reviewListed(network, listed), ...reviewNodes(network, listed)]
      : [finding('caution', 'unlistedNetwork')]),
  ]
}
