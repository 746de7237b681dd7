/** Reviews a network that a site asks to add: unknown, or imitating a network or currency that the wallet has. */
import type { Network } from '@heliograph/shared/network'
import type { Finding } from '../../messages.ts'
import { findImitatedName, sameText } from '../text/confusables.ts'

const reviewTitle = ({ title }: Network, others: readonly Network[]): Finding[] => {
  const titles = others.map(other => other.title)
  if (titles.some(other => sameText(other, title)))
    return [{ level: 'caution', name: 'namesakeNetwork', values: [title] }]
  const imitated = findImitatedName(title, titles)
  return imitated === undefined ? [] : [{ level: 'danger', name: 'imitatedNetwork', values: [title, imitated] }]
}

const reviewCurrency = ({ currency: { symbol } }: Network, others: readonly Network[]): Finding[] => {
  const imitated = findImitatedName(
    symbol,
    others.map(({ currency }) => currency.symbol),
  )
  return imitated === undefined ? [] : [{ level: 'danger', name: 'imitatedAsset', values: [symbol, imitated] }]
}

/**
 * `known` is true for a built-in network, of which the site only supplies the RPC URL; `others` are the wallet's
 * networks.
 */
export const reviewNetwork = (network: Network, known: boolean, others: readonly Network[]): Finding[] => {
  if (known) return [{ level: 'caution', name: 'suggestedRpc', values: [] }]
  const unlisted: Finding = { level: 'caution', name: 'unlistedNetwork', values: [] }
  return [...reviewTitle(network, others), ...reviewCurrency(network, others), unlisted]
}
