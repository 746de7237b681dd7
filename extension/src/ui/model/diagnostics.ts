/** A report for support requests: counts and versions only. It has no addresses, names, URLs or keys. */
import { parseUrl } from '@heliograph/shared/url'
import type { UiState } from '../../messages.ts'

const count = <T extends string>(kinds: readonly T[]): string => {
  const counts = new Map<T, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, number]) => `${kind} ${number}`).join(', ') || 'none'
}

/**
 * Describes a node. Its URL often contains an API key, so this only says whether there is a URL and whether it is
 * local.
 */
const rpcOf = (rpcUrl: string): string => {
  const url = parseUrl(rpcUrl)
  if (!url) return 'set'
  const { protocol, hostname } = url
  return `${protocol.replace(':', '')} ${/^(localhost|127\.|\[::1\])/.test(hostname) ? 'on this computer' : 'elsewhere'}`
}

export const diagnosticsOf = (state: UiState, version: string, userAgent: string): string =>
  [
    `Heliograph ${version}`,
    userAgent,
    `phase: ${state.phase}`,
    `accounts: ${count(state.accounts.map(({ kind }) => kind))}`,
    `hidden accounts: ${state.hiddenAccounts.length}`,
    `phrases: ${state.phrases.length}`,
    `networks: ${state.networks.map(({ chainId, rpcUrls, added }) => `${chainId} (${added ? 'added, ' : ''}rpc ${rpcUrls.map(rpcOf).join(' and ') || 'none'})`).join(', ')}`,
    `selected chain: ${state.chainId}`,
    `tokens: ${state.assets.length}`,
    `sites: ${state.sites.length}`,
    `open requests: ${state.waiting.length}`,
    `auto-lock: ${state.autoLockMinutes} min`,
    `task: ${state.task?.name ?? 'none'}`,
  ].join('\n')
