/**
 * Decides from where a collectible's metadata or picture is read. Only data: URLs and the gateways that the user chose
 * are read: a host named by a contract would learn the IP address of everyone who views the item.
 */
import type { GatewaysView } from '../../messages.ts'
import { isDataUrl } from './data-url.ts'

/** Content at a gateway. `sandbox` is the URL to which the gateway may redirect, or null. */
export type AtGateway = { kind: 'gateway'; url: string; sandbox: string | null }
/** `noGateway`: needs a gateway, and the user chose none. `web`: is on a server that is not contacted. */
type Location = { kind: 'data' } | AtGateway | { kind: 'noGateway' } | { kind: 'web' } | { kind: 'unknown' }

/** A content identifier: version 0 in base58, or version 1 in base32 or base36. https://github.com/multiformats/cid */
const CID = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,110}|k[0-9a-z]{48,110})$/
/** The id of an Arweave transaction: 32 bytes in base64url. */
const ARWEAVE_ID = /^[\w-]{43}$/
/** Maximum characters of a URI that is parsed as a path. */
const LONGEST_URI = 1_000

/** Encodes the path after the id. Null if it is malformed or has a `.` or `..` segment. */
const encodePath = (segments: readonly string[]): string | null => {
  try {
    const names = segments.map(decodeURIComponent)
    return names.some(name => name === '.' || name === '..') ? null : names.map(encodeURIComponent).join('/')
  } catch {
    return null
  }
}

/** Alphabet of an AR.IO gateway's sandbox subdomains, each of which serves a single transaction's content. */
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
const sandboxOf = (url: string, id: string): string | null => {
  const { protocol, host, hostname, pathname } = new URL(url)
  return ALONE.test(hostname) ? null : `${protocol}//${toBase32(id)}.${host}${pathname}`
}

/** Returns the location of `id/path` at a gateway. `form` matches valid ids. */
const below = (gateway: string | null, folder: string, form: RegExp, path: string): Location => {
  const [id = '', ...rest] = path.replace(/[?#].*$/, '').split('/')
  const encoded = encodePath(rest)
  if (!form.test(id) || encoded === null) return { kind: 'unknown' }
  if (gateway === null) return { kind: 'noGateway' }
  const url = `${gateway}${folder}${id}${rest.length > 0 ? `/${encoded}` : ''}`
  return { kind: 'gateway', url, sandbox: form === ARWEAVE_ID ? sandboxOf(url, id) : null }
}

/** Returns the path of an `ipfs:` URI, or of a public gateway's URL for the same content. */
const ipfsPathOf = (uri: string): string | undefined =>
  /^ipfs:\/\/(?:ipfs\/)?(.+)$/i.exec(uri)?.[1] ?? /^https?:\/\/[^/]+\/ipfs\/(.+)$/i.exec(uri)?.[1]

/** Locates a URI from an ERC-721 or ERC-1155 contract, or from metadata. */
export const locate = (given: string, { ipfs, arweave }: GatewaysView): Location => {
  const uri = given.trim()
  if (isDataUrl(uri)) return { kind: 'data' }
  if (uri.length > LONGEST_URI) return { kind: 'unknown' }
  const ipfsPath = ipfsPathOf(uri)
  if (ipfsPath !== undefined) {
    const location = below(ipfs, 'ipfs/', CID, ipfsPath)
    if (location.kind !== 'unknown') return location
  }
  const arweavePath = /^ar:\/\/(.+)$/i.exec(uri)?.[1]
  if (arweavePath !== undefined) return below(arweave, '', ARWEAVE_ID, arweavePath)
  return { kind: /^https?:\/\//i.test(uri) ? 'web' : 'unknown' }
}
