/** Arweave gateways' sandbox subdomains, each of which serves a single transaction's content. */

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
/** An IP address, a name without a dot, or a localhost name: these have no subdomains. */
const ALONE = /^(?:[\d.]+|\[.*\]|[^.]+|.*\.localhost)$/

/** Converts a transaction id from base64url to lower-case base32 (RFC 4648) without padding. */
const toBase32 = (id: string): string => {
  const bytes = [...atob(id.replaceAll('-', '+').replaceAll('_', '/'))].map(byte => byte.charCodeAt(0))
  const bits = bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(BITS, '0'), 2)]).join('')
}

/**
 * Returns the URL to which AR.IO gateways redirect a request for the transaction. Null if the gateway's host cannot
 * have subdomains. The subdomain belongs to the gateway's operator too.
 */
export const sandboxOf = (url: string, id: string): string | null => {
  const { protocol, host, hostname, pathname } = new URL(url)
  return ALONE.test(hostname) ? null : `${protocol}//${toBase32(id)}.${host}${pathname}`
}
