/** Links to pages of a network's block explorer. */
import { parseUrl } from '@heliograph/shared/url'

/**
 * Returns the explorer's page about an address or a transaction (EIP-3091), and the host that a press of the link
 * contacts. Null for a network without an explorer.
 */
export const explorerPage = (
  explorerUrl: string,
  about: 'address' | 'tx',
  id: string,
): { href: string; host: string } | null => {
  const url = parseUrl(explorerUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const { href } = new URL(`${about}/${id}`, `${url.origin}${url.pathname.replace(/\/*$/, '/')}`)
  return { href, host: url.host }
}
