/** What a network that a site describes may be other than what it says. */
import type { Network } from '@heliograph/shared/network'
import type { Finding } from '../../messages.ts'

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** `known` says that only the RPC is the site's word; `others` are the networks that the wallet has. */
export const reviewNetwork = (network: Network, known: boolean, others: readonly Network[]): Finding[] => {
  if (known) return [{ level: 'caution', name: 'suggestedRpc', values: [] }]
  const namesake = others.some(({ title }) => sameText(title, network.title))
  const unlisted: Finding = { level: 'caution', name: 'unlistedNetwork', values: [] }
  return namesake ? [{ level: 'caution', name: 'namesakeNetwork', values: [network.title] }, unlisted] : [unlisted]
}
