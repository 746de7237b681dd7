/** The hosts below an Arweave gateway, of which each serves the content of one transaction. */

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
/** An IP address or a name without a dot, which has no hosts below it. */
const ALONE = /^(?:[\d.]+|\[.*\]|[^.]+|.*\.localhost)$/

/** The id of a transaction, which is base64url, in base32 (RFC 4648) without padding and in lower case. */
const toBase32 = (id: string): string => {
  const bytes = [...atob(id.replaceAll('-', '+').replaceAll('_', '/'))].map(byte => byte.charCodeAt(0))
  const bits = bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(BITS, '0'), 2)]).join('')
}

/**
 * The URL to which AR.IO's gateways redirect a request for the transaction; null if the gateway can have no hosts below its own.
 * The host is the gateway operator's, as the gateway is.
 */
export const sandboxOf = (url: string, id: string): string | null => {
  const { protocol, host, hostname, pathname } = new URL(url)
  return ALONE.test(hostname) ? null : `${protocol}//${toBase32(id)}.${host}${pathname}`
}
